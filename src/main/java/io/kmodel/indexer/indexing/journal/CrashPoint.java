package io.kmodel.indexer.indexing.journal;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The steps by which a build saves its work, in order. For tests, the process can be made to end at
 * one, as if it were killed: {@code -Dindexer.end-at=SEALED}, or {@code SEALED:3} at the third
 * time.
 */
public enum CrashPoint {
  /** All files of a split are complete; none is forced to the disk. */
  SPLIT_READ,
  /** A run from memory is in a file, which is not forced to the disk. */
  KEPT_WRITTEN,
  /** Files are safe on the disk; the journal does not name them. */
  FORCED,
  /** Lines are in the journal, which is not forced to the disk. */
  WRITTEN,
  /** The journal is safe; the files that its lines replace are not deleted. */
  SEALED,
  /** Some runs were merged into one. */
  RUNS_MERGED,
  /** A range of terms is in the index. */
  RANGE_MERGED,
  /** All term ranges are in the index. */
  ALL_MERGED,
  /** The index is complete in the work directory. */
  ASSEMBLED,
  /**
   * The replaced index has moved out. If names are exchanged, the new index waits for that instead.
   */
  MOVED_OUT,
  /** The index has its name. */
  PUBLISHED,
  /** The journal is deleted, the rest of the work directory is not. */
  FORGOTTEN,
  /** A task of a cluster has made the index of its split; the driver does not know it. */
  SPLIT_INDEXED,
  /** All splits of a build on a cluster are in its journal; no range of terms is merged. */
  SPLITS_SEALED,
  /** A task of a cluster has merged a range of terms; the driver does not know it. */
  PART_SEALED,
  /** The appended documents' own index is deleted; the record that they were appended is not. */
  APPENDED;

  private static final String PROPERTY = "indexer.end-at";

  /** Exit code of a killed process. */
  private static final int KILLED = 137;

  private static final String END_AT = System.getProperty(PROPERTY, "");

  /** How often the step to end at was reached. */
  private static final AtomicInteger TIMES = new AtomicInteger();

  /** Called when the step is reached. */
  public void reached() {
    boolean counts = END_AT.equals(name()) || END_AT.startsWith(name() + ":");
    if (counts && (name() + ":" + TIMES.incrementAndGet()).startsWith(END_AT)) {
      Runtime.getRuntime().halt(KILLED);
    }
  }
}
