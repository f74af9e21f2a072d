package io.kmodel.indexer.experiment.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.experiment.RaceDevice;
import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What the paper about several GPUs compares, by the driver on the CPU. */
@Tag("alone")
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
class TanasicPaperTest {
  private final StubDriver driver;
  private final List<String> told = new ArrayList<>();

  TanasicPaperTest(StubDriver driver) {
    this.driver = driver;
  }

  private PaperReport run(long mostKeys) throws IOException {
    byte[] image = StubDriver.image();
    List<RaceDevice> devices =
        driver.probe().devices().stream().map(info -> new RaceDevice(info, image)).toList();
    PaperSetting setting = new PaperSetting(100, mostKeys, 1, 1, 1, devices);
    return Paper.TANASIC.run(setting, Map.of(), told::add);
  }

  private static List<String> names(Figure figure) {
    return figure.lines().stream().map(Figure.Line::name).toList();
  }

  @Test
  void threeDevicesAreComparedWithOneAndTwo() throws IOException {
    driver.reset(3, 64 << 20);
    PaperReport report = run(100);
    assertThat(names(report.figures().getFirst())).containsExactly("1 GPU", "2 GPUs", "3 GPUs");
    Figure speedUps = report.figures().get(2);
    assertThat(names(speedUps))
        .containsExactly(
            "2 GPUs over 1", "3 GPUs over 1", "3 GPUs over 2", "4 GPUs over 1", "4 GPUs over 2");
    assertThat(speedUps.lines().stream().filter(Figure.Line::ofThePaper))
        .extracting(line -> line.points().getFirst().y())
        .containsExactly(3.3, 1.7);
    PaperTable table = report.tables().getFirst();
    assertThat(table.rows()).hasSize(2 * 3 * 3);
    assertThat(table.rows().getFirst().subList(0, 5)).contains("32", "merge", "1", "1.00");
    assertThat(report.findings()).hasSize(9).last().asString().contains("directly");
    assertThat(told).anyMatch(line -> line.startsWith("merge of 100 keys of 64 bits on 3 GPUs"));
    assertThat(driver.calls("cuMemcpyPeerAsync")).isPositive();
    assertThat(driver.kept()).isZero();
  }

  /** Of a single round. */
  @Test
  void sharesOfThePhasesAreOfTheWholeSort() throws IOException {
    driver.reset(2, 64 << 20);
    Figure phases =
        run(100).figures().stream()
            .filter(figure -> figure.id().equals("figure-9"))
            .findFirst()
            .orElseThrow();
    double sum = phases.lines().stream().mapToDouble(line -> line.points().getFirst().y()).sum();
    assertThat(sum).isCloseTo(100, Offset.offset(0.01));
  }

  @Test
  void devicesThatAreNotPeersExchangeThroughTheHost() throws IOException {
    driver.reset(2, 64 << 20);
    driver.isolate();
    assertThat(run(100).findings()).last().asString().contains("through the host's memory");
    assertThat(driver.calls("cuMemcpyPeerAsync")).isZero();
    assertThat(driver.kept()).isZero();
  }

  @Test
  void aDamagedResultEndsTheRun() {
    driver.reset(2, 64 << 20);
    driver.damage();
    assertThatThrownBy(() -> run(100))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("network of 100 keys of 32 bits on 2 GPUs");
    assertThat(driver.kept()).isZero();
  }

  @Test
  void tooLittleMemoryOfADeviceEndsTheRun() {
    driver.reset(2, 64 << 10);
    assertThatThrownBy(() -> run(6400))
        .isInstanceOf(GpuException.class)
        .hasMessageContaining("OUT_OF_MEMORY");
    assertThat(driver.kept()).isZero();
  }
}
