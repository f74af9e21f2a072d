package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.Detail;
import io.kmodel.indexer.index.PostingsCursor;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Walks a {@link PostingsCursor} once and stops only at terms that have a document in a range.
 * Returns documents relative to the range's start, block by block, without allocating anything per
 * term or posting. Positions of skipped documents are dropped. Without a range, nothing of a list
 * is read before {@link #nextDocs}, and only that method returns postings. Memory: 5 KiB and the
 * cursor. Not thread-safe.
 */
final class PostingsStream implements TermStream {
  /** The docId after a term's last document. */
  static final int END = Integer.MAX_VALUE;

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

  private int freqLeft;
  private int position;

  /** Unread positions of the documents returned by {@link #nextDocs}. */
  private long unasked;

  /** Offsets of the last occurrence returned. */
  private int startOffset;

  private int endOffset;
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
    this.range = new DocumentRange(0, END);
  }

  /**
   * Moves to the next term with a document in the range, and to the first such document.
   *
   * @throws ClosedByInterruptException if the thread is interrupted; checked here, because many
   *     terms may be encoded before a channel is written, which would notice
   */
  @Override
  public boolean nextTerm() throws IOException {
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

  @Override
  public byte[] term() {
    return cursor.term();
  }

  @Override
  public int termLength() {
    return cursor.termLength();
  }

  @Override
  public StreamedPostings newPostings(Detail detail) {
    if (isWhole) {
      throw new UnsupportedOperationException("without a range, postings are only read in blocks");
    }
    return new StreamedPostings(this, detail);
  }

  /** Number of the term's documents in the whole index. */
  int docFreq() {
    return cursor.docFreq();
  }

  /** The current document relative to the range; {@link #END} after the last one. */
  int docId() {
    return count == 0 || docs[at] >= range.to() ? END : docs[at] - range.from();
  }

  int freq() {
    return freqs[at];
  }

  /**
   * Moves to the term's next document and returns {@link #docId}; must not be called at the end.
   */
  int nextDoc() throws IOException {
    unread += freqLeft;
    if (++at == count) {
      nextBlock();
    }
    startDoc();
    return docId();
  }

  /** The next position in the current document; at most {@link #freq()} calls. */
  int nextPosition() throws IOException {
    skipUnread();
    fillPositions();
    freqLeft--;
    position += deltas[deltaAt++];
    return position;
  }

  /** The same with offsets, for a field that has offsets. */
  int nextOccurrence() throws IOException {
    int next = nextPosition();
    startOffset += deltas[PostingsCursor.STARTS + deltaAt - 1];
    endOffset = startOffset + deltas[PostingsCursor.LENGTHS + deltaAt - 1];
    return next;
  }

  /** Start offset of the last position returned by {@link #nextOccurrence}. */
  int startOffset() {
    return startOffset;
  }

  int endOffset() {
    return endOffset;
  }

  /**
   * Returns the next documents of the term in the range, starting with the first, like {@link
   * PostingsCursor#nextDocs}. Must not be mixed with {@link #nextDoc} within a term.
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

  private boolean firstDoc() throws IOException {
    do {
      nextBlock();
    } while (count > 0 && docs[count - 1] < range.from());
    startDoc();
    while (count > 0 && docs[at] < range.from()) {
      nextDoc();
    }
    return docId() != END;
  }

  private void nextBlock() throws IOException {
    count = cursor.nextDocs(docs, freqs);
    at = 0;
    deltaAt = 0;
    deltaCount = 0;
    unread = 0;
  }

  private void startDoc() {
    freqLeft = count == 0 ? 0 : freqs[at];
    position = 0;
    startOffset = 0;
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
