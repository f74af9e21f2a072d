package io.kmodel.indexer.indexing.options;

import io.kmodel.indexer.index.PostingsPart;
import io.kmodel.indexer.store.disk.FreeFiles;

/** Limits the concurrency of a build if the process may open few files, see {@link FreeFiles}. */
public final class FileLimits {
  /**
   * Files of a parser: a file of the crawl, its directory (two descriptors), a run, stored texts,
   * columns, skips, ids and signatures.
   */
  private static final int PER_PARSER = 9;

  /** More than a driver opens for a device. */
  private static final int PER_DEVICE = 64;

  private FileLimits() {}

  /** Threads that may parse: at most those wanted, at least 1. */
  public static int parsers(int free, int wanted) {
    return Math.clamp(free / PER_PARSER, 1, wanted);
  }

  /** Free files once a device is open. */
  public static int besideDevice(int free) {
    return Math.max(0, free - PER_DEVICE);
  }

  /** Whether there are enough files for all threads and a device. */
  public static boolean areMany(int free, int threads) {
    return besideDevice(free) / PER_PARSER >= threads;
  }

  /** Runs that may be open during a merge, at least 2: half of the free files. */
  public static int runs(int free, int wanted) {
    return Math.clamp(free / 2, 2, wanted);
  }

  /** Term ranges that may be in progress: at most those wanted, at least 1. */
  public static int ranges(int free, int wanted) {
    return Math.clamp(free / PostingsPart.FILES, 1, wanted);
  }
}
