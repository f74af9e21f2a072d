package io.kmodel.indexer.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The input of the sorters in one race.
 *
 * @param keys number of keys, of 8 bytes each
 * @param bits width of a key, 1 to 62
 * @param threads for sorters that can use several
 */
public record SortSetting(long keys, int bits, KeyDistribution distribution, int threads) {
  /** The maximum that fits in an array, which some sorters need. */
  public static final long MOST_KEYS = 1L << 30;

  public SortSetting {
    requireKeys(keys);
    if (bits < 1 || bits > 62) {
      throw new IllegalArgumentException("bits must be 1 to 62; got " + bits);
    }
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1; got " + threads);
    }
  }

  /** Every combination of the arguments; sizes vary fastest. */
  public static List<SortSetting> all(
      List<Long> keys, List<Integer> bits, List<KeyDistribution> distributions, int threads) {
    List<SortSetting> settings = new ArrayList<>();
    for (KeyDistribution distribution : distributions) {
      for (int width : bits) {
        for (long count : keys) {
          settings.add(new SortSetting(count, width, distribution, threads));
        }
      }
    }
    return settings;
  }

  /**
   * Rejects a number of keys that is not possible.
   *
   * @throws IllegalArgumentException if it is not from 1 to {@link #MOST_KEYS}
   */
  public static void requireKeys(long keys) {
    if (keys < 1 || keys > MOST_KEYS) {
      throw new IllegalArgumentException("keys must be 1 to %d; got %d".formatted(MOST_KEYS, keys));
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,d %s keys of %d bits, %d thread%s",
        keys,
        distribution.name().toLowerCase(Locale.ROOT),
        bits,
        threads,
        threads == 1 ? "" : "s");
  }
}
