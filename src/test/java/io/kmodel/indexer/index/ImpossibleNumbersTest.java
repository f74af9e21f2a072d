package io.kmodel.indexer.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.index.IndexModel.Posting;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.verify.IndexVerifier;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.SealedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Numbers that no writer writes, under right checksums. The largest number that is written takes
 * five bytes and ends in 07; with 0f there it is negative.
 */
class ImpossibleNumbersTest {
  private static final int BLOCK = PostingsCursor.BLOCK;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    // Field, number of positions, how many numbers of five bytes these have.
    "contents, 1, 1",
    "contents, 256, 1",
    "where, 1, 2",
    "where, 256, 3"
  })
  void aPositionGapOrAnOffsetThatIsNegativeIsCorrupt(String field, int count, int numbers)
      throws IOException {
    int[] columns = new int[PostingsCursor.COLUMNS];
    columns[0] = Integer.MAX_VALUE;
    columns[PostingsCursor.STARTS] = Integer.MAX_VALUE;
    Arrays.fill(columns, PostingsCursor.LENGTHS, columns.length, Integer.MAX_VALUE);
    write(IndexModel.SCHEMA.ordinal(field), new int[] {0}, new int[] {count}, columns);
    assertCorrupt(IndexFiles.POSITIONS, numbers, "negative position gap or offset before");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 255, 256, 300})
  void aFrequencyThatIsNegativeIsCorrupt(int documents) throws IOException {
    int[] docs = new int[documents];
    int[] freqs = new int[documents];
    Arrays.setAll(docs, i -> i);
    Arrays.fill(freqs, 1);
    freqs[1] = Integer.MAX_VALUE;
    write(IndexModel.TITLE, docs, freqs, new int[0]);
    assertCorrupt(IndexFiles.DOCS, 1, "frequency above 2^31 - 1 before");
  }

  /** It went on to whoever computes norms, which have no place in their table for it. */
  @Test
  void aLengthThatIsNegativeIsCorrupt() throws IOException {
    new IndexModel(3).write(directory);
    byte[] lengths = {-1, -1, -1, 127, 0, 0, 0, -128, -1, -1, -1, -1};
    String file = "lengths.contents";
    AlteredIndex.replaceBody(directory, file, lengths);
    try (InvertedIndex index = InvertedIndex.open(directory)) {
      assertThat(index.length(IndexModel.CONTENTS, 0)).isEqualTo(Integer.MAX_VALUE);
      for (int doc : new int[] {1, 2}) {
        assertThatThrownBy(() -> index.length(IndexModel.CONTENTS, doc))
            .isInstanceOf(CorruptIndexException.class)
            .hasMessageContaining(file)
            .hasMessageContaining("length of document %d at offset".formatted(doc));
      }
    }
  }

  /** Each gap is one that a writer may write; only their sum is not. */
  @ParameterizedTest
  @CsvSource({
    "contents, 1, 0, has position 2147483648 in document 0",
    "where, 0, 1, has an end at 2147483648 in document 0"
  })
  void aSumOfGapsThatNoIntHoldsIsFound(String field, int gap, int length, String message)
      throws IOException {
    int[] columns = new int[PostingsCursor.COLUMNS];
    columns[gap == 0 ? PostingsCursor.STARTS : 0] = Integer.MAX_VALUE;
    columns[1] = gap;
    columns[PostingsCursor.LENGTHS] = length;
    write(IndexModel.SCHEMA.ordinal(field), new int[] {0}, new int[] {2}, columns);
    assertThatThrownBy(() -> IndexVerifier.verify(directory, ProgressListener.NONE))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining(IndexFiles.POSITIONS)
        .hasMessageContaining(message);
  }

  /** Has one term in a field, beside the ids of 300 documents. */
  private void write(int field, int[] docs, int[] freqs, int[] columns) throws IOException {
    byte[] key = IndexModel.key(field, "term".getBytes(UTF_8));
    IndexModel model = new IndexModel(300);
    for (int doc : docs) {
      model.lengths[field][doc] = 1;
    }
    try (InvertedIndexWriter writer = new InvertedIndexWriter(directory, IndexModel.SCHEMA)) {
      try (PostingsPart part = writer.newPart()) {
        writeTerms(part, model.terms.headMap(key));
        part.startTerm(key, key.length);
        for (int from = 0; from < docs.length; from += BLOCK) {
          int to = Math.min(docs.length, from + BLOCK);
          part.docs(
              Arrays.copyOfRange(docs, from, to), Arrays.copyOfRange(freqs, from, to), to - from);
        }
        if (columns.length > 0) {
          part.positions(columns, freqs[0]);
        }
        part.finishTerm();
        writeTerms(part, model.terms.tailMap(key));
        writer.append(part);
      }
      model.finish(writer, 300, 300);
    }
    readAll();
  }

  private static void writeTerms(PostingsPart part, SortedMap<byte[], List<Posting>> terms)
      throws IOException {
    for (Map.Entry<byte[], List<Posting>> term : terms.entrySet()) {
      IndexModel.writeTerm(part, term.getKey(), term.getValue(), BLOCK);
    }
  }

  private void assertCorrupt(String file, int numbers, String message) throws IOException {
    byte[] body = SealedFiles.body(directory.resolve(file), file);
    int found = 0;
    for (int at = 0; at + 5 <= body.length; at++) {
      if (isLargest(body, at)) {
        byte[] altered = body.clone();
        altered[at + 4] = 0x0F;
        AlteredIndex.replaceBody(directory, file, altered);
        assertThatThrownBy(this::readAll)
            .as("number at %d", at)
            .isInstanceOf(CorruptIndexException.class)
            .hasMessageContaining(file)
            .hasMessageContaining(message);
        found++;
      }
    }
    assertThat(found).isEqualTo(numbers);
  }

  /** Frequencies are written less one or two. */
  private static boolean isLargest(byte[] body, int at) {
    return (body[at] & 0xFF) >= 0xFD
        && body[at + 1] == -1
        && body[at + 2] == -1
        && body[at + 3] == -1
        && body[at + 4] == 7;
  }

  private void readAll() throws IOException {
    try (InvertedIndex index = InvertedIndex.open(directory)) {
      IndexWalk.sequential(index);
    }
  }
}
