package io.kmodel.indexer.experiment;

import io.kmodel.indexer.sort.RadixKeySorter;
import io.kmodel.indexer.sort.lab.BufferedRadixKeySorter;
import io.kmodel.indexer.sort.lab.SimdMergeSorter;
import io.kmodel.indexer.sort.lab.VectorSupport;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sorters that a race can have, by name. {@code radix-8} and {@code buffered-radix-8} take
 * digits of 8 bits, or of as many as the name says.
 */
public final class SortContestants {
  static final String SIMD_MERGE = "simd-merge";

  /** Those of a race that names none. */
  public static final List<String> DEFAULT =
      List.of("radix", SIMD_MERGE, "buffered-radix-11", "arrays-sort", "arrays-parallel-sort");

  private static final List<String> NAMES =
      List.of("radix", SIMD_MERGE, "arrays-sort", "arrays-parallel-sort");

  private static final Pattern RADIX = Pattern.compile("(buffered-)?radix-(\\d{1,2})");

  private SortContestants() {}

  /**
   * Makes a contestant with the memory that it needs.
   *
   * @throws IllegalArgumentException if there is no such sorter, or not on this machine
   */
  public static SortContestant create(String name, SortSetting setting) {
    String missing = whyNot(name).orElse("");
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(name + " cannot be used: " + missing);
    }
    Matcher radix = RADIX.matcher(name);
    if (radix.matches()) {
      int bits = Integer.parseInt(radix.group(2));
      return new OffHeapContestant(
          name,
          radix.group(1) == null ? new RadixKeySorter(bits) : new BufferedRadixKeySorter(bits),
          setting);
    }
    return switch (name) {
      case "radix" -> new OffHeapContestant(name, new RadixKeySorter(), setting);
      case SIMD_MERGE ->
          new OffHeapContestant(name, new SimdMergeSorter(setting.threads()), setting);
      case "arrays-sort" -> new ArrayContestant(name, Arrays::sort, setting);
      case "arrays-parallel-sort" -> new ArrayContestant(name, Arrays::parallelSort, setting);
      default -> throw unknown(name);
    };
  }

  /**
   * Looks at a name before a race begins.
   *
   * @throws IllegalArgumentException if there is no such sorter
   */
  public static void requireKnown(String name) {
    Matcher radix = RADIX.matcher(name);
    boolean known = NAMES.contains(name);
    if (radix.matches()) {
      int bits = Integer.parseInt(radix.group(2));
      known = bits >= 1 && bits <= RadixKeySorter.MOST_DIGIT_BITS;
    }
    if (!known) {
      throw unknown(name);
    }
  }

  private static IllegalArgumentException unknown(String name) {
    return new IllegalArgumentException(
        "no sorter '%s'; there are %s, and radix-N and buffered-radix-N for digits of N bits, 1 to %d"
            .formatted(name, String.join(", ", NAMES), RadixKeySorter.MOST_DIGIT_BITS));
  }

  /** Why a sorter cannot be used here, or nothing if it can. */
  public static Optional<String> whyNot(String name) {
    VectorSupport vectors = VectorSupport.probe();
    return name.equals(SIMD_MERGE) && !vectors.isUsable()
        ? Optional.of(vectors.reason())
        : Optional.empty();
  }

  /** Threads that a sorter uses of those that it is given; a build gives each run one. */
  static int threads(String name, int given) {
    return switch (name) {
      case SIMD_MERGE -> given;
      case "arrays-parallel-sort" -> jdkThreads(given, ForkJoinPool.getCommonPoolParallelism());
      default -> 1;
    };
  }

  /**
   * Threads that the JDK's own pool, which its parallel sort uses, has to have so that this does
   * not use more than it is given: the thread that asks for the sort works beside the pool.
   */
  public static int jdkPool(int given) {
    return Math.max(1, given - 1);
  }

  /** The JDK sorts in one thread where its pool has one: with two threads given, too. */
  static int jdkThreads(int given, int pool) {
    return pool > 1 ? Math.min(given, pool + 1) : 1;
  }
}
