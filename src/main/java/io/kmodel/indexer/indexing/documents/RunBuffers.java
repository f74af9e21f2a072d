package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.report.Activity;
import io.kmodel.indexer.indexing.report.StageClock;
import io.kmodel.indexer.run.RunBuilder;
import io.kmodel.indexer.run.RunMemory;
import io.kmodel.indexer.sort.SortStage;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The runs of one thread: one that is being filled and, with two buffers, one whose sort goes on
 * aside meanwhile. What follows a sort happens in this thread, in the order of the runs. Memory:
 * the thread's share, in as many parts as there are buffers, of which no more is used than {@link
 * MemoryPlan#usualRunBytes} has it; a document that fits no part gets all of the share, so that
 * whether a document fits does not depend on the buffers. Not thread-safe.
 */
final class RunBuffers implements AutoCloseable {
  private static final int KEY_BYTES = 8;

  private final Schema schema;
  private final long memoryBytes;

  /** Until it is known that nothing is sorted aside. */
  private boolean isDouble;

  private final SortStage sorters;
  private final StageClock clock;

  private RunBuilder current;

  /** Empty, or being sorted; null with one buffer, and while one has all the memory. */
  private @Nullable RunBuilder other;

  /** Where {@link #other} goes when it is sorted. */
  private SplitOutput.@Nullable Run pending;

  /** What the buffers were last made for, which the current one has where it is the only one. */
  private long eachBytes;

  /** Whether the current run has all of the memory, and not its usual share. */
  private boolean hasAll;

  /**
   * Empty runs.
   *
   * @param memoryBytes for all of them together
   * @param buffers 1, or 2 for one that is sorted while the other is filled
   */
  RunBuffers(Schema schema, long memoryBytes, int buffers, SortStage sorters, StageClock clock) {
    if (buffers < 1 || buffers > 2) {
      throw new IllegalArgumentException("a thread has 1 or 2 run buffers; got " + buffers);
    }
    this.schema = schema;
    this.memoryBytes = memoryBytes;
    this.isDouble = buffers == 2;
    this.sorters = sorters;
    this.clock = clock;
    this.eachBytes = usualBytes();
    this.current = new RunBuilder(schema, eachBytes);
    try {
      this.other = isDouble ? new RunBuilder(schema, eachBytes) : null;
    } catch (OutOfMemoryError e) {
      current.close();
      throw e;
    }
  }

  private long usualBytes() {
    long share = MemoryPlan.usualRunBytes(isDouble ? memoryBytes / 2 : memoryBytes);
    long largest = sorters.largestJob();
    long perKey = RunMemory.perKey(schema);
    return largest < share / perKey ? Math.max(largest * perKey, RunMemory.MIN_BYTES) : share;
  }

  /** The run to add documents to. */
  RunBuilder current() {
    return current;
  }

  /**
   * Has the current run sorted, or forgotten where the output does not want it, and goes on with an
   * empty one. With two buffers the output may get the postings later: when the next run is sealed,
   * or from {@link #finish}.
   */
  void seal(SplitOutput output) throws IOException, InterruptedException {
    if (output.wants(current)) {
      sort(output);
    } else {
      current.reset();
    }
    fit();
  }

  private void sort(SplitOutput output) throws IOException, InterruptedException {
    RunBuilder full = current;
    clock.produced(Activity.SORT, KEY_BYTES * full.tokenCount());
    long start = System.nanoTime();
    full.startSort(sorters);
    clock.lap(Activity.SORT, start);
    SplitOutput.Run run = output.endRun();
    RunBuilder before = other;
    if (before == null) {
      complete(full, run);
      full.reset();
      shrink();
    } else {
      SplitOutput.Run earlier = pending;
      pending = run;
      other = full;
      current = before;
      if (earlier != null) {
        completeAside(before, earlier);
      }
    }
  }

  /**
   * Makes the current run, which is empty, what it would have been if all had been known of the
   * devices that was not yet: no larger than what they take, or as usual where there are none.
   */
  private void fit() throws IOException, InterruptedException {
    if (hasAll) {
      return;
    }
    if (isDouble && !sorters.isAside()) {
      finish();
      isDouble = false;
      replace(usualBytes());
    } else if (current.bytes() > usualBytes()) {
      current.close();
      eachBytes = usualBytes();
      current = new RunBuilder(schema, eachBytes);
    }
  }

  /** Hands on what is being sorted. */
  void finish() throws IOException, InterruptedException {
    SplitOutput.Run run = pending;
    if (run != null && other != null) {
      pending = null;
      completeAside(other, run);
    }
  }

  private void completeAside(RunBuilder sorted, SplitOutput.Run run)
      throws IOException, InterruptedException {
    complete(sorted, run);
    // Twice: a layout that the first brings is for the next document, which the other run has.
    sorted.reset();
    sorted.reset();
  }

  private void complete(RunBuilder sorted, SplitOutput.Run run)
      throws IOException, InterruptedException {
    try (run) {
      long start = System.nanoTime();
      boolean byDevice = sorted.finishSort();
      start = byDevice ? clock.waited(Activity.SORT, start) : clock.lap(Activity.SORT, start);
      sorted.checkOrder();
      clock.lap(Activity.CHECK, start);
      run.postings(sorted);
    }
  }

  /**
   * Gives the current run, which is empty, all of the memory.
   *
   * @return whether that is more than it had
   */
  boolean grow() throws IOException, InterruptedException {
    finish();
    if (current.documentCount() > 0) {
      throw new IllegalStateException("only an empty run can grow");
    }
    if (hasAll || eachBytes == memoryBytes) {
      return false;
    }
    replace(memoryBytes);
    hasAll = true;
    return true;
  }

  /** Whether the current run has all of the memory, for the sake of one document. */
  boolean hasGrown() {
    return hasAll;
  }

  /** Undoes {@link #grow}, for a run that is empty. */
  void shrink() {
    if (hasAll) {
      replace(usualBytes());
      hasAll = false;
      other = isDouble ? new RunBuilder(schema, eachBytes) : null;
    }
  }

  private void replace(long bytes) {
    current.close();
    if (other != null) {
      other.close();
      other = null;
    }
    eachBytes = bytes;
    current = new RunBuilder(schema, bytes);
  }

  @Override
  public void close() throws IOException {
    current.close();
    if (other != null) {
      other.close();
    }
    if (pending != null) {
      pending.close();
    }
  }
}
