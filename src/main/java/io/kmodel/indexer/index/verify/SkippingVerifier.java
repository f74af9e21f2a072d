package io.kmodel.indexer.index.verify;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.TermCursor;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.postings.PostingList;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares what searches read with what a sequential walk reads. It looks up every term and reads
 * its list with two readers: one skips to the even blocks, the other to the odd ones. This uses
 * every entry of a skip table and compares everything after it. Memory: 300 KiB and the longest
 * term. Not thread-safe.
 */
final class SkippingVerifier {
  /** Terms between two progress reports. */
  private static final int REPORT_TERMS = 1 << 12;

  private final InvertedIndex index;
  private final List<TermCursor> terms = new ArrayList<>();
  private final @Nullable PostingList[] lists = new @Nullable PostingList[2];
  private final int[] docs = new int[PostingsCursor.BLOCK];
  private final int[] freqs = new int[PostingsCursor.BLOCK];
  private final int[] deltas = new int[PostingsCursor.COLUMNS];
  private int nextDelta;
  private int deltaCount;

  /** Number of the current term, over all fields. */
  private long term = -1;

  public SkippingVerifier(InvertedIndex index) throws IOException {
    this.index = index;
    for (int field = 0; field < index.schema().size(); field++) {
      terms.add(index.terms(field));
    }
  }

  /**
   * Reads everything twice.
   *
   * @param progress receives the number of terms done since the last call
   * @return the number of terms
   */
  public long verify(LongConsumer progress) throws IOException {
    try (PostingsCursor walk = index.cursor()) {
      while (walk.nextTerm()) {
        term++;
        int field = walk.term()[0] & 0xFF;
        lookUp(walk, terms.get(field));
        compare(walk, index.schema().field(field).detail());
        if ((term + 1) % REPORT_TERMS == 0) {
          Interruption.requireNone();
          progress.accept(REPORT_TERMS);
        }
      }
    }
    return term + 1;
  }

  private void lookUp(PostingsCursor walk, TermCursor found) throws IOException {
    TermCursor.Seek seek = found.seek(walk.term(), 1, walk.termLength() - 1);
    if (seek != TermCursor.Seek.FOUND) {
      throw index
          .file(IndexFiles.TERM_INDEX)
          .corrupt("looking up term %d returns %s".formatted(term, seek));
    }
    if (found.docFreq() != walk.docFreq() || found.totalTermFreq() != walk.totalTermFreq()) {
      throw index
          .file(IndexFiles.DICTIONARY)
          .corrupt(
              "looking up term %d finds %d documents and %d occurrences, expected %d and %d"
                  .formatted(
                      term,
                      found.docFreq(),
                      found.totalTermFreq(),
                      walk.docFreq(),
                      walk.totalTermFreq()));
    }
    for (int i = 0; i < lists.length; i++) {
      lists[i] = found.postings(lists[i], Detail.OFFSETS);
    }
  }

  private void compare(PostingsCursor walk, Detail detail) throws IOException {
    int block = 0;
    for (int n = walk.nextDocs(docs, freqs); n > 0; n = walk.nextDocs(docs, freqs)) {
      PostingList list = list(block & 1);
      nextDelta = 0;
      deltaCount = 0;
      for (int i = 0; i < n; i++) {
        int doc = i == 0 ? list.advance(docs[0]) : list.nextDoc();
        if (doc != docs[i] || list.freq() != freqs[i]) {
          throw differs(block, "document %d".formatted(doc), "document %d".formatted(docs[i]));
        }
        if (detail.hasPositions()) {
          comparePositions(walk, list, i, block, detail.hasOffsets());
        }
      }
      block++;
    }
  }

  private PostingList list(int which) {
    PostingList list = lists[which];
    if (list == null) {
      throw new IllegalStateException("no term was looked up");
    }
    return list;
  }

  private void comparePositions(
      PostingsCursor walk, PostingList list, int i, int block, boolean offsets) throws IOException {
    int position = 0;
    int start = 0;
    for (int left = freqs[i]; left > 0; left--) {
      if (nextDelta == deltaCount) {
        deltaCount = walk.nextPositions(deltas);
        nextDelta = 0;
      }
      int at = nextDelta++;
      position += deltas[at];
      int found = list.nextPosition();
      if (found != position) {
        throw differs(
            block,
            "position %d in document %d".formatted(found, docs[i]),
            "position %d".formatted(position));
      }
      if (offsets) {
        start += deltas[PostingsCursor.STARTS + at];
        compareOffsets(list, start, start + deltas[PostingsCursor.LENGTHS + at], block);
      }
    }
  }

  private void compareOffsets(PostingList list, int start, int end, int block) throws IOException {
    if (list.startOffset() != start || list.endOffset() != end) {
      throw differs(
          block,
          "offsets %d to %d in document %d"
              .formatted(list.startOffset(), list.endOffset(), list.docId()),
          "offsets %d to %d".formatted(start, end));
    }
  }

  private CorruptIndexException differs(int block, String found, String expected)
      throws CorruptIndexException {
    return index
        .file(IndexFiles.DOCS)
        .corrupt(
            "block %d of the list of term %d, when skipped to, has %s, expected %s or its frequency"
                .formatted(block, term, found, expected));
  }
}
