package io.kmodel.indexer.store.disk;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;

/** How many more files the process may open, if the system reports a limit. */
public final class FreeFiles {
  /** Reserved for files opened briefly, and for libraries that are loaded late. */
  private static final int RESERVED = 10;

  private static final int UNKNOWN = 1 << 20;

  private FreeFiles() {}

  /** The number of files that may still be opened; at least 0. */
  public static int count() {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    if (system instanceof UnixOperatingSystemMXBean unix) {
      return count(unix.getMaxFileDescriptorCount(), unix.getOpenFileDescriptorCount());
    }
    return UNKNOWN;
  }

  /**
   * Computes the number of files that may still be opened.
   *
   * @param most the limit of open files; not positive if there is none
   */
  static int count(long most, long open) {
    return most <= 0 ? UNKNOWN : (int) Math.clamp(most - open - RESERVED, 0L, UNKNOWN);
  }
}
