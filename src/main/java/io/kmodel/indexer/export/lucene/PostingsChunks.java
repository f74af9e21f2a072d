package io.kmodel.indexer.export.lucene;

import com.google.common.base.Throwables;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.index.TermBlocks;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.index.SegmentWriteState;
import org.jspecify.annotations.Nullable;

/**
 * The postings of one segment, encoded by as many threads as care to help and written by one. Terms
 * are cut into ranges, each taken by one thread. The writing thread, for which this is the stream
 * of all terms in order, appends what others have encoded, encodes the next range straight into its
 * own files where nobody has begun it, and helps where somebody has. Memory: encoded ranges of the
 * bytes that are given, and for each thread one of which it is not known yet what it takes; a long
 * list is not encoded ahead. {@link #help} is for any thread; all else, for the one that writes. A
 * helper's failure is thrown to the writing thread.
 */
final class PostingsChunks implements AutoCloseable {
  /** More than this ahead, threads do not work better together. */
  static final long AHEAD_BYTES = 32 << 20;

  /** The longest range that is encoded ahead. */
  private static final long MAX_BYTES = 8 << 20;

  private final PostingsRanges ranges;
  private final @Nullable DocumentRange documents;
  private final SegmentNorms norms;
  private final SegmentWriteState state;

  /** What may be under way or encoded beyond the range that is being written. */
  private final long aheadBytes;

  /** What was encoded, until it is taken; guarded by this, as all up to closed. */
  private final @Nullable EncodedTerms[] ready;

  /** The next range to be written. */
  private int next;

  /** The next range that no thread has taken; at least next. */
  private int unclaimed;

  /** Memory of the ranges from next on that were claimed: what they take or are thought to. */
  private long ahead;

  /** The same by range. */
  private final long[] memory;

  /** How many times its bytes the range takes that was encoded last: many, where terms are rare. */
  private double growth = 1;

  private @Nullable Throwable failure;
  private boolean closed;

  /** The range being written: one of these, none at first. */
  private @Nullable EncodedTerms encoded;

  private @Nullable PostingsStream live;

  private final int[] maxima = new int[PostingsOutputs.MAXIMA];

  PostingsChunks(
      PostingsRanges ranges,
      @Nullable DocumentRange documents,
      SegmentNorms norms,
      SegmentWriteState state,
      long aheadBytes) {
    this.aheadBytes = aheadBytes;
    this.ranges = ranges;
    this.documents = documents;
    this.norms = norms;
    this.state = state;
    this.ready = new EncodedTerms[ranges.count()];
    this.memory = new long[ranges.count()];
  }

  /** Ranges of about so many bytes, and never so many that they could not be encoded ahead. */
  static ImmutableList<TermBlocks> cut(InvertedIndex index, long bytes) throws IOException {
    return ImmutableList.copyOf(index.cutTerms(Math.min(bytes, MAX_BYTES / 2)));
  }

  /** Encodes ranges ahead of the writing thread until none is left. */
  void help() throws IOException {
    for (int range; (range = claimAhead()) >= 0; ) {
      encode(range);
    }
  }

  /** Moves to the next term; false at the end. */
  boolean nextTerm() throws IOException {
    do {
      if (live != null) {
        if (live.nextTerm()) {
          return true;
        }
        live.close();
        live = null;
      } else if (encoded != null) {
        if (encoded.nextTerm()) {
          return true;
        }
        encoded = null;
      }
    } while (nextRange());
    return false;
  }

  /** The term key, in its first {@link #termLength} bytes; valid until {@link #nextTerm}. */
  byte[] term() {
    return live != null ? live.term() : encoded().key();
  }

  int termLength() {
    return live != null ? live.termLength() : encoded().keyLength();
  }

  /** Writes the postings of the current term. */
  IntBlockTermState write(TermWriter writer, PostingsOutputs outputs) throws IOException {
    if (live != null) {
      return writer.write(live);
    }
    EncodedTerms terms = encoded();
    if (!terms.isAppended()) {
      writer.flush();
      terms.appendTo(outputs);
      raiseMaxima(terms.maxima());
    }
    return terms.nextState();
  }

  private EncodedTerms encoded() {
    EncodedTerms terms = encoded;
    if (terms == null) {
      throw new IllegalStateException("not on a term");
    }
    return terms;
  }

  /** Takes in the maxima of a writer, and returns those of all so far. */
  int[] raiseMaxima(int[] more) {
    for (int i = 0; i < maxima.length; i++) {
      maxima[i] = Math.max(maxima[i], more[i]);
    }
    return maxima;
  }

  /** Sends helpers home. */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    if (live != null) {
      live.close();
    }
  }

  /** Makes the next range the one being written; false after the last. */
  private boolean nextRange() throws IOException {
    while (true) {
      int other;
      synchronized (this) {
        throwFailure();
        if (next == ranges.count()) {
          return false;
        }
        if (ready[next] != null || unclaimed == next) {
          startNext();
          return true;
        }
        if (!claimable()) {
          await();
          continue;
        }
        other = claim();
      }
      encode(other);
    }
  }

  /** Takes the next range, which is encoded or claimed by nobody; the lock is held. */
  private void startNext() throws IOException {
    encoded = ready[next];
    ready[next] = null;
    if (encoded == null) {
      live = open(next);
      unclaimed++;
    } else {
      ahead -= memory[next];
    }
    next++;
    notifyAll();
  }

  /** The range to encode, -1 for none. */
  private synchronized int claimAhead() throws IOException {
    while (!closed && failure == null && unclaimed < ranges.count()) {
      if (claimable()) {
        return claim();
      }
      await();
    }
    return -1;
  }

  private boolean claimable() {
    return unclaimed < ranges.count()
        && ranges.bytes(unclaimed) <= MAX_BYTES
        // One at least, or it would never be known that ranges take less again.
        && (ahead == 0 || growth * ranges.bytes(unclaimed) <= aheadBytes - ahead);
  }

  /** Takes a claimable range; the lock is held. */
  private int claim() {
    memory[unclaimed] = (long) (growth * ranges.bytes(unclaimed));
    ahead += memory[unclaimed];
    return unclaimed++;
  }

  private void encode(int range) {
    try (PostingsStream stream = open(range)) {
      EncodedTerms terms = EncodedTerms.of(stream, state, norms);
      synchronized (this) {
        ready[range] = terms;
        ahead += terms.memoryBytes() - memory[range];
        memory[range] = terms.memoryBytes();
        growth = Math.max(1, (double) memory[range] / Math.max(1, ranges.bytes(range)));
        notifyAll();
      }
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    }
  }

  /** Has the writing thread end with a failure of another. */
  synchronized void fail(Throwable cause) {
    failure = failure == null ? cause : failure;
    notifyAll();
  }

  private PostingsStream open(int range) throws IOException {
    PostingsCursor cursor = ranges.open(range);
    return documents == null ? new PostingsStream(cursor) : new PostingsStream(cursor, documents);
  }

  private void throwFailure() throws IOException {
    if (failure != null) {
      Throwables.throwIfInstanceOf(failure, IOException.class);
      Throwables.throwIfUnchecked(failure);
    }
  }

  @SuppressWarnings("WaitNotInLoop") // the callers loop
  private void await() throws InterruptedIOException {
    try {
      wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while postings were encoded");
    }
  }
}
