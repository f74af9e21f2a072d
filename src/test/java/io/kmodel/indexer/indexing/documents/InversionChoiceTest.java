package io.kmodel.indexer.indexing.documents;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Pipeline;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.inversion.ListForm;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.sort.DeviceChoice;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When devices make runs from text. */
class InversionChoiceTest {
  private static final long MIB = 1 << 20;

  private static InversionChoice choice(
      String device,
      Pipeline pipeline,
      String analyzer,
      boolean positions,
      ListForm wanted,
      long run) {
    BuildOptions options =
        new BuildOptions(
            ImmutableList.of(Path.of("crawl")),
            Path.of("index"),
            false,
            HtmlMode.FAST,
            analyzer,
            positions,
            Store.ID,
            new BuildOptions.Resources(2, 4L << 30)
                .withDevice(DeviceChoice.parse(device), pipeline));
    return InversionChoice.of(options, new MemoryPlan(1 << 30, run, 1 << 28, 1 << 28), wanted);
  }

  @ParameterizedTest
  @CsvSource({
    "auto, AUTO, LUCENE, true, 1024",
    "gpu, AUTO, LUCENE, true, 0",
    "gpu:0, AUTO, LUCENE, true, 0",
    "cpu, AUTO, LUCENE, false, 0",
    "auto, AUTO, KEYS, false, 0",
    "gpu, AUTO, KEYS, false, 0",
    "auto, INVERTED, KEYS, true, 0",
    "auto, INVERTED, LUCENE, true, 0",
    "cpu, INVERTED, LUCENE, false, 0",
    "gpu, OVERLAPPED, LUCENE, false, 0",
    "auto, SERIAL, LUCENE, false, 0"
  })
  void devicesInvertWhereTheyAreMeantTo(
      String device, Pipeline pipeline, ListForm wanted, boolean inverts, long leastMib) {
    InversionChoice choice = choice(device, pipeline, "standard", true, wanted, 1 << 30);
    assertThat(choice.inverts()).isEqualTo(inverts);
    assertThat(choice.leastCrawlBytes()).isEqualTo(leastMib * MIB);
  }

  @Test
  void otherAnalyzersStayOnTheCpu() {
    InversionChoice choice =
        choice("gpu", Pipeline.INVERTED, "french", true, ListForm.LUCENE, 1 << 30);
    assertThat(choice.inverts()).isFalse();
    assertThat(choice.why())
        .isEqualTo("devices only have the analyzers 'standard' and 'english', without parameters");
    assertThat(choice("gpu", Pipeline.INVERTED, "en", true, ListForm.LUCENE, 1 << 30).inverts())
        .isTrue();
  }

  @Test
  void listsWithoutPositionsComeBackAsKeys() {
    InversionChoice choice =
        choice("gpu", Pipeline.INVERTED, "standard", false, ListForm.LUCENE, 1 << 30);
    assertThat(choice.inverts()).isTrue();
    assertThat(choice.form()).isEqualTo(ListForm.KEYS);
  }

  /** Many small segments gain nothing, so devices are then only used if they were asked for. */
  @Test
  void smallBlocksAreLeftToTheCpuUnlessADeviceWasAskedFor() {
    InversionChoice choice =
        choice("auto", Pipeline.AUTO, "standard", true, ListForm.LUCENE, 80 * MIB);
    assertThat(choice.inverts()).isFalse();
    assertThat(choice.why()).contains("--memory");
    assertThat(choice("gpu", Pipeline.AUTO, "standard", true, ListForm.LUCENE, 80 * MIB).inverts())
        .isTrue();
    assertThat(
            choice("auto", Pipeline.AUTO, "standard", true, ListForm.LUCENE, 100 * MIB).inverts())
        .isTrue();
  }

  /** Text, its parts and what comes back: 2.6 bytes for a byte of text. */
  @Test
  void aBlockFitsIntoTheMemoryOfAThread() {
    long run = 1 << 30;
    InversionChoice choice =
        choice("gpu", Pipeline.INVERTED, "standard", true, ListForm.LUCENE, run);
    assertThat(choice.blockBytes()).isBetween(run / 4, run / 2);
    assertThat(choice.splitBytes()).isLessThan(choice.blockBytes());
  }
}
