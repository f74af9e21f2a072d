package io.kmodel.indexer.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Param;

/** The benchmarks run outside of the build; here each of their sorters sorts once. */
class SortBenchmarkTest {
  @Test
  void everySorterOfTheBenchmarkSorts() throws NoSuchFieldException {
    Param sorters = SortBenchmark.class.getDeclaredField("sorter").getAnnotation(Param.class);
    assertThat(sorters.value()).hasSizeGreaterThan(10);
    for (String sorter : List.of(sorters.value())) {
      SortBenchmark benchmark = new SortBenchmark();
      benchmark.sorter = sorter;
      benchmark.keys = 10_000;
      benchmark.bits = 44;
      benchmark.distribution = KeyDistribution.ZIPF;
      benchmark.threads = 2;
      benchmark.makeKeys();
      benchmark.load();
      benchmark.sort();
      benchmark.check();
      benchmark.release();
    }
  }
}
