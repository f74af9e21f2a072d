package io.kmodel.indexer.indexing.merge;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.PostingsPart;
import io.kmodel.indexer.index.model.ForwardingConsumer;
import io.kmodel.indexer.index.model.PostingsConsumer;
import io.kmodel.indexer.index.model.PostingsCopier;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.terms.TermBlocks;
import io.kmodel.indexer.indexing.options.FileLimits;
import io.kmodel.indexer.merge.MergingCursor;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.store.disk.FreeFiles;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Merges the lists of indexes by ranges of terms, in parallel. The documents of each index that
 * stay follow those of the one before.
 *
 * <p>Memory on the heap: for each thread and index a cursor of {@value #CURSOR_BYTES} bytes; and
 * what the writer holds.
 */
public final class IndexLists {
  /** Heap for a cursor over an index. */
  public static final int CURSOR_BYTES = 300 << 10;

  /** Ranges for each thread, so that threads end at about the same time. */
  private static final int RANGES_PER_THREAD = 8;

  /** Smaller ranges are not worth their cursors. */
  private static final long LEAST_RANGE_BYTES = 16 << 10;

  /** A part of the merged index should not be larger. */
  private static final long LARGEST_RANGE_BYTES = 256 << 20;

  /** Ranges in progress or waiting, for each thread. */
  private static final int AHEAD_PER_THREAD = 2;

  private final List<MergeInput> inputs;
  private final ProgressListener progress;
  private final int idField;
  private final AtomicLong merged = new AtomicLong();
  private final AtomicLong terms = new AtomicLong();
  private final AtomicLong sharedIds = new AtomicLong();

  /**
   * For indexes with the same fields.
   *
   * @param progress gets the number of merged ranges
   */
  public IndexLists(List<MergeInput> inputs, ProgressListener progress) {
    this.inputs = List.copyOf(inputs);
    this.progress = progress;
    this.idField = inputs.getFirst().index().schema().find(Schema.ID);
  }

  /** Distinct terms so far. */
  public long terms() {
    return terms.get();
  }

  /** Documents so far that have the id of an earlier one. */
  public long sharedIds() {
    return sharedIds.get();
  }

  /** Merges all lists. */
  public void merge(InvertedIndexWriter to, Workers workers, int threads)
      throws IOException, InterruptedException {
    List<TermRange> ranges = ranges(inputs.stream().map(MergeInput::index).toList(), threads);
    int ahead = FileLimits.ranges(FreeFiles.count(), AHEAD_PER_THREAD * threads);
    append(
        ranges,
        new OrderedRanges.Limits(threads, ahead),
        (range, part) -> {
          PostingsPart made = merged(range, part);
          progress.progress(merged.incrementAndGet(), ranges.size());
          return made;
        },
        to,
        workers);
  }

  /** Fills a part with the lists of a range of terms. */
  @FunctionalInterface
  interface Filling {
    /** Returns the part, or closes it if that fails. */
    PostingsPart fill(TermRange range, PostingsPart part) throws IOException;
  }

  /** Fills the parts of ranges in parallel, and appends them in order. */
  static void append(
      List<TermRange> ranges,
      OrderedRanges.Limits limits,
      Filling filling,
      InvertedIndexWriter to,
      Workers workers)
      throws IOException, InterruptedException {
    try (OrderedRanges<PostingsPart> parts =
        new OrderedRanges<>(
            ranges,
            0,
            limits,
            (range, early) -> filling.fill(range, early ? to.newPartInFiles() : to.newPart()),
            workers::submit)) {
      parts.begin();
      while (!parts.isEmpty()) {
        try (PostingsPart part = Workers.get(parts.element())) {
          to.append(part);
        }
        parts.remove();
      }
    }
  }

  /** Ranges between terms of the largest index. */
  static List<TermRange> ranges(List<InvertedIndex> indexes, int threads) throws IOException {
    return ranges(indexes, threads, LEAST_RANGE_BYTES);
  }

  /**
   * The same.
   *
   * @param least bytes of a range in the largest index, if it has so many
   */
  public static List<TermRange> ranges(List<InvertedIndex> indexes, int threads, long least)
      throws IOException {
    InvertedIndex largest = indexes.getFirst();
    for (InvertedIndex index : indexes) {
      largest = index.metadata().bytes() > largest.metadata().bytes() ? index : largest;
    }
    long all = largest.cutTerms(Long.MAX_VALUE).stream().mapToLong(TermBlocks::bytes).sum();
    // Other indexes have about as much in each range.
    long limit = Math.max(least, LARGEST_RANGE_BYTES / indexes.size());
    long most = Math.clamp(all / ((long) RANGES_PER_THREAD * threads) + 1, least, limit);
    List<TermRange> ranges = new ArrayList<>();
    byte @Nullable [] from = null;
    long bytes = 0;
    for (TermBlocks blocks : largest.cutTerms(most)) {
      if (blocks.from() > 0) {
        byte[] key = firstKey(largest, blocks);
        ranges.add(new TermRange(from, key, bytes));
        from = key;
      }
      bytes = blocks.bytes();
    }
    ranges.add(new TermRange(from, null, bytes));
    return ranges;
  }

  private static byte[] firstKey(InvertedIndex index, TermBlocks blocks) throws IOException {
    try (PostingsCursor cursor = index.cursor(blocks, 0)) {
      if (!cursor.nextTerm()) {
        throw new IllegalStateException("a range of terms is empty");
      }
      return Arrays.copyOf(cursor.term(), cursor.termLength());
    }
  }

  /** Fills a part with the lists of a range of terms, and closes it if that fails. */
  public PostingsPart merged(TermRange range, PostingsPart part) throws IOException {
    try {
      List<MergingCursor.Input> cursors = new ArrayList<>();
      int firstDoc = 0;
      for (MergeInput input : inputs) {
        cursors.add(new MergingCursor.Input(input.lists(range), firstDoc));
        firstDoc += input.kept().count();
      }
      try (MergingCursor lists = new MergingCursor(cursors)) {
        Counted counted = new Counted(part);
        new PostingsCopier().copy(lists, counted);
        terms.addAndGet(counted.terms);
        sharedIds.addAndGet(counted.shared);
      }
      return part;
    } catch (IOException | RuntimeException e) {
      part.close();
      throw e;
    }
  }

  /** Passes lists on, and counts terms and documents with the same id. */
  private final class Counted extends ForwardingConsumer {
    private boolean isId;
    private long docs;
    private long terms;
    private long shared;

    Counted(PostingsConsumer to) {
      super(to);
    }

    @Override
    public void startTerm(byte[] key, int length) throws IOException {
      isId = key[0] == idField;
      docs = 0;
      super.startTerm(key, length);
    }

    @Override
    public void docs(int[] documents, int[] freqs, int count) throws IOException {
      docs += count;
      super.docs(documents, freqs, count);
    }

    @Override
    public void finishTerm() throws IOException {
      super.finishTerm();
      terms++;
      if (docs > 1 && isId) {
        shared += docs - 1;
      }
    }
  }
}
