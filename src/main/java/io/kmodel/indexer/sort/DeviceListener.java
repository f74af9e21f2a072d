package io.kmodel.indexer.sort;

/** Is told what devices have done. Safe for many threads. */
@FunctionalInterface
public interface DeviceListener {
  /** For callers that do not want to know. */
  DeviceListener NONE = (upload, sort, held, download, end) -> {};

  /**
   * A job is done; called by the thread of its device's lane.
   *
   * @param uploadNanos time that its keys took to get there
   * @param sortNanos time after that until they were in order
   * @param heldNanos time after that until the way back was free
   * @param downloadNanos time after that until they were back
   * @param endNanos when that was, as {@link System#nanoTime} has it
   */
  void sorted(long uploadNanos, long sortNanos, long heldNanos, long downloadNanos, long endNanos);
}
