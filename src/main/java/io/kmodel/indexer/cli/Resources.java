package io.kmodel.indexer.cli;

import com.sun.management.OperatingSystemMXBean;
import io.kmodel.indexer.build.BuildOptions;
import java.lang.management.ManagementFactory;
import picocli.CommandLine.Option;

/** The options that say how much of the machine to use. */
final class Resources {
  /** Set by the launcher, which has to choose the heap's size before Java starts. */
  private static final String MEMORY_PROPERTY = "indexer.memory";

  private static final long DEFAULT_MEMORY_BYTES = 4L << 30;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads to use (default: one per processor).")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = ByteSize.class,
      description = {
        "Memory for the whole process, like 800m or 4g (default: half of the machine's, at most 4g).",
        "Also: INDEXER_MEMORY in the environment."
      })
  private long memoryBytes = defaultMemoryBytes();

  BuildOptions.Resources toOptions() {
    return new BuildOptions.Resources(threads, memoryBytes);
  }

  private static long defaultMemoryBytes() {
    String launcher = System.getProperty(MEMORY_PROPERTY);
    if (launcher != null) {
      return ByteSize.parse(launcher);
    }
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return Math.min(DEFAULT_MEMORY_BYTES, system.getTotalMemorySize() / 2);
  }
}
