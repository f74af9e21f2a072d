package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.analysis.DocumentAnalysis;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.report.Activity;
import io.kmodel.indexer.indexing.report.StageClock;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.run.Outcome;
import io.kmodel.indexer.run.RunBuilder;
import io.kmodel.indexer.run.RunMemory;
import io.kmodel.indexer.sort.SortStage;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The runs of one thread: one that is filled and, with two buffers, one that is sorted by a device
 * meanwhile. This thread does the work after a sort, in the order of the runs. Memory: the share of
 * the thread, divided among the buffers, of which each uses at most {@link
 * MemoryPlan#usualRunBytes}. A document that is too large for that gets the whole share, so whether
 * a document fits does not depend on the number of buffers. Not thread-safe.
 */
final class RunBuffers implements DocumentRuns {
  private static final int KEY_BYTES = 8;

  private final Schema schema;
  private final DocumentAnalysis analysis;
  private final long memoryBytes;

  /** True until it is known that no device sorts. */
  private boolean isDouble;

  private final SortStage sorters;
  private final StageClock clock;

  private RunBuilder current;

  /** Empty or being sorted; null with one buffer, and while one has the whole share. */
  private @Nullable RunBuilder other;

  /** Output for {@link #other} when it is sorted. */
  private SplitOutput.@Nullable Run pending;

  /** The size that the buffers were last created with. */
  private long eachBytes;

  /** Whether the current run has the whole share. */
  private boolean hasAll;

  /**
   * Empty runs.
   *
   * @param memoryBytes for all of them together
   * @param buffers 1, or 2 for one that is sorted while the other is filled
   */
  RunBuffers(
      Schema schema,
      DocumentAnalysis analysis,
      long memoryBytes,
      int buffers,
      SortStage sorters,
      StageClock clock) {
    if (buffers < 1 || buffers > 2) {
      throw new IllegalArgumentException("a thread has 1 or 2 run buffers; got " + buffers);
    }
    this.schema = schema;
    this.analysis = analysis;
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

  @Override
  public Outcome add(ParsedDocument document) throws MalformedDocumentException {
    RunBuilder run = current;
    run.startDocument();
    try {
      if (schema.hasOffsets()) {
        analysis.analyzeWithOffsets(document, schema, run::add);
      } else if (schema.hasImpacts()) {
        analysis.analyzeVector(document, schema, run::add, run::addWeight);
      } else {
        analysis.analyze(document, schema, run::add);
      }
    } catch (MalformedDocumentException | RuntimeException e) {
      run.abandonDocument();
      throw e;
    }
    return run.finishDocument();
  }

  @Override
  public int documentCount() {
    return current.documentCount();
  }

  /** Memory of the current run. */
  long bytes() {
    return current.bytes();
  }

  @Override
  public void clear() {
    current.reset();
  }

  @Override
  public void seal(SplitOutput output) throws IOException, InterruptedException {
    clock.produced(Activity.ANALYZE, KEY_BYTES * current.tokenCount());
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
   * Resizes the current, empty run to what it would have been, had the devices been known: no
   * larger than they can sort, or the usual size if there are none.
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

  /** Completes the run that is being sorted. */
  @Override
  public void finish() throws IOException, InterruptedException {
    SplitOutput.Run run = pending;
    if (run != null && other != null) {
      pending = null;
      completeAside(other, run);
    }
  }

  private void completeAside(RunBuilder sorted, SplitOutput.Run run)
      throws IOException, InterruptedException {
    complete(sorted, run);
    // Twice: the first reset adopts a layout that is meant for the next document, which is in the
    // other run.
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

  @Override
  public boolean grow() throws IOException, InterruptedException {
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

  @Override
  public long neededBytes() {
    return current.neededBytes();
  }

  @Override
  public boolean hasGrown() {
    return hasAll;
  }

  @Override
  public void shrink() {
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
