package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.PostingsCursor;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Walks a {@link PostingsCursor} once, and stops only at terms that have a document in a range.
 * Documents are handed out relative to the range's start, block by block out of the cursor, with
 * nothing allocated for a term or a posting. Positions of documents that are passed over are
 * dropped. Without a range nothing is read of a list before {@link #nextDocs}, and postings are
 * only handed out by that. Memory: 5 KiB and the cursor. Not thread-safe.
 */
final class PostingsStream implements AutoCloseable {
  private final PostingsCursor cursor;

  /** Whether there is no range: then blocks come straight from the cursor. */
  private final boolean isWhole;

  private final DocumentRange range;
  private final int[] docs = new int[PostingsCursor.BLOCK];
  private final int[] freqs = new int[PostingsCursor.BLOCK];
  private final int[] deltas = new int[PostingsCursor.COLUMNS];

  /** The current document is docs[at], of count in the block. */
  private int at;

  private int count;

  /** The next delta is deltas[deltaAt], of deltaCount in the buffer. */
  private int deltaAt;

  private int deltaCount;

  /** Positions of documents passed over that come before those of the current document. */
  private long unread;

  /** Positions of the documents that {@link #nextDocs} handed out which were not asked for. */
  private long unasked;

  private boolean ended;

  PostingsStream(PostingsCursor cursor, DocumentRange range) {
    this.cursor = cursor;
    this.isWhole = false;
    this.range = range;
  }

  /** All documents of a cursor. */
  PostingsStream(PostingsCursor cursor) {
    this.cursor = cursor;
    this.isWhole = true;
    this.range = new DocumentRange(0, Integer.MAX_VALUE);
  }

  /**
   * Moves to the next term with a document in the range, and onto the first such document.
   *
   * @throws ClosedByInterruptException if the thread is interrupted: many terms may be encoded
   *     before anything is written, where a channel would notice
   */
  boolean nextTerm() throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new ClosedByInterruptException();
    }
    while (!ended) {
      if (!cursor.nextTerm()) {
        ended = true;
      } else if (isWhole || firstDoc()) {
        return true;
      }
    }
    return false;
  }

  /** The term key, in its first {@link #termLength} bytes; valid until {@link #nextTerm}. */
  byte[] term() {
    return cursor.term();
  }

  int termLength() {
    return cursor.termLength();
  }

  /**
   * Hands out the next documents of the term in the range, from the first on, as {@link
   * PostingsCursor#nextDocs} does.
   *
   * @param docs gets them, relative to the range; {@link PostingsCursor#BLOCK} long, as freqs
   */
  int nextDocs(int[] docs, int[] freqs) throws IOException {
    return isWhole ? cursor.nextDocs(docs, freqs) : nextDocsInRange(docs, freqs);
  }

  /** Hands out further positions of these documents, of a field that has such, likewise. */
  int nextPositions(int[] deltas) throws IOException {
    return isWhole ? cursor.nextPositions(deltas) : nextPositionsInRange(deltas);
  }

  private int nextDocsInRange(int[] toDocs, int[] toFreqs) throws IOException {
    if (at == count && count > 0) {
      nextBlock();
    }
    int n = 0;
    unasked = 0;
    for (; at < count && docs[at] < range.to(); at++) {
      toDocs[n] = docs[at] - range.from();
      toFreqs[n] = freqs[at];
      unasked += freqs[at];
      n++;
    }
    if (at < count) {
      // All that follow are behind the range.
      at = 0;
      count = 0;
    }
    return n;
  }

  private int nextPositionsInRange(int[] to) throws IOException {
    if (unasked == 0) {
      return 0;
    }
    skipUnread();
    fillPositions();
    int n = (int) Math.min(unasked, deltaCount - deltaAt);
    // Where there are no offsets, their columns are copied for nothing, and the caller has them.
    for (int column = 0; column < to.length; column += PostingsCursor.BLOCK) {
      System.arraycopy(deltas, column + deltaAt, to, column, n);
    }
    deltaAt += n;
    unasked -= n;
    return n;
  }

  @Override
  public void close() throws IOException {
    cursor.close();
  }

  /** Moves to the first document of the term in the range; false if there is none. */
  private boolean firstDoc() throws IOException {
    do {
      nextBlock();
    } while (count > 0 && docs[count - 1] < range.from());
    while (count > 0 && docs[at] < range.from()) {
      unread += freqs[at++];
    }
    return count > 0 && docs[at] < range.to();
  }

  private void nextBlock() throws IOException {
    count = cursor.nextDocs(docs, freqs);
    at = 0;
    deltaAt = 0;
    deltaCount = 0;
    unread = 0;
  }

  private void skipUnread() throws IOException {
    while (unread > 0) {
      fillPositions();
      int n = (int) Math.min(unread, deltaCount - deltaAt);
      deltaAt += n;
      unread -= n;
    }
  }

  private void fillPositions() throws IOException {
    if (deltaAt == deltaCount) {
      deltaCount = cursor.nextPositions(deltas);
      deltaAt = 0;
      if (deltaCount == 0) {
        throw new IllegalStateException("a document has fewer positions than its frequency");
      }
    }
  }
}
