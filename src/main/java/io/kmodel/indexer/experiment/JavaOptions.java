package io.kmodel.indexer.experiment;

import com.google.common.collect.ImmutableList;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * How the experiments start a Java process that builds an index: with the options that bin/indexer
 * uses, and the start cache of this process if it has one.
 */
public final class JavaOptions {
  /**
   * The longest method, in bytes of code, that C2 inlines because it is called often; Java's
   * default is 325. It saves a build a fifth to two fifths of its processor time, and IndexWriter
   * nothing.
   */
  public static final String SMALL_PIECES = "-XX:FreqInlineSize=50";

  /** Names the start cache, an AOT cache that config/package.sh makes. */
  private static final String CACHE = "-XX:AOTCache=";

  /** Keeps Java from reporting a cache that does not fit. */
  private static final String SILENT = "-Xlog:aot*=off,cds*=off:stderr";

  /** The property by which bin/indexer passes the directory of the installation. */
  public static final String HOME = "indexer.home";

  private JavaOptions() {}

  /** The heap of a build: two fifths of its memory budget, at least 128 MiB. */
  public static long heapBytes(long memoryBytes) {
    return Math.max(128, (memoryBytes >> 20) * 2 / 5) << 20;
  }

  /** The {@code java} command line of our build, up to the arguments of the program. */
  public static ImmutableList<String> ofBuild(long memoryBytes) {
    return java(heapBytes(memoryBytes), ImmutableList.of(SMALL_PIECES), ofThis());
  }

  /** The same for the rival, whose heap is the whole budget. */
  public static ImmutableList<String> ofRival(long memoryBytes) {
    return java(memoryBytes, ImmutableList.of(), ofThis());
  }

  /** Whether the processes that this one starts have a start cache. */
  public static boolean haveCache() {
    return !cache(ofThis()).isEmpty();
  }

  /**
   * A {@code java} command line with a start cache if this process has one.
   *
   * @param ours the options of this process
   */
  public static ImmutableList<String> java(long heapBytes, List<String> more, List<String> ours) {
    return ImmutableList.<String>builder()
        .add(ProcessHandle.current().info().command().orElse("java"))
        .add("-Xlog:disable", "-Xlog:all=warning:stderr")
        .add("-XX:+UseParallelGC", "-Xmx" + (heapBytes >> 20) + "m")
        .add("--enable-native-access=ALL-UNNAMED")
        .add("-Djdk.nio.maxCachedBufferSize=262144", "-Djdk.util.jar.version=21")
        .addAll(more)
        .addAll(cache(ours))
        .add("-cp", System.getProperty("java.class.path"), "io.kmodel.indexer.cli.Main")
        .build();
  }

  private static ImmutableList<String> cache(List<String> ours) {
    return ours.stream()
        .filter(option -> option.startsWith(CACHE))
        .findFirst()
        .map(option -> ImmutableList.of(option, SILENT))
        .orElse(ImmutableList.of());
  }

  private static List<String> ofThis() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments();
  }
}
