package io.kmodel.indexer.indexing.added;

import io.kmodel.indexer.indexing.documents.DocumentSource;
import io.kmodel.indexer.indexing.documents.InversionChoice;
import io.kmodel.indexer.indexing.documents.Splits;
import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.source.Split;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Documents that a program adds while they are indexed. They are numbered in the order of their
 * additions. Batches of them are the splits of the build. Where units end depends on the texts of
 * the documents alone, so that the index does not depend on memory and threads.
 *
 * <p>Memory: half of the heap that a build has for documents. A program that adds documents faster
 * than they are indexed waits. A document that is larger than all of that is taken alone. Safe for
 * many threads.
 */
public final class DocumentQueue implements DocumentSource, Splits {
  /** A unit ends with the document that brings it to this size; larger documents start one. */
  private static final long UNIT_BYTES = 1 << 20;

  /** Small documents take more heap than their texts do. */
  private static final int UNIT_DOCUMENTS = 4096;

  /**
   * While readers wait, a batch may be this part of all that was added: the first ones are small,
   * so that reading starts at once, and there are few even if documents always arrive too slowly.
   */
  private static final int SHARE = 32;

  /** A larger batch would not make a better run: its text gives some 10 million tokens. */
  private static final long LARGEST_BATCH = 64 << 20;

  /** Batches that are being filled or wait, besides one for each thread. */
  private static final int WAITING = 2;

  /** A unit and another document fit beside a batch, so that no addition waits for itself. */
  private static final long LEAST_BYTES = 16 * UNIT_BYTES;

  /**
   * Held from the start of an addition to its end, also while it waits: first come, first added.
   */
  private final ReentrantLock turn = new ReentrantLock(true);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final long mostBytes;
  private final long batchBytes;
  private final List<Split> waiting = new ArrayList<>();
  private AddedBatch open;

  /** The current unit; a full one is followed by another. */
  private long unitBytes;

  private int unitDocuments;

  private long unit;

  /** Heap of all documents that were added and are not indexed. */
  private long heapBytes;

  private long totalBytes;

  /** Whether a reader waits for a batch. */
  private boolean isAwaited;

  private boolean ended;
  private @Nullable Throwable failure;

  /** A queue for a build with this plan, which has set apart memory for it. */
  public DocumentQueue(MemoryPlan plan, int threads) {
    this(
        plan.documentHeapBytes(),
        Math.min(plan.documentHeapBytes() / (threads + WAITING), LARGEST_BATCH));
  }

  /**
   * A queue.
   *
   * @param mostBytes heap for all documents that were added and are not indexed
   * @param batchBytes after which the next end of a unit ends a batch
   */
  DocumentQueue(long mostBytes, long batchBytes) {
    this.mostBytes = Math.max(mostBytes, LEAST_BYTES);
    this.batchBytes = batchBytes;
    this.open = new AddedBatch(0, this::release);
  }

  /**
   * Adds a document, as soon as there is room.
   *
   * @throws IllegalStateException after {@link #end}
   * @throws BuildFailure if the build has failed
   */
  public void add(AddedDocument document) throws BuildFailure, InterruptedException {
    turn.lockInterruptibly();
    try {
      lock.lockInterruptibly();
      try {
        addInTurn(document);
      } finally {
        lock.unlock();
      }
    } finally {
      turn.unlock();
    }
  }

  private void addInTurn(AddedDocument document) throws BuildFailure, InterruptedException {
    requireOpen();
    long size = document.heapBytes();
    boolean startsUnit = unitIsFull() || document.textBytes() >= UNIT_BYTES;
    if (startsUnit && heapBytes + size > mostBytes) {
      handOver();
    }
    while (heapBytes > 0 && heapBytes + size > mostBytes) {
      changed.await();
      requireOpen();
    }
    if (startsUnit) {
      unit++;
      unitBytes = 0;
      unitDocuments = 0;
    }
    open.add(document, unit);
    unitBytes += document.textBytes();
    unitDocuments++;
    heapBytes += size;
    totalBytes += document.textBytes();
    if (unitIsFull() && open.heapBytes() >= enough()) {
      handOver();
    }
  }

  private boolean unitIsFull() {
    return unitBytes >= UNIT_BYTES || unitDocuments >= UNIT_DOCUMENTS;
  }

  /** From which size on a batch may end. */
  private long enough() {
    return isAwaited ? Math.min(batchBytes, totalBytes / SHARE) : batchBytes;
  }

  private void requireOpen() throws BuildFailure {
    if (failure != null) {
      throw new BuildFailure(failure);
    }
    if (ended) {
      throw new IllegalStateException("no more documents can be added");
    }
  }

  /** Lets the documents so far be indexed; called where a unit ends. */
  private void handOver() {
    if (!open.isEmpty()) {
      waiting.add(open);
      open = new AddedBatch(open.ordinal() + 1, this::release);
      isAwaited = false;
      changed.signalAll();
    }
  }

  /** Heap of all documents that wait or are being read. */
  long heapBytes() {
    lock.lock();
    try {
      return heapBytes;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the additions. The build continues with the documents so far. */
  public void end() {
    lock.lock();
    try {
      handOver();
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Makes later additions and waiting readers fail; the first cause counts. */
  public void fail(Throwable cause) {
    lock.lock();
    try {
      failure = failure == null ? cause : failure;
      waiting.clear();
      open = new AddedBatch(0, bytes -> {});
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void release(long bytes) {
    lock.lock();
    try {
      heapBytes -= bytes;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Splits open(
      BuildOptions options,
      WorkDirectory directory,
      Checkpoints saved,
      BuildProgress progress,
      InversionChoice choice) {
    return this;
  }

  @Override
  public boolean isRepeatable() {
    return false;
  }

  @Override
  public void awaitNext() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (waiting.isEmpty() && !ended) {
        requireNoFailure();
        isAwaited = true;
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isLarge(InversionChoice asked) {
    return asked.leastCrawlBytes() == 0;
  }

  @Override
  public List<Split> next() throws InterruptedException {
    awaitNext();
    lock.lock();
    try {
      List<Split> next = List.copyOf(waiting);
      waiting.clear();
      return next;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public SkipLog skips() throws InterruptedException {
    awaitEnd();
    return new SkipLog();
  }

  @Override
  public BuildReport.Input input() throws InterruptedException {
    awaitEnd();
    return new BuildReport.Input(0, totalBytes, 0, "");
  }

  private void requireNoFailure() throws InterruptedException {
    if (failure != null) {
      throw new InterruptedException("the additions were broken off");
    }
  }

  private void awaitEnd() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!ended) {
        requireNoFailure();
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The one that runs the build calls {@link #fail} if it has failed. */
  @Override
  public void close() {}

  /** The build has failed; the cause says why. */
  public static final class BuildFailure extends IOException {
    private static final long serialVersionUID = 1L;

    BuildFailure(Throwable reason) {
      super(reason.getMessage(), reason);
    }

    /** Why. */
    public Throwable reason() {
      return Objects.requireNonNull(getCause());
    }
  }
}
