package io.kmodel.indexer.sort;

/** Receives the times of jobs on devices. Safe for many threads. */
@FunctionalInterface
public interface DeviceListener {
  /** Ignores all times. */
  DeviceListener NONE = (upload, sort, held, download, end) -> {};

  /**
   * Called by the lane's thread when a job is done.
   *
   * @param uploadNanos time for the upload of the keys
   * @param sortNanos time after that until they were sorted
   * @param heldNanos time after that until the download could start
   * @param downloadNanos time for the download
   * @param endNanos when it ended, in {@link System#nanoTime}
   */
  void sorted(long uploadNanos, long sortNanos, long heldNanos, long downloadNanos, long endNanos);
}
