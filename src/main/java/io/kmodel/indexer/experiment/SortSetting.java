package io.kmodel.indexer.experiment;

import java.util.Locale;

/**
 * What the sorters of one race are given.
 *
 * @param keys how many, each of 8 bytes
 * @param bits that a key has, 1 to 62
 * @param threads for the sorters that can use several
 */
public record SortSetting(long keys, int bits, KeyDistribution distribution, int threads) {
  /** As many as fit in an array, which some rivals sort. */
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

  /**
   * Refuses a number of keys that no race can have.
   *
   * @throws IllegalArgumentException if it is none from 1 to {@link #MOST_KEYS}
   */
  static void requireKeys(long keys) {
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
