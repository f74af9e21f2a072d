package io.kmodel.indexer.indexing.options;

import io.kmodel.indexer.index.PostingsPart;
import io.kmodel.indexer.store.disk.FreeFiles;

/**
 * What of a build goes on at a time where the process may open few files, see {@link FreeFiles}.
 */
public final class FileLimits {
  /**
   * A thread that parses has a file of the crawl open, its directory (which are two), a run, texts,
   * skips and ids.
   */
  private static final int PER_PARSER = 8;

  /** More than the driver of one opens. */
  private static final int PER_DEVICE = 64;

  private FileLimits() {}

  /** Threads that may parse, of those that are wanted; at least 1. */
  public static int parsers(int free, int wanted) {
    return Math.clamp(free / PER_PARSER, 1, wanted);
  }

  /** Those that are free when a device is open, too, which is only being opened. */
  public static int besideDevice(int free) {
    return Math.max(0, free - PER_DEVICE);
  }

  /** Whether all threads may parse, and a device be opened, beside what else goes on. */
  public static boolean areMany(int free, int threads) {
    return besideDevice(free) / PER_PARSER >= threads;
  }

  /** Runs that may be open while others are merged, at least 2: half of what there is. */
  public static int runs(int free, int wanted) {
    return Math.clamp(free / 2, 2, wanted);
  }

  /** Ranges that may be in the making, of those that are wanted; at least 1. */
  public static int ranges(int free, int wanted) {
    return Math.clamp(free / PostingsPart.FILES, 1, wanted);
  }
}
