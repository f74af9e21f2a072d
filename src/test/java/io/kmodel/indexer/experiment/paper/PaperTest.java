package io.kmodel.indexer.experiment.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.experiment.KeyDistribution;
import io.kmodel.indexer.experiment.RaceDevice;
import io.kmodel.indexer.experiment.SortSetting;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Papers rerun with few keys, by the driver on the CPU. */
@Tag("alone")
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
class PaperTest {
  private static final Map<String, String> MACHINE = Map.of("GPU", "the CPU & nothing else");

  @TempDir Path directory;

  private final StubDriver driver;
  private final List<String> told = new ArrayList<>();

  PaperTest(StubDriver driver) {
    this.driver = driver;
  }

  private PaperReport run(Paper paper, boolean onDevice) throws IOException {
    return run(paper, onDevice ? paper.usesAllDevices() ? 4 : 1 : 0);
  }

  private PaperReport run(Paper paper, int devices) throws IOException {
    driver.reset(Math.max(1, devices), 512 << 20);
    List<RaceDevice> used =
        driver.probe().devices().stream()
            .limit(devices)
            .map(info -> new RaceDevice(info, StubDriver.image()))
            .toList();
    return paper.run(new PaperSetting(250, 1000, 1, 1, 1, used), MACHINE, told::add);
  }

  @ParameterizedTest
  @EnumSource
  void everyPaperIsRerunAndWritten(Paper paper) throws IOException {
    PaperReport report = run(paper, true);
    assertThat(report.figures()).isNotEmpty().doesNotHaveDuplicates();
    for (Figure figure : report.figures()) {
      assertThat(figure.lines()).as(figure.id()).hasSizeGreaterThan(1);
      for (Figure.Line line : figure.lines()) {
        // Without vectors the CPU's merge sort is left out.
        if (!line.name().equals("simd-merge")) {
          assertThat(line.points()).as("%s of %s", line.name(), figure.id()).isNotEmpty();
        }
        assertThat(line.points())
            .allMatch(p -> p.least() <= p.y() && p.y() <= p.most() && p.least() > 0);
      }
    }
    assertThat(report.tables())
        .allSatisfy(
            table ->
                assertThat(table.rows()).allMatch(row -> row.size() == table.columns().size()));
    assertThat(report.findings()).noneMatch(finding -> finding.contains("NaN"));

    assertThat(new PaperFiles(directory, "name").write(report)).isEmpty();
    assertThat(PaperFiles.read(directory.resolve("name.json"))).isEqualTo(report);
    long points =
        report.figures().stream()
            .flatMap(figure -> figure.lines().stream())
            .mapToLong(line -> line.points().size())
            .sum();
    assertThat(Files.readAllLines(directory.resolve("name.csv"))).hasSize((int) points + 1);
    String page = Files.readString(directory.resolve("name.html"));
    assertThat(page).contains("GPU: the CPU &amp; nothing else");
    for (Figure figure : report.figures()) {
      assertThat(directory.resolve("name-" + figure.id() + ".svg"))
          .content()
          .startsWith("<?xml")
          .contains("<svg");
    }
    assertThat(page.split("<svg", -1)).hasSize(report.figures().size() + 1);
    assertThat(driver.kept()).isZero();
  }

  @Test
  void withoutADeviceOnlyTheCpuIsMeasured() throws IOException {
    Figure figure = run(Paper.SATISH, false).figures().get(1);
    assertThat(figure.id()).isEqualTo("figure-5");
    assertThat(figure.line("radix").points()).extracting(Figure.Point::x).contains(250.0, 1000.0);
    assertThat(figure.line("gpu-split").points()).isEmpty();
    assertThatThrownBy(() -> run(Paper.CAPANNINI, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("all sorters of this paper need a GPU");
  }

  @Test
  void oneDeviceIsTooFewForAPaperAboutSeveral() {
    assertThatThrownBy(() -> run(Paper.TANASIC, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "this paper compares one GPU with several; the only one here is gpu:0 (CPU in place of"
                + " a GPU, number 0)");
    assertThat(driver.kept()).isZero();
  }

  @Test
  void table1OfCapanniniHasThePapersCountsBesideTheModels() throws IOException {
    PaperTable table = run(Paper.CAPANNINI, true).tables().getFirst();
    assertThat(table.toString())
        .containsPattern("1,048,576 +gpu-network +796,800 +1,310,720 +not counted")
        .containsPattern("16,777,216 +gpu-split-1 +15,447,561 +2,097,152 +not counted");
  }

  /** Figure 6 of Satish et al. is by entropy, which the keys themselves must have. */
  @Test
  void keysHaveTheEntropyOfFigure6() throws IOException {
    Figure figure = run(Paper.SATISH, false).figures().get(2);
    assertThat(figure.id()).isEqualTo("figure-6");
    List<Double> expected = figure.line("radix").points().stream().map(Figure.Point::x).toList();
    List<Double> actual = new ArrayList<>();
    for (KeyDistribution distribution :
        List.of(
            KeyDistribution.UNIFORM,
            KeyDistribution.AND_2,
            KeyDistribution.AND_3,
            KeyDistribution.AND_4,
            KeyDistribution.AND_5,
            KeyDistribution.ALL_EQUAL)) {
      actual.add(entropy(new SortSetting(1 << 16, 32, distribution, 1)));
    }
    assertThat(expected).hasSize(actual.size());
    for (int i = 0; i < actual.size(); i++) {
      assertThat(expected.get(i)).isCloseTo(actual.get(i), Offset.offset(0.1));
    }
  }

  /** In bits, of keys whose bits are independent of each other. */
  private static double entropy(SortSetting setting) {
    double entropy = 0;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment keys = arena.allocate(ValueLayout.JAVA_LONG, setting.keys());
      setting.distribution().fill(keys, setting.keys(), setting.bits(), 1);
      for (int bit = 0; bit < setting.bits(); bit++) {
        long ones = 0;
        for (long i = 0; i < setting.keys(); i++) {
          ones += keys.getAtIndex(ValueLayout.JAVA_LONG, i) >>> bit & 1;
        }
        for (double share :
            new double[] {(double) ones / setting.keys(), 1 - (double) ones / setting.keys()}) {
          entropy -= share == 0 ? 0 : share * Math.log(share) / Math.log(2);
        }
      }
    }
    return entropy;
  }

  @Test
  void tooFewKeysAreRefused() {
    assertThatThrownBy(() -> new PaperSetting(65_535, 1, 1, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a paper's comparisons need 65536 keys or more; got 65535");
  }
}
