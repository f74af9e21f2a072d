package io.kmodel.indexer.export.lucene.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.junit.jupiter.api.Test;

/** Which documents have terms is told by their lengths, in tokenized fields; in keywords all. */
class SegmentNormsTest {
  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field("contents", Detail.POSITIONS, true, false),
              new Field("empty", Detail.POSITIONS, true, false),
              new Field("id", Detail.DOCUMENTS, false, true),
              new Field("title", Detail.FREQUENCIES, true, false),
              new Field("url", Detail.NONE, false, true)));

  private static final int[][] LENGTHS = {
    {0, 7, 0, 1}, {0, 0, 0, 0}, {-9, -9, -9, -9}, {3, 0, 0, 0}, {-9, -9, -9, -9}
  };

  private final SegmentNorms norms =
      new SegmentNorms(
          SCHEMA,
          new DocumentLengths() {
            @Override
            public int count() {
              return 4;
            }

            @Override
            public int length(int field, int docId) {
              return LENGTHS[field][docId];
            }
          });

  @Test
  void documentsWithATermAreCounted() throws IOException {
    FieldInfos infos = new LuceneFields(SCHEMA).infos();
    assertThat(norms.countDocuments(infos.fieldInfo("contents"))).isEqualTo(2);
    assertThat(norms.countDocuments(infos.fieldInfo("empty"))).isZero();
    assertThat(norms.countDocuments(infos.fieldInfo("id"))).isEqualTo(4);
    assertThat(norms.countDocuments(infos.fieldInfo("title"))).isOne();
  }

  @Test
  void fieldsWithoutATermAndThoseThatAreOnlyStoredAreNotAmongThoseWithTerms() throws IOException {
    assertThat(norms.fieldsWithTerms().stream()).containsExactly(0, 2, 3);
    DocumentLengths none =
        new DocumentLengths() {
          @Override
          public int count() {
            return 0;
          }

          @Override
          public int length(int field, int docId) {
            throw new IndexOutOfBoundsException(docId);
          }
        };
    assertThat(new SegmentNorms(SCHEMA, none).fieldsWithTerms().stream()).isEmpty();
  }

  @Test
  void normsAreThoseOfTheFieldThatIsAskedFor() throws IOException {
    FieldInfo title = new LuceneFields(SCHEMA).infos().fieldInfo("title");
    LengthNorms lengths = norms.getNorms(title);
    assertThat(lengths.advanceExact(0)).isTrue();
    assertThat(lengths.longValue()).isEqualTo(3);
    assertThat(lengths.advanceExact(1)).isTrue();
    assertThat(lengths.longValue()).isZero();
  }
}
