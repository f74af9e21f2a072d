package io.kmodel.indexer.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.terms.TermBlocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cursor that passes over documents hands out all others as one that does not. */
class CursorFromDocumentTest {
  private static final int DOCUMENTS = 2000;

  @TempDir Path directory;

  @BeforeEach
  void write() throws IOException {
    Random random = new Random(11);
    IndexModel model = new IndexModel(DOCUMENTS);
    for (int docFreq : new int[] {1, 2, 100, 255, 256, 257, 511, 512, 513, 1024, 1900, 2000}) {
      for (int field : new int[] {IndexModel.CONTENTS, IndexModel.TITLE, IndexModel.TAGS}) {
        byte[] term = ("term" + docFreq).getBytes(UTF_8);
        model.add(field, term, model.randomPostings(random, field, docFreq));
      }
    }
    model.write(directory.resolve("index"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 255, 256, 257, 700, 1024, 1744, 1999, 2000})
  void documentsFromOneOnAreThoseOfTheWholeIndex(int firstDoc) throws IOException {
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("index"));
        PostingsCursor whole = index.cursor();
        PostingsCursor rest = index.cursor(firstDoc)) {
      Map<String, List<String>> actual = read(rest, firstDoc);
      assertThat(actual).isEqualTo(read(whole, firstDoc)).hasSizeGreaterThan(DOCUMENTS);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 5000, 50_000, Long.MAX_VALUE / 2})
  void rangesOfTermsMakeTheWholeIndex(long bytes) throws IOException {
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("index"));
        PostingsCursor whole = index.cursor()) {
      Map<String, List<String>> actual = new TreeMap<>();
      long end = 0;
      for (TermBlocks terms : index.cutTerms(bytes)) {
        assertThat(terms.from()).isEqualTo(end);
        assertThat(terms.bytes() <= bytes || terms.to() == terms.from() + 1).isTrue();
        end = terms.to();
        try (PostingsCursor cursor = index.cursor(terms, 0)) {
          Map<String, List<String>> part = read(cursor, 0);
          assertThat(part).hasSizeLessThanOrEqualTo(32 * (int) (terms.to() - terms.from()));
          actual.putAll(part);
        }
      }
      assertThat(actual).isEqualTo(read(whole, 0)).hasSizeGreaterThan(DOCUMENTS);
    }
  }

  /** They take work and memory, whoever goes through them: their postings are next to nothing. */
  @Test
  void rangesOfLongTermsHaveFew() throws IOException {
    Random random = new Random(13);
    IndexModel model = new IndexModel(1);
    for (int i = 0; i < 400; i++) {
      byte[] term = new byte[5000];
      random.nextBytes(term);
      model.add(IndexModel.TAGS, term, List.of(new IndexModel.Posting(0, 1)));
    }
    Path written = directory.resolve("long");
    model.write(written);
    try (InvertedIndex index = InvertedIndex.open(written)) {
      List<TermBlocks> ranges = index.cutTerms(1 << 19);
      assertThat(ranges).hasSize(5);
      for (TermBlocks terms : ranges) {
        try (PostingsCursor cursor = index.cursor(terms, 0)) {
          long bytes = 0;
          while (cursor.nextTerm()) {
            bytes += cursor.termLength();
          }
          assertThat(bytes).isLessThanOrEqualTo(terms.bytes()).isLessThanOrEqualTo(1 << 19);
        }
      }
    }
  }

  @Test
  void wholeBlocksOfEarlierDocumentsAreNotHandedOut() throws IOException {
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("index"));
        PostingsCursor cursor = index.cursor(DOCUMENTS - 1)) {
      int[] docs = new int[PostingsCursor.BLOCK];
      int[] freqs = new int[PostingsCursor.BLOCK];
      while (cursor.nextTerm()) {
        long handedOut = 0;
        for (int n; (n = cursor.nextDocs(docs, freqs)) > 0; ) {
          handedOut += n;
        }
        assertThat(handedOut).isLessThanOrEqualTo(PostingsCursor.BLOCK);
      }
    }
  }

  /** Every term's documents from one on, with frequencies and gaps, as text. */
  private static Map<String, List<String>> read(PostingsCursor cursor, int firstDoc)
      throws IOException {
    Map<String, List<String>> terms = new TreeMap<>();
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    while (cursor.nextTerm()) {
      List<String> postings = new ArrayList<>();
      for (int n; (n = cursor.nextDocs(docs, freqs)) > 0; ) {
        List<Integer> gaps = gaps(cursor);
        int at = 0;
        for (int i = 0; i < n; i++) {
          int end = gaps.isEmpty() ? 0 : at + freqs[i];
          if (docs[i] >= firstDoc) {
            postings.add(docs[i] + "*" + freqs[i] + gaps.subList(at, end));
          }
          at = end;
        }
        assertThat(at).isEqualTo(gaps.size());
      }
      terms.put(Arrays.toString(Arrays.copyOf(cursor.term(), cursor.termLength())), postings);
    }
    return terms;
  }

  private static List<Integer> gaps(PostingsCursor cursor) throws IOException {
    List<Integer> gaps = new ArrayList<>();
    int[] deltas = new int[PostingsCursor.COLUMNS];
    for (int n; (n = cursor.nextPositions(deltas)) > 0; ) {
      for (int i = 0; i < n; i++) {
        gaps.add(deltas[i]);
      }
    }
    return gaps;
  }
}
