package io.kmodel.indexer.experiment;

import com.google.common.collect.ImmutableList;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a Java is started that builds indexes in a process of its own: as bin/indexer starts it,
 * which computes the same.
 */
public final class JavaOptions {
  /**
   * The longest method, in bytes of code, that the compiler makes part of its caller since it is
   * called often; Java's own choice is 325. A build takes a fifth to two fifths less processor time
   * by this, IndexWriter none (docs/performance.md).
   */
  static final String SMALL_PIECES = "-XX:FreqInlineSize=50";

  /** What the compiler of Java 25 is told besides, in a file of the installation. */
  private static final String TOLD = "-XX:CompileCommandFile=%s/config/compiler.txt";

  /** What bin/indexer gives Java to begin with, and with it what keeps Java from complaining. */
  private static final String LEARNED = "-XX:AOTCache=";

  static final String SILENT = "-Xlog:aot*=off,cds*=off:stderr";

  /** What has Java write down what it has learned, when it ends. */
  private static final String LEARNS = "-XX:AOTCacheOutput=";

  /** The property by which bin/indexer says where the installation is. */
  public static final String HOME = "indexer.home";

  private JavaOptions() {}

  /** The heap that a build gets of its memory budget: two fifths, at least 128 MiB. */
  public static long heapBytes(long memoryBytes) {
    return Math.max(128, (memoryBytes >> 20) * 2 / 5) << 20;
  }

  /**
   * A call of {@code java} up to the class to run.
   *
   * @param more {@link #learning}, {@link #knowing}, {@link #inherited} or nothing
   */
  static ImmutableList<String> ofBuild(long memoryBytes, List<String> more) {
    return ImmutableList.<String>builder()
        .addAll(java(heapBytes(memoryBytes)))
        .add(SMALL_PIECES)
        .addAll(told(System.getProperty(HOME), Runtime.version().feature()).stream().iterator())
        .addAll(more)
        .addAll(program())
        .build();
  }

  /**
   * What the compiler is told in builds, of the installation that this process was started from.
   *
   * @param home where that is; null where bin/indexer has not started this process
   * @param java the feature release
   */
  static Optional<String> told(@Nullable String home, int java) {
    return java == 25 ? Optional.ofNullable(home).map(TOLD::formatted) : Optional.empty();
  }

  /** The same for the rival, which gets all of the memory as its heap. */
  static ImmutableList<String> ofRival(long memoryBytes, List<String> more) {
    return ImmutableList.<String>builder()
        .addAll(java(memoryBytes))
        .addAll(more)
        .addAll(program())
        .build();
  }

  /** What has a process write down what Java learns in it. */
  static ImmutableList<String> learning(Path file) {
    return ImmutableList.of(LEARNS + file, SILENT);
  }

  /** What has a process begin with what Java has learned in an earlier one, or fail. */
  static ImmutableList<String> knowing(Path file) {
    return ImmutableList.of(LEARNED + file, "-XX:AOTMode=on", SILENT);
  }

  /** What this process began with, if it began with what Java had learned. */
  static ImmutableList<String> inherited() {
    return learned(ofThis())
        .map(option -> ImmutableList.of(option, SILENT))
        .orElse(ImmutableList.of());
  }

  /** The option by which a process begins with what Java learned in an earlier one. */
  static Optional<String> learned(List<String> options) {
    return options.contains("-XX:AOTMode=off")
        ? Optional.empty()
        : options.stream().filter(option -> option.startsWith(LEARNED)).findFirst();
  }

  /** How this process was started. */
  static List<String> ofThis() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments();
  }

  private static ImmutableList<String> java(long heapBytes) {
    return ImmutableList.of(
        ProcessHandle.current().info().command().orElse("java"),
        "-Xlog:disable",
        "-Xlog:all=warning:stderr",
        "-XX:+UseParallelGC",
        "-Xmx" + (heapBytes >> 20) + "m",
        "--enable-native-access=ALL-UNNAMED",
        "-Djdk.nio.maxCachedBufferSize=262144",
        "-Djdk.util.jar.version=21");
  }

  private static ImmutableList<String> program() {
    return ImmutableList.of(
        "-cp", System.getProperty("java.class.path"), "io.kmodel.indexer.cli.Main");
  }
}
