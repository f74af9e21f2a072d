package io.kmodel.indexer.export.lucene.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import java.util.List;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.junit.jupiter.api.Test;

/** What the fields of an index are called in Lucene, and what is kept of them. */
class LuceneFieldsTest {
  @Test
  void fieldsAreNumberedByTheirOrdinalsAndStoredContentsComeLast() {
    LuceneFields fields =
        fields(
            new Field("contents", Detail.POSITIONS, true, true),
            new Field("id", Detail.DOCUMENTS, false, true),
            new Field("title", Detail.FREQUENCIES, true, true),
            new Field("url", Detail.NONE, false, true),
            new Field("words", Detail.OFFSETS, true, false));
    assertThat(fields.infos())
        .extracting(
            FieldInfo::getName,
            FieldInfo::getFieldNumber,
            FieldInfo::getIndexOptions,
            FieldInfo::hasNorms,
            FieldInfo::getDocValuesType)
        .containsExactly(
            tuple(
                "contents", 0, IndexOptions.DOCS_AND_FREQS_AND_POSITIONS, true, DocValuesType.NONE),
            tuple("id", 1, IndexOptions.DOCS, false, DocValuesType.BINARY),
            tuple("title", 2, IndexOptions.DOCS_AND_FREQS, true, DocValuesType.NONE),
            tuple("url", 3, IndexOptions.NONE, false, DocValuesType.NONE),
            tuple(
                "words",
                4,
                IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS,
                true,
                DocValuesType.NONE),
            tuple("raw", 5, IndexOptions.NONE, false, DocValuesType.NONE));
    assertThat(fields.stored())
        .extracting(LuceneFields.Stored::ordinal, stored -> stored.info().getName())
        .containsExactly(tuple(1, "id"), tuple(2, "title"), tuple(3, "url"), tuple(0, "raw"));
    assertThat(fields.values()).isEqualTo(fields.stored().get(0));
  }

  /** Its doc values are the text of a document that is one term. */
  @Test
  void onlyAStoredKeywordOfThatNameHasDocValues() {
    assertThat(fields(new Field("id", Detail.DOCUMENTS, false, false)).values()).isNull();
    assertThat(fields(new Field("id", Detail.FREQUENCIES, true, true)).values()).isNull();
    assertThat(fields(new Field("ids", Detail.DOCUMENTS, false, true)).values()).isNull();
    assertThat(fields(new Field("id", Detail.NONE, false, true)).values()).isNotNull();
  }

  @Test
  void aFieldNamedAsStoredContentsAreIsRefusedBesideThemOnly() {
    Field raw = new Field("raw", Detail.NONE, false, true);
    assertThatThrownBy(() -> fields(new Field("contents", Detail.POSITIONS, true, true), raw))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a schema that stores 'contents' must not have a field 'raw'");
    assertThat(fields(new Field("contents", Detail.POSITIONS, true, false), raw).stored())
        .extracting(LuceneFields.Stored::ordinal, stored -> stored.info().getName())
        .containsExactly(tuple(1, "raw"));
  }

  @Test
  void aTextWithoutFrequenciesHasNoLengthOfLucenes() {
    assertThatThrownBy(() -> fields(new Field("title", Detail.DOCUMENTS, true, true)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("field 'title': a tokenized field must record frequencies; got DOCUMENTS");
  }

  private static LuceneFields fields(Field... fields) {
    return new LuceneFields(Schema.of(List.of(fields)));
  }
}
