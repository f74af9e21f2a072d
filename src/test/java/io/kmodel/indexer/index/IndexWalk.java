package io.kmodel.indexer.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.postings.PostingList;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads all that an index holds, in every way there is, and wants it to be possible: terms and
 * documents ascend, frequencies are positive, positions do not descend. Stops at the first
 * CorruptIndexException.
 */
final class IndexWalk {
  private IndexWalk() {}

  /** Front to back. */
  static void sequential(InvertedIndex index) throws IOException {
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    int[] deltas = new int[PostingsCursor.COLUMNS];
    byte[] last = {};
    try (PostingsCursor cursor = index.cursor()) {
      while (cursor.nextTerm()) {
        byte[] term = Arrays.copyOf(cursor.term(), cursor.termLength());
        assertThat(Arrays.compareUnsigned(term, last)).as("order of terms").isPositive();
        last = term;
        int lastDoc = -1;
        for (int n = cursor.nextDocs(docs, freqs); n > 0; n = cursor.nextDocs(docs, freqs)) {
          for (int i = 0; i < n; i++) {
            assertThat(docs[i]).isGreaterThan(lastDoc);
            assertThat(freqs[i]).isPositive();
            lastDoc = docs[i];
          }
          for (int p = cursor.nextPositions(deltas); p > 0; p = cursor.nextPositions(deltas)) {
            assertThat(Arrays.stream(deltas, 0, p).min().orElse(0)).isNotNegative();
          }
        }
        assertThat(lastDoc).isLessThan(index.documentCount());
      }
    }
  }

  /** Every list of a field with steps of some documents, then the seeks to its terms. */
  static void seekAndAdvance(InvertedIndex index, int field, int step) throws IOException {
    TermCursor terms = index.terms(field);
    TermCursor sought = index.terms(field);
    PostingList list = null;
    while (terms.next()) {
      list = terms.postings(list, Detail.POSITIONS);
      advance(index, list, index.schema().field(field).detail(), step);
      byte[] term =
          Arrays.copyOfRange(
              terms.term(), terms.termOffset(), terms.termOffset() + terms.termLength());
      sought.seek(term, 0, term.length);
    }
  }

  private static void advance(InvertedIndex index, PostingList list, Detail detail, int step)
      throws IOException {
    int i = step & 15;
    for (int doc = list.docId(); doc != PostingList.END; i++) {
      int before = doc;
      int target = doc + 1 + (i & 3) * (i & 63);
      doc = i % 3 == 0 ? list.nextDoc() : list.advance(target);
      assertThat(doc).isGreaterThan(before);
      if (doc != PostingList.END) {
        assertThat(doc).isLessThan(index.documentCount());
        assertThat(list.freq()).isPositive();
        if (detail.hasPositions()) {
          positions(list, Math.min(list.freq(), 3));
        }
      }
    }
  }

  private static void positions(PostingList list, int count) throws IOException {
    int last = 0;
    for (int p = 0; p < count; p++) {
      int position = list.nextPosition();
      assertThat(position).isGreaterThanOrEqualTo(last);
      last = position;
    }
  }

  /** The lengths of all documents. */
  static void lengths(InvertedIndex index) throws IOException {
    for (int field = 0; field < index.schema().size(); field++) {
      for (int doc = 0;
          index.schema().field(field).tokenized() && doc < index.documentCount();
          doc++) {
        assertThat(index.length(field, doc)).isNotNegative();
      }
    }
  }
}
