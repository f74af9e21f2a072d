package io.kmodel.indexer.index;

import static io.kmodel.indexer.index.IndexModel.CONTENTS;
import static io.kmodel.indexer.index.IndexModel.WHERE;
import static io.kmodel.indexer.index.PostingsReading.readAll;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.index.IndexModel.Posting;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.postings.PostingList;
import io.kmodel.indexer.index.verify.IndexVerifier;
import io.kmodel.indexer.store.CorruptIndexException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the readers of an index may use again, and what they are refused. */
class IndexReadersTest {
  @Test
  void aSchemaWithoutStoredFieldsNeedsNoDocuments(@TempDir Path directory) throws IOException {
    Schema schema = Schema.of(List.of(new Field("text", Detail.POSITIONS, true, false)));
    try (InvertedIndexWriter writer = new InvertedIndexWriter(directory, schema)) {
      writer.appendLengths(0, new int[] {0, 0}, 2);
      writer.finish(2, Map.of());
    }
    assertThat(IndexVerifier.verify(directory, ProgressListener.NONE).documents()).isEqualTo(2);
    try (InvertedIndex index = InvertedIndex.open(directory);
        StoredTexts nothing = index.documents()) {
      assertThatThrownBy(() -> nothing.text(0, 0)).hasMessage("field 'text' is not stored");
    }
  }

  @Test
  void aPostingListIsReusedForTermsOfEveryField(@TempDir Path directory) throws IOException {
    IndexModel model = IndexModel.random(5, 600, 20);
    model.write(directory);
    try (InvertedIndex index = InvertedIndex.open(directory)) {
      PostingList list = null;
      for (var entry : model.terms.entrySet()) {
        byte[] key = entry.getKey();
        TermCursor terms = index.terms(key[0]);
        terms.seek(key, 1, key.length - 1);
        PostingList next = terms.postings(list, Detail.OFFSETS);
        assertThat(list == null || list == next).isTrue();
        list = next;
        assertThat(readAll(list, key[0])).isEqualTo(entry.getValue());
      }
    }
  }

  @Test
  void aReusedPostingListHasNothingOfTheListBefore(@TempDir Path directory) throws IOException {
    IndexModel model = new IndexModel(2);
    model.add(WHERE, "a".getBytes(UTF_8), List.of(new Posting(1, 2, 8, 12)));
    model.write(directory);
    try (InvertedIndex index = InvertedIndex.open(directory)) {
      TermCursor terms = index.terms(WHERE);
      assertThat(terms.next()).isTrue();
      PostingList list = terms.postings(null, Detail.OFFSETS);
      assertThat(list.nextDoc()).isEqualTo(1);
      assertThat(list.nextPosition()).isEqualTo(8);
      assertThat(list.startOffset()).isEqualTo(4);
      for (Detail wanted : List.of(Detail.OFFSETS, Detail.POSITIONS)) {
        assertThat(terms.postings(list, wanted)).isSameAs(list);
        assertThat(list.startOffset()).isEqualTo(-1);
        assertThat(list.endOffset()).isEqualTo(-1);
        assertThatThrownBy(list::nextPosition)
            .as("before the first document")
            .isInstanceOf(IllegalStateException.class);
      }
    }
  }

  /** Lucene's searches made of the first an error without a file, of the second one of null. */
  @ParameterizedTest
  @CsvSource({"3, 1, 3", "0, 1, 1", "1, 0, 1"})
  void aFieldWithTermsInMoreDocumentsThanThereAreOrInNoneIsCorrupt(
      int documents, long terms, long postings, @TempDir Path directory) throws IOException {
    IndexModel model = new IndexModel(2);
    model.add(CONTENTS, "a".getBytes(UTF_8), List.of(new Posting(1, 1, 3)));
    model.write(directory);
    Path metadata = directory.resolve(IndexFiles.METADATA);
    String head =
        Files.readString(metadata).replace(counts(1, 1, 1), counts(terms, documents, postings));
    Files.write(
        metadata, IndexFuzzTest.sealed(head.substring(0, head.lastIndexOf(',')).getBytes(UTF_8)));
    assertThatThrownBy(() -> InvertedIndex.open(directory))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining(metadata.toString())
        .rootCause()
        .hasMessage(
            "field 'contents' has %d terms in %d of 2 documents".formatted(terms, documents));
  }

  /** Terms, documents, postings and tokens of a field, as the metadata has them. */
  private static String counts(long terms, int documents, long postings) {
    return """
        "terms" : %d,
              "documents" : %d,
              "postings" : %d,
              "tokens" : %d"""
        .formatted(terms, documents, postings, postings);
  }

  @Test
  void whatWasNotAskedForIsRefused(@TempDir Path directory) throws IOException {
    IndexModel model = new IndexModel(2);
    model.add(CONTENTS, "a".getBytes(UTF_8), List.of(new Posting(1, 2, 3, 3)));
    model.write(directory);
    try (InvertedIndex index = InvertedIndex.open(directory)) {
      TermCursor terms = index.terms(CONTENTS);
      assertThatThrownBy(() -> terms.postings(null, Detail.POSITIONS))
          .isInstanceOf(IllegalStateException.class);
      assertThat(terms.next()).isTrue();
      PostingList list = terms.postings(null, Detail.FREQUENCIES);
      assertThat(list.nextDoc()).isEqualTo(1);
      assertThat(list.freq()).isEqualTo(2);
      assertThatThrownBy(list::nextPosition).isInstanceOf(IllegalStateException.class);
      PostingList positions = terms.postings(null, Detail.POSITIONS);
      positions.nextDoc();
      assertThat(positions.nextPosition() + positions.nextPosition()).isEqualTo(6);
      assertThatThrownBy(positions::nextPosition).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> positions.advance(1)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> index.length(IndexModel.ID, 0))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
