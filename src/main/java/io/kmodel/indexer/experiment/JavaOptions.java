package io.kmodel.indexer.experiment;

import com.google.common.collect.ImmutableList;

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

  private JavaOptions() {}

  /** The heap that a build gets of its memory budget: two fifths, at least 128 MiB. */
  public static long heapBytes(long memoryBytes) {
    return Math.max(128, (memoryBytes >> 20) * 2 / 5) << 20;
  }

  /** A call of {@code java} up to the class to run. */
  static ImmutableList<String> ofBuild(long memoryBytes) {
    return ImmutableList.<String>builder()
        .addAll(java(heapBytes(memoryBytes)))
        .add(SMALL_PIECES)
        .addAll(program())
        .build();
  }

  /** The same for the rival, which gets all of the memory as its heap. */
  static ImmutableList<String> ofRival(long memoryBytes) {
    return ImmutableList.<String>builder().addAll(java(memoryBytes)).addAll(program()).build();
  }

  private static ImmutableList<String> java(long heapBytes) {
    return ImmutableList.of(
        ProcessHandle.current().info().command().orElse("java"),
        "-XX:+UseParallelGC",
        "-Xmx" + (heapBytes >> 20) + "m",
        "--enable-native-access=ALL-UNNAMED",
        "-Djdk.nio.maxCachedBufferSize=262144");
  }

  private static ImmutableList<String> program() {
    return ImmutableList.of(
        "-cp", System.getProperty("java.class.path"), "io.kmodel.indexer.cli.Main");
  }
}
