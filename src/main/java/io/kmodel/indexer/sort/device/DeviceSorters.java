package io.kmodel.indexer.sort.device;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** The sorters on devices by name. */
public final class DeviceSorters {
  private static final Map<String, IntFunction<DeviceSorter>> SORTERS =
      ImmutableMap.<String, IntFunction<DeviceSorter>>builder()
          .put("network", NetworkSorter::new)
          .put("radix", RadixSorter::new)
          .put("split", SplitSorter::ofSatish)
          .put("split-1", SplitSorter::ofSengupta)
          .put("merge", MergeSorter::byPath)
          .put("merge-search", MergeSorter::bySearch)
          .put("bitonic-merge", MergeSorter::byNetworks)
          .put("quicksort", QuickSorter::new)
          .put("sample-sort", SampleSorter::new)
          .buildOrThrow();

  private DeviceSorters() {}

  public static List<String> names() {
    return List.copyOf(SORTERS.keySet());
  }

  /**
   * Returns a sorter.
   *
   * @param keyBytes 4 or 8
   * @throws IllegalArgumentException if there is no such sorter
   */
  public static DeviceSorter of(String name, int keyBytes) {
    IntFunction<DeviceSorter> sorter = SORTERS.get(name);
    if (sorter == null) {
      throw new IllegalArgumentException(
          "unknown sorter '%s' of a GPU; available: %s; of keys with values: %s"
              .formatted(
                  name,
                  String.join(", ", SORTERS.keySet()),
                  String.join(", ", PairSorter.names())));
    }
    return sorter.apply(keyBytes);
  }
}
