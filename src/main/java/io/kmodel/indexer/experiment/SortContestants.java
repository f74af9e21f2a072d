package io.kmodel.indexer.experiment;

import io.kmodel.indexer.gpu.GpuProbe;
import io.kmodel.indexer.sort.RadixKeySorter;
import io.kmodel.indexer.sort.device.DeviceSorters;
import io.kmodel.indexer.sort.device.PairSorter;
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
 * The sorters available for a race, by name. {@code radix-8} and {@code buffered-radix-8} use
 * digits of 8 bits; other widths are possible. Names of sorters on a GPU start with {@code gpu-}.
 */
public final class SortContestants {
  /** The JDK reads this property when it creates the common pool, which its parallel sorts use. */
  private static final String COMMON_POOL = "java.util.concurrent.ForkJoinPool.common.parallelism";

  public static final String SIMD_MERGE = "simd-merge";

  /** The sorters of a race that names none. */
  public static final List<String> DEFAULT =
      List.of("radix", SIMD_MERGE, "buffered-radix-11", "arrays-sort", "arrays-parallel-sort");

  private static final List<String> NAMES =
      List.of("radix", SIMD_MERGE, "arrays-sort", "arrays-parallel-sort");

  private static final Pattern RADIX = Pattern.compile("(buffered-)?radix-(\\d{1,2})");

  private SortContestants() {}

  /** Whether a sorter of this name runs on a GPU. */
  public static boolean isOnDevice(String name) {
    return name.startsWith(DeviceContestant.PREFIX);
  }

  /** Creates a contestant on a device. */
  static SortContestant create(String name, SortSetting setting, RaceDevice device) {
    return PairSorter.names().contains(onDevice(name))
        ? new PairContestant(name, setting, device)
        : new DeviceContestant(name, setting, device);
  }

  private static String onDevice(String name) {
    return name.substring(DeviceContestant.PREFIX.length());
  }

  /**
   * Creates a contestant on the CPU with the memory that it needs.
   *
   * @throws IllegalArgumentException if the sorter does not exist or cannot run on this machine
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
   * Checks a name before a race starts.
   *
   * @throws IllegalArgumentException if there is no such sorter
   */
  public static void requireKnown(String name) {
    if (isOnDevice(name)) {
      if (!PairSorter.names().contains(onDevice(name))) {
        DeviceSorters.of(onDevice(name), Long.BYTES);
      }
      return;
    }
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
        "unknown sorter '%s'; available: %s, radix-N and buffered-radix-N for digits of N bits, 1 to %d; on a GPU: gpu-%s, gpu-%s"
            .formatted(
                name,
                String.join(", ", NAMES),
                RadixKeySorter.MOST_DIGIT_BITS,
                String.join(", gpu-", DeviceSorters.names()),
                String.join(", gpu-", PairSorter.names())));
  }

  /** The reason why a sorter cannot be used on this machine, or empty if it can. */
  public static Optional<String> whyNot(String name) {
    if (isOnDevice(name)) {
      return RaceDevice.whyNot(GpuProbe.look());
    }
    VectorSupport vectors = VectorSupport.probe();
    return name.equals(SIMD_MERGE) && !vectors.isUsable()
        ? Optional.of(vectors.reason())
        : Optional.empty();
  }

  /** The number of given threads that a sorter uses; a build gives each run one. */
  static int threads(String name, int given) {
    return switch (name) {
      case SIMD_MERGE -> given;
      case "arrays-parallel-sort" -> jdkThreads(given, ForkJoinPool.getCommonPoolParallelism());
      default -> 1;
    };
  }

  /** Limits the JDK's common pool before anything uses it, for its parallel sorts. */
  public static void limitJdkPool(int given) {
    System.setProperty(COMMON_POOL, Integer.toString(jdkPool(given)));
  }

  /** Threads that the JDK's parallel sorts use of given ones, with the pool of that size. */
  public static int jdkThreads(int given) {
    return jdkThreads(given, jdkPool(given));
  }

  /**
   * The size of the JDK's common pool with which its parallel sort uses no more than the given
   * threads: the calling thread works besides the pool.
   */
  static int jdkPool(int given) {
    return Math.max(1, given - 1);
  }

  /** Threads used by the JDK's parallel sort; with a pool of one thread it sorts sequentially. */
  static int jdkThreads(int given, int pool) {
    return pool > 1 ? Math.min(given, pool + 1) : 1;
  }
}
