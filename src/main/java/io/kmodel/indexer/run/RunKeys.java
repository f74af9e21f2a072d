package io.kmodel.indexer.run;

import io.kmodel.indexer.sort.CountedKeys;
import io.kmodel.indexer.sort.KeyOrder;
import io.kmodel.indexer.sort.OrderedKeys;
import io.kmodel.indexer.sort.SortStage;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a run: their memory, the job that puts them in order ({@link KeyOrder}), and the
 * lists they give. Memory: what it is given, half of it for keys and half as scratch; the halves
 * may swap. Not thread-safe.
 */
final class RunKeys {
  static final int KEY_BYTES = 8;

  /**
   * A full run.
   *
   * @param keys number of keys
   * @param packed a layout wide enough for the keys without their terms, the narrowest one if there
   *     are no offsets
   * @param places of its tokens; null if no field has offsets
   */
  record Run(
      OffsetLists.Run about,
      long keys,
      KeyLayout packed,
      RunDocuments documents,
      @Nullable TokenPlaces places) {
    private int terms() {
      return about.dictionary().size();
    }

    /**
     * Memory for a counter per term. Null if the run has offsets, because its keys then refer to
     * {@link TokenPlaces}, or if the dictionary leaves no room.
     */
    private @Nullable MemorySegment counters() {
      MemorySegment rest = about.dictionary().rest();
      return places == null && CountedLists.bytes(terms()) <= rest.byteSize()
          ? rest.asSlice(0, CountedLists.counterBytes(terms()))
          : null;
    }
  }

  private MemorySegment keys;
  private MemorySegment scratch;

  /** The stage that has seen this memory and must let go of it before it is freed. */
  private @Nullable SortStage stage;

  private KeyOrder.@Nullable Ticket ticket;

  /** Whether sorted keys have been checked. */
  private boolean isChecked;

  /** The lists of counted keys; null if the keys are sorted. */
  private @Nullable CountedLists counted;

  RunKeys(MemorySegment keys, MemorySegment scratch) {
    this.keys = keys;
    this.scratch = scratch;
  }

  /** Address of the next run's first key. */
  long address() {
    return keys.address();
  }

  /** Hands the keys to a stage, which may pin the memory. */
  void startSort(SortStage sorters, Run run) {
    stage = sorters;
    start(sorters, run);
  }

  /** Hands the keys to an order that uses only this thread. */
  void start(KeyOrder order, Run run) {
    int terms = run.terms();
    int usedBits = terms == 0 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(terms - 1);
    int termShift = run.about.layout().termShift();
    ticket =
        order.submit(
            new KeyOrder.Job(
                keys, scratch, run.keys, termShift, termShift + usedBits, run.counters()));
  }

  /**
   * Waits until the keys are in order.
   *
   * @return whether a device ordered them, see {@link OrderedKeys#byDevice}
   */
  boolean finishSort(Run run) throws InterruptedException {
    KeyOrder.Ticket started = ticket;
    if (started == null) {
      throw new IllegalStateException("no sort was started");
    }
    OrderedKeys ordered = started.await();
    keys = ordered.keys();
    scratch = ordered.scratch();
    isChecked = false;
    ticket = null;
    counted = ordered instanceof CountedKeys byTerm ? new CountedLists(run.about, byTerm) : null;
    return ordered.byDevice();
  }

  /** Checks the order of sorted keys. Counted keys are checked when they are moved. */
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

  /** A copy of the run in memory of {@link MemoryRun#bytes}. */
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
   * Waits until nothing writes to the keys any more.
   *
   * @param memory that contains the keys
   * @return whether it may be freed
   */
  boolean settle(MemorySegment memory) {
    if (ticket != null) {
      ticket.settle();
    }
    return stage == null || stage.release(memory);
  }

  private SortedLists sorted(Run run) {
    SortedLists sorted =
        run.places == null
            ? new SortedLists(run.about, used(run), scratch)
            : new OffsetLists(run.about, used(run), scratch, run.documents, run.places);
    if (isChecked) {
      sorted.wereChecked();
    }
    return sorted;
  }

  private MemorySegment used(Run run) {
    return keys.asSlice(0, KEY_BYTES * run.keys);
  }
}
