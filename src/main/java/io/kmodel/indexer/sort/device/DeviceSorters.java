package io.kmodel.indexer.sort.device;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.sort.device.DeviceRecords.Layout;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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

  private static final Map<String, Function<Layout, RecordSorter>> OF_RECORDS =
      ImmutableMap.<String, Function<Layout, RecordSorter>>builder()
          .put("sample-direct", SampleRecords::new)
          .put("sample-indirect", layout -> indirect(SampleRecords::new, layout))
          .put("radix-direct", RadixRecords::new)
          .put("radix-indirect", layout -> indirect(RadixRecords::new, layout))
          .put("grs-direct", GrsRecords::new)
          .put("grs-indirect", layout -> indirect(GrsRecords::new, layout))
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
          "unknown sorter '%s' of a GPU; available: %s"
              .formatted(name, String.join(", ", SORTERS.keySet())));
    }
    return sorter.apply(keyBytes);
  }

  /** The names of the sorters of records. */
  public static List<String> namesOfRecordSorters() {
    return List.copyOf(OF_RECORDS.keySet());
  }

  /**
   * Returns a sorter of records.
   *
   * @throws IllegalArgumentException if there is no such sorter
   */
  public static RecordSorter ofRecords(String name, Layout layout) {
    Function<Layout, RecordSorter> sorter = OF_RECORDS.get(name);
    if (sorter == null) {
      throw new IllegalArgumentException(
          "unknown sorter '%s' of records; available: %s"
              .formatted(name, String.join(", ", OF_RECORDS.keySet())));
    }
    return sorter.apply(layout);
  }

  /** Pairs of two words are sorted by field for each layout of the records. */
  private static RecordSorter indirect(Function<Layout, RecordSorter> direct, Layout layout) {
    return new IndirectRecords(direct.apply(Layout.BY_FIELD), layout);
  }
}
