package io.kmodel.indexer.sort.device.records;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.sort.device.records.DeviceRecords.Layout;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The sorters of records by name. */
public final class RecordSorters {
  private static final Map<String, Function<Layout, RecordSorter>> SORTERS =
      ImmutableMap.<String, Function<Layout, RecordSorter>>builder()
          .put("sample-direct", SampleRecords::new)
          .put("sample-indirect", layout -> indirect(SampleRecords::new, layout))
          .put("radix-direct", RadixRecords::new)
          .put("radix-indirect", layout -> indirect(RadixRecords::new, layout))
          .put("grs-direct", GrsRecords::new)
          .put("grs-indirect", layout -> indirect(GrsRecords::new, layout))
          .buildOrThrow();

  private RecordSorters() {}

  public static List<String> names() {
    return List.copyOf(SORTERS.keySet());
  }

  /**
   * Returns a sorter of records.
   *
   * @throws IllegalArgumentException if there is no such sorter
   */
  public static RecordSorter of(String name, Layout layout) {
    Function<Layout, RecordSorter> sorter = SORTERS.get(name);
    if (sorter == null) {
      throw new IllegalArgumentException(
          "unknown sorter '%s' of records; available: %s"
              .formatted(name, String.join(", ", SORTERS.keySet())));
    }
    return sorter.apply(layout);
  }

  /** Pairs of two words are sorted by field for each layout of the records. */
  private static RecordSorter indirect(Function<Layout, RecordSorter> direct, Layout layout) {
    return new IndirectRecords(direct.apply(Layout.BY_FIELD), layout);
  }
}
