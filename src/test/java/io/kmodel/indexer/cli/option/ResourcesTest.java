package io.kmodel.indexer.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.indexing.Indexing;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.html.HtmlMode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ResourcesTest {
  private static final long MEBIBYTE = 1L << 20;

  /** A heap as the launcher's, for the budget, would be: two fifths. */
  private static final long HEAP = Runtime.getRuntime().maxMemory();

  private static final long BUDGET = HEAP * 5 / 2;

  @Test
  void aMachineWithMoreProcessorsThanTheBudgetCarriesBuildsWithFewerThreads() {
    int threads = Resources.defaultThreads(10_000, BUDGET - HEAP);
    assertThat(threads).isGreaterThan(1).isLessThan(10_000);
    assertThat(prepared(threads)).isNotNull();
    assertThatThrownBy(() -> prepared(2 * threads)).hasMessageContaining("lower --threads");
  }

  @Test
  void everyProcessorHasAThreadWhereTheBudgetCarriesThem() {
    assertThat(Resources.defaultThreads(8, 2458 * MEBIBYTE)).isEqualTo(8);
    assertThat(Resources.defaultThreads(128, 2458 * MEBIBYTE)).isEqualTo(76);
    assertThat(Resources.defaultThreads(128, 128 * MEBIBYTE)).isEqualTo(4);
    assertThat(Resources.defaultThreads(128, -1)).isEqualTo(1);
  }

  @Test
  void moreMemoryThanTheMachineHasIsDoubted() {
    assertThat(Resources.doubt(8L << 30, 8L << 30)).isEmpty();
    assertThat(Resources.doubt(16L << 30, 8L << 30))
        .hasValue(
            "--memory is 16.0 GiB, but this machine (or container) has 8.00 GiB: a large crawl may"
                + " use it up");
  }

  private static Indexing prepared(int threads) {
    return new Indexing(
        new BuildOptions(
            ImmutableList.of(Path.of("crawl")),
            Path.of("index"),
            false,
            HtmlMode.FAST,
            "standard",
            true,
            Store.ID,
            new BuildOptions.Resources(threads, BUDGET)),
        Target.ownIndex(),
        new BuildProgress());
  }
}
