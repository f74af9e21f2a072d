package io.kmodel.indexer.store;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;

/** How many files the process may open beside those that are open, where the system says so. */
public final class FreeFiles {
  /** For what is opened for a moment, and for libraries that are loaded late. */
  private static final int RESERVED = 10;

  private static final int UNKNOWN = 1 << 20;

  private FreeFiles() {}

  /** How many more may be open, 0 or more. */
  public static int count() {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    if (system instanceof UnixOperatingSystemMXBean unix) {
      return count(unix.getMaxFileDescriptorCount(), unix.getOpenFileDescriptorCount());
    }
    return UNKNOWN;
  }

  /**
   * The same.
   *
   * @param most that may be open; not positive where there is no limit
   */
  static int count(long most, long open) {
    return most <= 0 ? UNKNOWN : (int) Math.clamp(most - open - RESERVED, 0L, UNKNOWN);
  }
}
