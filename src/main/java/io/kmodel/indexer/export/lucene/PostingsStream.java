package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.Detail;
import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.index.PostingsSource;
import java.io.IOException;
import org.apache.lucene.codecs.BlockTermState;
import org.apache.lucene.codecs.PushPostingsWriterBase;
import org.jspecify.annotations.Nullable;

/**
 * Walks a {@link PostingsCursor} once, and stops only at terms that have a document in a range.
 * Documents are handed out relative to the range's start, block by block out of the cursor, with
 * nothing allocated for a term or a posting. Positions of documents that are passed over are
 * dropped. Of a {@link PostingsSource} whose documents are all in the range nothing is read before
 * {@link #push}. Memory: 5 KiB and the cursor. Not thread-safe.
 */
final class PostingsStream implements TermStream {
  /** The document after the last one of a term. */
  static final int END = Integer.MAX_VALUE;

  private final PostingsCursor cursor;

  /** The cursor, where it can push and all of its documents are in the range. */
  private final @Nullable PostingsSource source;

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

  private int freqLeft;
  private int position;

  /** Of the occurrence handed out last. */
  private int startOffset;

  private int endOffset;
  private boolean ended;

  PostingsStream(PostingsCursor cursor, DocumentRange range) {
    this.cursor = cursor;
    this.source = null;
    this.range = range;
  }

  /** All documents of a cursor. */
  PostingsStream(PostingsCursor cursor) {
    this.cursor = cursor;
    this.source = cursor instanceof PostingsSource pushing ? pushing : null;
    this.range = new DocumentRange(0, END);
  }

  /** Moves to the next term with a document in the range, and onto the first such document. */
  @Override
  public boolean nextTerm() throws IOException {
    while (!ended) {
      if (!cursor.nextTerm()) {
        ended = true;
      } else if (source != null || firstDoc()) {
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
    return new StreamedPostings(this, detail);
  }

  /** Documents of the term in the whole index. */
  int docFreq() {
    return cursor.docFreq();
  }

  /** The current document, relative to the range; {@link #END} after the last one. */
  int docId() {
    return count == 0 || docs[at] >= range.to() ? END : docs[at] - range.from();
  }

  int freq() {
    return freqs[at];
  }

  /** Moves to the next document of the term and returns {@link #docId}; not at the end. */
  int nextDoc() throws IOException {
    unread += freqLeft;
    if (++at == count) {
      nextBlock();
    }
    startDoc();
    return docId();
  }

  /** The next position of the current document, at most {@link #freq()} times. */
  int nextPosition() throws IOException {
    skipUnread();
    fillPositions();
    freqLeft--;
    position += deltas[deltaAt++];
    return position;
  }

  /** The same with its offsets, for a field that has such. */
  int nextOccurrence() throws IOException {
    int next = nextPosition();
    startOffset += deltas[PostingsCursor.STARTS + deltaAt - 1];
    endOffset = startOffset + deltas[PostingsCursor.LENGTHS + deltaAt - 1];
    return next;
  }

  /** Where the position that {@link #nextOccurrence} returned last starts. */
  int startOffset() {
    return startOffset;
  }

  int endOffset() {
    return endOffset;
  }

  /**
   * Hands the documents of the current term, from the current one on, to a writer of Lucene's and
   * stands at {@link #END} then. This moves whole arrays where {@link #nextDoc} and {@link
   * #nextPosition} are called for every posting.
   *
   * @param detail what the field records
   * @param state gets the number of documents and of occurrences
   */
  void push(PushPostingsWriterBase out, Detail detail, BlockTermState state) throws IOException {
    if (source != null) {
      new Pusher(out, state).push(source);
      return;
    }
    boolean positions = detail.hasPositions();
    boolean offsets = detail.hasOffsets();
    if (positions) {
      skipUnread();
    }
    int docFreq = 0;
    long totalTermFreq = 0;
    do {
      int start = at;
      for (; at < count && docs[at] < range.to(); at++) {
        int freq = freqs[at];
        out.startDoc(docs[at] - range.from(), freq);
        if (offsets) {
          pushOccurrences(out, freq);
        } else if (positions) {
          pushPositions(out, freq);
        }
        out.finishDoc();
        totalTermFreq += freq;
      }
      docFreq += at - start;
      if (at < count) {
        count = 0;
      } else {
        nextBlock();
      }
    } while (count > 0);
    freqLeft = 0;
    state.docFreq = docFreq;
    state.totalTermFreq = totalTermFreq;
  }

  @Override
  public void close() throws IOException {
    cursor.close();
  }

  private void pushPositions(PushPostingsWriterBase out, int freq) throws IOException {
    int pushed = 0;
    for (int left = freq; left > 0; ) {
      fillPositions();
      int end = deltaAt + Math.min(left, deltaCount - deltaAt);
      left -= end - deltaAt;
      while (deltaAt < end) {
        pushed += deltas[deltaAt++];
        out.addPosition(pushed, null, -1, -1);
      }
    }
  }

  private void pushOccurrences(PushPostingsWriterBase out, int freq) throws IOException {
    int pushed = 0;
    int start = 0;
    for (int left = freq; left > 0; left--) {
      fillPositions();
      pushed += deltas[deltaAt];
      start += deltas[PostingsCursor.STARTS + deltaAt];
      int end = start + deltas[PostingsCursor.LENGTHS + deltaAt];
      deltaAt++;
      out.addPosition(pushed, null, start, end);
    }
  }

  /** Counts what it hands on. */
  private static final class Pusher implements PostingsSource.Sink {
    private final PushPostingsWriterBase out;
    private final BlockTermState state;
    private int docFreq;
    private long totalTermFreq;

    Pusher(PushPostingsWriterBase out, BlockTermState state) {
      this.out = out;
      this.state = state;
    }

    void push(PostingsSource from) throws IOException {
      from.push(this, 0);
      state.docFreq = docFreq;
      state.totalTermFreq = totalTermFreq;
    }

    @Override
    public void document(int docId, int freq) throws IOException {
      docFreq++;
      totalTermFreq += freq;
      out.startDoc(docId, freq);
    }

    @Override
    public void position(int position) throws IOException {
      out.addPosition(position, null, -1, -1);
    }

    @Override
    public void occurrence(int position, int start, int end) throws IOException {
      out.addPosition(position, null, start, end);
    }

    @Override
    public void endDocument() throws IOException {
      out.finishDoc();
    }
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
