package io.kmodel.indexer.indexing.journal;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The steps by which a build keeps what is finished, in order. For tests the process can be made to
 * end at one, as if it were killed: {@code -Dindexer.end-at=SEALED}, or {@code SEALED:3} at the
 * third time.
 */
public enum CrashPoint {
  /** All files of a split are complete; nothing waited for the disk. */
  SPLIT_READ,
  /** A run that had waited in memory is in a file, which was not forced. */
  KEPT_WRITTEN,
  /** Files are safe on the disk; the journal does not know of them. */
  FORCED,
  /** Lines are in the journal, which was not forced. */
  WRITTEN,
  /** The journal is safe; what its lines replace is not deleted yet. */
  SEALED,
  /** Some runs are one now. */
  RUNS_MERGED,
  /** A range of terms is in the index. */
  RANGE_MERGED,
  /** All ranges are. */
  ALL_MERGED,
  /** The index is complete, where it was built. */
  ASSEMBLED,
  /** The index that is to be replaced has left its place. */
  MOVED_OUT,
  /** The index is in its place. */
  PUBLISHED,
  /** The journal is deleted, the rest of the work is not. */
  FORGOTTEN;

  private static final String PROPERTY = "indexer.end-at";

  /** What the system has for a process that was killed. */
  private static final int KILLED = 137;

  private static final String END_AT = System.getProperty(PROPERTY, "");

  /** How often the step was reached that the process is to end at. */
  private static final AtomicInteger TIMES = new AtomicInteger();

  /** Tells that this step was reached. */
  public void reached() {
    boolean counts = END_AT.equals(name()) || END_AT.startsWith(name() + ":");
    if (counts && (name() + ":" + TIMES.incrementAndGet()).startsWith(END_AT)) {
      Runtime.getRuntime().halt(KILLED);
    }
  }
}
