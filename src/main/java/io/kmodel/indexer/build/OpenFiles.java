package io.kmodel.indexer.build;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;

/** How many files the process may open beside those that are open, where the system says so. */
final class OpenFiles {
  /** For what a build opens for a moment, and for libraries that are loaded late. */
  private static final int RESERVED = 10;

  /**
   * A thread that parses has a file of the crawl open, its directory (which are two), a run, texts,
   * skips and ids.
   */
  private static final int PER_PARSER = 8;

  /** More than the driver of one opens. */
  private static final int PER_DEVICE = 64;

  /** A range of terms in the making is three files. */
  private static final int PER_RANGE = 3;

  private static final int UNKNOWN = 1 << 20;

  private OpenFiles() {}

  /** How many more may be open, 0 or more. */
  static int free() {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    if (system instanceof UnixOperatingSystemMXBean unix) {
      return free(unix.getMaxFileDescriptorCount(), unix.getOpenFileDescriptorCount());
    }
    return UNKNOWN;
  }

  /**
   * The same.
   *
   * @param most that may be open; not positive where there is no limit
   */
  static int free(long most, long open) {
    return most <= 0 ? UNKNOWN : (int) Math.clamp(most - open - RESERVED, 0L, UNKNOWN);
  }

  /** Threads that may parse, of those that are wanted; at least 1. */
  static int parsers(int free, int wanted) {
    return Math.clamp(free / PER_PARSER, 1, wanted);
  }

  /** Those that are free when a device is open, too, which is only being opened. */
  static int besideDevice(int free) {
    return Math.max(0, free - PER_DEVICE);
  }

  /** Whether all threads may parse, and a device be opened, beside what else goes on. */
  static boolean areMany(int free, int threads) {
    return besideDevice(free) / PER_PARSER >= threads;
  }

  /** Runs that may be open while others are merged, at least 2: half of what there is. */
  static int runs(int free, int wanted) {
    return Math.clamp(free / 2, 2, wanted);
  }

  /** Ranges that may be in the making, of those that are wanted; at least 1. */
  static int ranges(int free, int wanted) {
    return Math.clamp(free / PER_RANGE, 1, wanted);
  }
}
