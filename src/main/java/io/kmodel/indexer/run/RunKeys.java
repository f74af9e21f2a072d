package io.kmodel.indexer.run;

import io.kmodel.indexer.sort.SortStage;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a run on their way from the order in which they were added to that of its terms, by a
 * {@link SortStage}, or counted by term where that leaves them ({@link CountedKeys}). Memory: what
 * it is given, for keys and as much for the sorter, which may change places. Not thread-safe.
 */
final class RunKeys {
  static final int KEY_BYTES = 8;

  /**
   * A run that is to be read.
   *
   * @param keys how many it has
   * @param packed a layout that they have room in without their terms, the narrowest where there
   *     are no offsets
   * @param places of its tokens, where fields have offsets
   */
  record Run(
      OffsetKeys.Run about,
      long keys,
      KeyLayout packed,
      RunDocuments documents,
      @Nullable TokenPlaces places) {
    private int terms() {
      return about.dictionary().size();
    }

    /** Whether there is room to count them, and nothing of them lies elsewhere. */
    private boolean canBeCounted() {
      return places == null && CountedKeys.bytes(terms()) <= about.dictionary().rest().byteSize();
    }
  }

  private MemorySegment keys;
  private MemorySegment scratch;
  private @Nullable SortStage stage;
  private SortStage.@Nullable Ticket ticket;

  /** Whether the stage was allowed to leave the keys. */
  private boolean mayBeLeft;

  /** Whether the sorted keys were checked. */
  private boolean isChecked;

  /** The keys where the stage has left them; null where it has not. */
  private @Nullable CountedKeys counted;

  RunKeys(MemorySegment keys, MemorySegment scratch) {
    this.keys = keys;
    this.scratch = scratch;
  }

  /** Where the next run's keys go, from the first on. */
  long address() {
    return keys.address();
  }

  /**
   * Hands the keys to a stage.
   *
   * @param mayBeCounted whether that may leave them to be counted
   */
  void startSort(SortStage sorters, Run run, boolean mayBeCounted) {
    int terms = run.terms();
    int usedBits = terms == 0 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(terms - 1);
    int termShift = run.about.layout().termShift();
    stage = sorters;
    mayBeLeft = mayBeCounted && run.canBeCounted();
    ticket =
        sorters.submit(
            new SortStage.Job(keys, scratch, run.keys, termShift, termShift + usedBits, mayBeLeft));
  }

  /**
   * Waits for the keys to be in order, or counts them.
   *
   * @return whether they were counted
   */
  boolean finishSort(Run run) throws InterruptedException {
    SortStage.Ticket started = ticket;
    if (started == null) {
      throw new IllegalStateException("no sort was started");
    }
    SortStage.Sorted sorted = started.await();
    keys = sorted.keys();
    scratch = sorted.scratch();
    isChecked = false;
    ticket = null;
    if (!sorted.isLeft()) {
      counted = null;
      return false;
    }
    if (!mayBeLeft) {
      throw new IllegalStateException("keys were left that had to be sorted");
    }
    counted = new CountedKeys(run.about, used(run), run.about.dictionary().rest());
    return true;
  }

  /** Checks the order of sorted keys; there is nothing to check of those that were counted. */
  void checkOrder(Run run) {
    if (counted == null) {
      sorted(run).checkOrder();
      isChecked = true;
    }
  }

  /** The lists; one cursor at a time. */
  KeyLists cursor(Run run) {
    return counted == null
        ? sorted(run)
        : counted.moveTo(scratch.asSlice(0, KEY_BYTES * run.keys), run.packed);
  }

  /** A copy of the run, see {@link MemoryRun#bytes}. */
  MemoryRun copy(Run run, MemoryRun.Content content, long bytes) {
    return counted == null
        ? MemoryRun.of(sorted(run), content, bytes)
        : MemoryRun.of(counted, content, bytes);
  }

  /** Forgets the run. */
  void clear() {
    counted = null;
  }

  /**
   * Waits for whoever still writes to the keys.
   *
   * @param memory what the keys lie in
   * @return whether that may be freed
   */
  boolean settle(MemorySegment memory) {
    if (ticket != null) {
      ticket.settle();
    }
    return stage == null || stage.release(memory);
  }

  private SortedKeys sorted(Run run) {
    SortedKeys sorted =
        run.places == null
            ? new SortedKeys(run.about, used(run), scratch)
            : new OffsetKeys(run.about, used(run), scratch, run.documents, run.places);
    if (isChecked) {
      sorted.wereChecked();
    }
    return sorted;
  }

  private MemorySegment used(Run run) {
    return keys.asSlice(0, KEY_BYTES * run.keys);
  }
}
