package io.kmodel.indexer.cli;

import com.sun.management.OperatingSystemMXBean;
import io.kmodel.indexer.build.BuildOptions;
import io.kmodel.indexer.experiment.JavaOptions;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how much of the machine to use. */
final class Resources {
  /** Set by the launcher, which has to choose the heap's size before Java starts. */
  private static final String MEMORY_PROPERTY = "indexer.memory";

  private static final long DEFAULT_MEMORY_BYTES = 4L << 30;

  /** A third more than the least that a build gives a thread's run. */
  private static final long RUN_BYTES = 32L << 20;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Threads to use (default: one per processor, or as many as the memory has room for).")
  private @Nullable Integer threads;

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
    int wanted =
        threads != null
            ? threads
            : defaultThreads(
                Runtime.getRuntime().availableProcessors(),
                memoryBytes - Runtime.getRuntime().maxMemory());
    return new BuildOptions.Resources(wanted, memoryBytes);
  }

  /** What there is to say of the memory that was asked for, if anything. */
  Optional<String> doubt() {
    return doubt(memoryBytes, machineBytes());
  }

  static Optional<String> doubt(long wantedBytes, long machineBytes) {
    return wantedBytes <= machineBytes
        ? Optional.empty()
        : Optional.of(
            "--memory is %s, and this machine (or container) has %s: a crawl that is large enough may use it up"
                .formatted(ByteSize.format(wantedBytes), ByteSize.format(machineBytes)));
  }

  /** The same for a process of this budget, beside this one. */
  static int defaultThreads(long memoryBytes) {
    return defaultThreads(
        Runtime.getRuntime().availableProcessors(),
        memoryBytes - JavaOptions.heapBytes(memoryBytes));
  }

  /**
   * Threads where none were asked for, at least 1.
   *
   * @param offHeapBytes what is left of the budget beside the heap
   */
  static int defaultThreads(int processors, long offHeapBytes) {
    return Math.toIntExact(Math.clamp(offHeapBytes / RUN_BYTES, 1L, processors));
  }

  private static long defaultMemoryBytes() {
    String launcher = System.getProperty(MEMORY_PROPERTY);
    if (launcher != null) {
      return ByteSize.parse(launcher);
    }
    return Math.min(DEFAULT_MEMORY_BYTES, machineBytes() / 2);
  }

  /** Memory of the machine, or of the container if that may use less. */
  private static long machineBytes() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }
}
