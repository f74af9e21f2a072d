package io.kmodel.indexer.indexing.merge;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.PostingsPart;
import io.kmodel.indexer.index.model.ForwardingConsumer;
import io.kmodel.indexer.index.model.PostingsConsumer;
import io.kmodel.indexer.index.model.PostingsCopier;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.postings.GapBits;
import io.kmodel.indexer.indexing.options.FileLimits;
import io.kmodel.indexer.indexing.order.DocumentOrder;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.store.disk.FreeFiles;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes the lists of an index with the documents in another order, by ranges of terms, in
 * parallel. Memory on the heap: for each thread a list that it sorts ({@link ReorderedCursor}) and
 * {@value #CURSOR_BYTES} bytes of buffers; and the parts that the writer holds.
 */
public final class ReorderedLists {
  /** Heap for a cursor, its blocks, the counters of gaps, and a part of the result. */
  public static final int CURSOR_BYTES = 600 << 10;

  /** Ranges in progress or waiting, for each thread. */
  private static final int AHEAD_PER_THREAD = 2;

  /** Open files of a range: its part, and a list that is too long for memory. */
  private static final int MORE_FILES = 1;

  private final InvertedIndex index;
  private final DocumentOrder order;
  private final Path temporary;
  private final long bytes;
  private final ProgressListener progress;
  private final AtomicInteger started = new AtomicInteger();
  private int finished;
  private final GapBits before = new GapBits();
  private final GapBits after = new GapBits();

  /**
   * Prepares.
   *
   * @param temporary directory for lists that are too long for memory
   * @param bytes heap in which a thread sorts
   * @param progress gets the number of finished ranges of terms
   */
  public ReorderedLists(
      InvertedIndex index,
      DocumentOrder order,
      Path temporary,
      long bytes,
      ProgressListener progress) {
    this.index = index;
    this.order = order;
    this.temporary = temporary;
    this.bytes = bytes;
    this.progress = progress;
  }

  /** The gaps between documents in the given index, once all lists are written. */
  public GapBits before() {
    return before;
  }

  /** The gaps between documents in their new order. */
  public GapBits after() {
    return after;
  }

  /** Writes all lists. */
  public void write(InvertedIndexWriter to, Workers workers, int threads)
      throws IOException, InterruptedException {
    List<TermRange> ranges = IndexLists.ranges(List.of(index), threads);
    int ahead =
        FileLimits.ranges(FreeFiles.count() - MORE_FILES * threads, AHEAD_PER_THREAD * threads);
    IndexLists.append(
        ranges,
        new OrderedRanges.Limits(threads, ahead),
        (range, part) -> {
          PostingsPart made = reordered(range, part);
          finished(ranges.size());
          return made;
        },
        to,
        workers);
  }

  private synchronized void finished(int all) {
    finished++;
    progress.progress(finished, all);
  }

  private PostingsPart reordered(TermRange range, PostingsPart part) throws IOException {
    Path file = temporary.resolve("list-" + started.incrementAndGet());
    GapBits old = new GapBits();
    Counting counting = new Counting(part);
    try (ReorderedCursor lists =
        new ReorderedCursor(
            new KeyRangeCursor(index, range), old, index.schema(), order, bytes, file)) {
      new PostingsCopier().copy(lists, counting);
    } catch (IOException | RuntimeException e) {
      part.close();
      throw e;
    }
    synchronized (this) {
      before.add(old);
      after.add(counting.gaps);
    }
    return part;
  }

  /** Passes lists on and counts the bits of their gaps. */
  private static final class Counting extends ForwardingConsumer {
    private final GapBits gaps = new GapBits();

    Counting(PostingsConsumer to) {
      super(to);
    }

    @Override
    public void docs(int[] docs, int[] freqs, int count) throws IOException {
      gaps.add(docs, count);
      super.docs(docs, freqs, count);
    }

    @Override
    public void finishTerm() throws IOException {
      gaps.finishTerm();
      super.finishTerm();
    }
  }
}
