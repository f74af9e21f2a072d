package io.kmodel.indexer.cli.option;

import com.sun.management.OperatingSystemMXBean;
import io.kmodel.indexer.cli.base.ByteSize;
import io.kmodel.indexer.experiment.JavaOptions;
import io.kmodel.indexer.indexing.options.BuildOptions;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for threads and memory. */
public final class Resources {
  /** Set by the launcher, which must choose the heap size before Java starts. */
  private static final String MEMORY_PROPERTY = "indexer.memory";

  private static final long DEFAULT_MEMORY_BYTES = 4L << 30;

  /** A third more than the minimum that a build gives a thread's run. */
  private static final long RUN_BYTES = 32L << 20;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Use N threads (default: one per processor, or as many as the memory allows).")
  private @Nullable Integer threads;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = ByteSize.class,
      description = {
        "Limit the whole process to SIZE, like 800m or 4g (default: half of the machine's memory,"
            + " at most 4g).",
        "Also: INDEXER_MEMORY in the environment."
      })
  private long memoryBytes = defaultMemoryBytes();

  public BuildOptions.Resources toOptions() {
    int wanted =
        threads != null
            ? threads
            : defaultThreads(
                Runtime.getRuntime().availableProcessors(),
                memoryBytes - Runtime.getRuntime().maxMemory());
    return new BuildOptions.Resources(wanted, memoryBytes);
  }

  /** Returns a warning about the requested memory, if any. */
  public Optional<String> doubt() {
    return doubt(memoryBytes, machineBytes());
  }

  static Optional<String> doubt(long wantedBytes, long machineBytes) {
    return wantedBytes <= machineBytes
        ? Optional.empty()
        : Optional.of(
            "--memory is %s, but this machine (or container) has %s: a large crawl may use it up"
                .formatted(ByteSize.format(wantedBytes), ByteSize.format(machineBytes)));
  }

  /** Returns the default number of threads of a separate process with this budget. */
  public static int defaultThreads(long memoryBytes) {
    return defaultThreads(
        Runtime.getRuntime().availableProcessors(),
        memoryBytes - JavaOptions.heapBytes(memoryBytes));
  }

  /**
   * Returns the default number of threads, at least 1.
   *
   * @param offHeapBytes the part of the budget outside the heap
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

  /** Returns the memory of the machine, or the container's limit if that is lower. */
  private static long machineBytes() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }
}
