package io.kmodel.indexer.export.lucene.postings;

import com.google.common.base.Throwables;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.export.lucene.schema.DocumentRange;
import io.kmodel.indexer.export.lucene.schema.SegmentNorms;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.terms.TermBlocks;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.index.SegmentWriteState;
import org.jspecify.annotations.Nullable;

/**
 * The postings of one segment, encoded by several threads and written by one. Terms are cut into
 * ranges, each encoded by one thread. For the writing thread, this is the stream of all terms in
 * order: it appends ranges that others have encoded. If nobody has started the next range, it
 * encodes it straight into its own files. If a helper is working on that range, it encodes a later
 * one in the meantime.
 *
 * <p>Memory: encoded ranges up to the given bytes, plus per thread one range whose encoded size is
 * not known yet. A long list is not encoded ahead. Any thread may call {@link #help}; all other
 * methods belong to the writing thread. It also receives the failures of helpers.
 */
public final class PostingsChunks implements SegmentTerms {
  /** More than this ahead, threads do not work better together. */
  public static final long AHEAD_BYTES = 32 << 20;

  /** The largest range that is encoded ahead. */
  private static final long MAX_BYTES = 8 << 20;

  private final PostingsRanges ranges;
  private final @Nullable DocumentRange documents;
  private final SegmentNorms norms;
  private final SegmentWriteState state;

  /** Limit for ranges in progress or encoded beyond the one being written. */
  private final long aheadBytes;

  /** Encoded ranges not taken yet. This and the fields up to {@code closed} are guarded by this. */
  private final @Nullable EncodedTerms[] ready;

  /** The next range to write. */
  private int next;

  /** The next range that no thread has claimed; at least next. */
  private int unclaimed;

  /** Memory of claimed ranges from next on: actual if encoded, else estimated. */
  private long ahead;

  /** The same per range. */
  private final long[] memory;

  /** Encoded size of the last range relative to its bytes; large if terms are rare. */
  private double growth = 1;

  private @Nullable Throwable failure;
  private boolean closed;

  /** The range being written is in one of these; both are null at first. */
  private @Nullable EncodedTerms encoded;

  private @Nullable PostingsStream live;

  private final int[] maxima = new int[PostingsOutputs.MAXIMA];

  public PostingsChunks(
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

  /** Cuts terms into ranges of about the given bytes, but small enough to be encoded ahead. */
  public static ImmutableList<TermBlocks> cut(InvertedIndex index, long bytes) throws IOException {
    return ImmutableList.copyOf(index.cutTerms(Math.min(bytes, MAX_BYTES / 2)));
  }

  /** Encodes ranges ahead of the writing thread until none remain. */
  public void help() throws IOException {
    for (int range; (range = claimAhead()) >= 0; ) {
      encode(range);
    }
  }

  @Override
  public boolean nextTerm() throws IOException {
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

  @Override
  public byte[] term() {
    return live != null ? live.term() : encoded().key();
  }

  @Override
  public int termLength() {
    return live != null ? live.termLength() : encoded().keyLength();
  }

  @Override
  public IntBlockTermState write(TermWriter writer, PostingsOutputs outputs) throws IOException {
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

  /** Raises the maxima to those of a writer; returns the maxima so far. */
  @Override
  public int[] raiseMaxima(int[] more) {
    for (int i = 0; i < maxima.length; i++) {
      maxima[i] = Math.max(maxima[i], more[i]);
    }
    return maxima;
  }

  /** Ends the helpers' work. */
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

  /** Moves to the next range; returns false after the last. */
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

  /** Takes the next range, which is encoded or unclaimed; the lock must be held. */
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

  /** Waits for and claims a range to encode; returns -1 if there is none. */
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
        // Always allow one, or growth would never fall again.
        && (ahead == 0 || growth * ranges.bytes(unclaimed) <= aheadBytes - ahead);
  }

  /** Claims the next unclaimed range; the lock must be held. */
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

  /** Makes the writing thread fail because of another thread's failure. */
  public synchronized void fail(Throwable cause) {
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

  @SuppressWarnings("WaitNotInLoop") // The callers loop.
  private void await() throws InterruptedIOException {
    try {
      wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while postings were encoded");
    }
  }
}
