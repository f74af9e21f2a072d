package io.kmodel.indexer.index.postings;

import java.io.IOException;

/**
 * One term's documents, ascending, with skipping: {@link #advance} finds the target's block by
 * searching the list's skip table. Not thread-safe.
 */
public interface PostingList {
  /** The docId after the last one. */
  int END = Integer.MAX_VALUE;

  /** -1 before the first call of {@link #nextDoc} or {@link #advance}, {@link #END} at the end. */
  int docId();

  /** Moves to the next document; returns {@link #END} again if already at the end. */
  int nextDoc() throws IOException;

  /** Moves to the first document at or above target, which must be above {@link #docId()}. */
  int advance(int target) throws IOException;

  /** Occurrences in the current document. */
  int freq() throws IOException;

  /** The next position in the current document; at most {@link #freq()} calls. */
  int nextPosition() throws IOException;

  /**
   * Start offset in the text of the position returned last, in UTF-16 units; -1 if the list has no
   * offsets or they were not requested.
   */
  int startOffset();

  /** End offset of that position; never before its start. */
  int endOffset();

  /** The number of documents in the list. */
  int cost();
}
