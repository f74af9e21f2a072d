package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.export.lucene.schema.DocumentRange;
import io.kmodel.indexer.index.model.PostingsCursor;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Walks a {@link PostingsCursor} once and stops only at terms that have a document in a range.
 * Returns documents relative to the range's start, block by block, without allocating anything per
 * term or posting. Positions of skipped documents are dropped. Without a range, nothing of a list
 * is read before {@link #nextDocs}, and only that method returns postings. Memory: 5 KiB and the
 * cursor. Not thread-safe.
 */
final class PostingsStream implements AutoCloseable {
  private final PostingsCursor cursor;

  /** Whether there is no range; blocks then come straight from the cursor. */
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

  /** Unread positions of skipped documents before those of the current document. */
  private long unread;

  /** Unread positions of the documents returned by {@link #nextDocs}. */
  private long unasked;

  private boolean ended;

  PostingsStream(PostingsCursor cursor, DocumentRange range) {
    this.cursor = cursor;
    this.isWhole = false;
    this.range = range;
  }

  /** A stream of all documents of a cursor. */
  PostingsStream(PostingsCursor cursor) {
    this.cursor = cursor;
    this.isWhole = true;
    this.range = new DocumentRange(0, Integer.MAX_VALUE);
  }

  /**
   * Moves to the next term with a document in the range, and to the first such document.
   *
   * @throws ClosedByInterruptException if the thread is interrupted; checked here, because many
   *     terms may be encoded before a channel is written, which would notice
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
   * Returns the next documents of the term in the range, starting with the first, like {@link
   * PostingsCursor#nextDocs}.
   *
   * @param docs receives documents relative to the range; {@link PostingsCursor#BLOCK} long, like
   *     freqs
   */
  int nextDocs(int[] docs, int[] freqs) throws IOException {
    return isWhole ? cursor.nextDocs(docs, freqs) : nextDocsInRange(docs, freqs);
  }

  /** Returns further positions of these documents, for a field that has positions. */
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
      // All further documents are after the range.
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
    // Also copies the columns of offsets if there are none, which is harmless.
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
