package io.kmodel.indexer.experiment;

import java.util.ArrayList;
import java.util.List;

/**
 * A series of races of the same sorters with different keys.
 *
 * @param title heading of the results
 * @param sorters the first is the baseline of the comparison
 */
public record SortStudy(String title, List<String> sorters, List<SortSetting> settings) {
  /** Width of the keys in most of the paper's figures. */
  private static final int PAPERS_BITS = 32;

  /** Size of the smallest race in comparisons by number of keys. */
  private static final long LEAST_KEYS = 1L << 16;

  private static final List<String> BOTH = List.of("radix", SortContestants.SIMD_MERGE);

  /** In descending order of entropy. */
  private static final List<KeyDistribution> ENTROPIES =
      List.of(
          KeyDistribution.UNIFORM,
          KeyDistribution.AND_2,
          KeyDistribution.AND_3,
          KeyDistribution.AND_4,
          KeyDistribution.AND_5,
          KeyDistribution.ALL_EQUAL);

  private static final List<KeyDistribution> OTHERS =
      List.of(
          KeyDistribution.GAUSSIAN,
          KeyDistribution.ZIPF,
          KeyDistribution.SORTED,
          KeyDistribution.REVERSED);

  public SortStudy {
    sorters = List.copyOf(sorters);
    settings = List.copyOf(settings);
  }

  /** Every combination of the arguments; sizes vary fastest. */
  public static List<SortSetting> settings(
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
   * The comparisons on CPUs of Satish et al., Fast Sort on CPUs and GPUs: the effect of buffers and
   * digit widths on radix sort (section 4.3.1), Figures 5, 6 and 7, and Table 1. Both sorts are
   * also compared by distributions that the paper does not have.
   *
   * @param mostKeys size of the largest race, 2^16 to {@link SortSetting#MOST_KEYS}
   */
  public static List<SortStudy> ofThePaper(long mostKeys, int threads) {
    SortSetting.requireKeys(mostKeys);
    if (mostKeys < LEAST_KEYS) {
      throw new IllegalArgumentException(
          "the paper's comparisons need %d keys or more; got %d".formatted(LEAST_KEYS, mostKeys));
    }
    List<Long> sizes = new ArrayList<>();
    for (long keys = LEAST_KEYS; keys <= mostKeys; keys *= 4) {
      sizes.add(keys);
    }
    List<Long> most = List.of(mostKeys);
    List<KeyDistribution> uniform = List.of(KeyDistribution.UNIFORM);
    return List.of(
        new SortStudy(
            "Radix sort: buffers and bits of a digit (section 4.3.1)",
            List.of("radix", "radix-8", "buffered-radix-11", "buffered-radix-8"),
            settings(most, List.of(22, PAPERS_BITS, 44, 62), uniform, threads)),
        new SortStudy(
            "Both sorts by number of keys (Figure 5)",
            BOTH,
            settings(sizes, List.of(PAPERS_BITS), uniform, threads)),
        new SortStudy(
            "Both sorts by entropy: the bitwise AND of 1 to 5 random words, 32 to 6.4 bits, and"
                + " equal keys (Figure 6)",
            BOTH,
            settings(most, List.of(PAPERS_BITS), ENTROPIES, threads)),
        new SortStudy(
            "Both sorts by other distributions (not in the paper)",
            BOTH,
            settings(most, List.of(PAPERS_BITS), OTHERS, threads)),
        new SortStudy(
            "Both sorts by bits of a key (Figure 7)",
            BOTH,
            settings(most, List.of(22, PAPERS_BITS, 44, 62), uniform, threads)),
        new SortStudy(
            "All sorts (Table 1)",
            SortContestants.DEFAULT,
            settings(sizes, List.of(PAPERS_BITS), uniform, threads)));
  }
}
