package io.kmodel.indexer.indexing.report;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.indexing.options.BuildOptions.Resources;
import io.kmodel.indexer.source.RemotePath;
import io.kmodel.indexer.source.remote.RemoteCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where and how a build ran. Texts that the system does not tell are empty.
 *
 * @param version of the program
 * @param started when the process began with the build, in ISO 8601
 * @param host name of the machine
 * @param java version and vendor of Java
 * @param command the program's arguments; empty if it was not started by its launcher, and cut off
 *     after {@value #MOST_ARGUMENTS}
 * @param cores processors that Java may use
 * @param memoryBytes the budget
 * @param cpuSeconds processor time of the process during the build, -1 if unknown
 * @param readDocuments documents that this process has read; those that it read twice count twice,
 *     and those that an interrupted build had read do not count
 * @param readBytes their bytes, decompressed
 * @param remote requests to servers; null without any, and in earlier reports
 */
public record Execution(
    String version,
    String started,
    String host,
    String java,
    List<String> command,
    int cores,
    int threads,
    long memoryBytes,
    double cpuSeconds,
    long readDocuments,
    long readBytes,
    @Nullable Remote remote) {
  /**
   * Requests to servers.
   *
   * @param retries how often one was repeated, or continued after a broken connection
   * @param bytes of files, as they are on the servers
   */
  public record Remote(long requests, long retries, long bytes) {}

  private static final int MOST_ARGUMENTS = 200;
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  /** The execution of a build that began so many nanoseconds ago, by this process. */
  static Execution of(
      Resources resources, long nanosAgo, double cpuSeconds, BuildProgress progress) {
    String version = Execution.class.getPackage().getImplementationVersion();
    return new Execution(
        version == null ? "" : version,
        Instant.now().minusNanos(nanosAgo).truncatedTo(ChronoUnit.SECONDS).toString(),
        hostName(),
        System.getProperty("java.version") + ", " + System.getProperty("java.vendor"),
        command(ProcessHandle.current().info().arguments().orElse(new String[0])),
        Runtime.getRuntime().availableProcessors(),
        resources.threads(),
        resources.memoryBytes(),
        cpuSeconds,
        progress.ownDocuments(),
        progress.ownBytes(),
        remote(progress.remote()));
  }

  private static @Nullable Remote remote(RemoteCounts counts) {
    return counts.requests() == 0
        ? null
        : new Remote(counts.requests(), counts.retries(), counts.bytes());
  }

  private static String hostName() {
    try {
      return Files.readString(HOST_NAME).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /** The arguments after the program's jar, without the queries of URLs, which may be secret. */
  static List<String> command(String[] java) {
    int jar = Arrays.asList(java).indexOf("-jar");
    return jar < 0
        ? List.of()
        : Arrays.stream(java)
            .skip(jar + 2L)
            .limit(MOST_ARGUMENTS)
            .map(word -> RemotePath.isUrl(word) ? RemotePath.of(word).toString() : word)
            .collect(ImmutableList.toImmutableList());
  }
}
