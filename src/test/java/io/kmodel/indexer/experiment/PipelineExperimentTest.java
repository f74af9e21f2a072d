package io.kmodel.indexer.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.GpuProbe;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.sort.DeviceChoice;
import io.kmodel.indexer.sort.SortReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PipelineExperimentTest {
  @TempDir Path directory;
  private Path expected;
  private Path actual;

  @BeforeEach
  void makeTwoThatAreTheSame() throws IOException {
    expected = Files.createDirectory(directory.resolve("expected"));
    actual = Files.createDirectory(directory.resolve("actual"));
    for (Path index : new Path[] {expected, actual}) {
      Files.writeString(index.resolve("terms"), "a b c");
      Files.writeString(index.resolve("postings"), "1 2 3");
      Files.writeString(index.resolve(BuildReport.FILE_NAME), index.toString());
    }
  }

  @Test
  void reportsMayDiffer() {
    assertThatCode(this::requireSame).doesNotThrowAnyException();
  }

  @Test
  void anotherByteEndsTheExperiment() throws IOException {
    Files.writeString(actual.resolve("terms"), "a b d");
    assertThatThrownBy(this::requireSame)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Index_gpu: terms is not the same as Index_cpu's");
  }

  @Test
  void aFileTooManyEndsTheExperiment() throws IOException {
    Files.writeString(actual.resolve("terms.tmp"), "a");
    assertThatThrownBy(this::requireSame)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Index_gpu: expected Index_cpu's files, [postings, terms];"
                + " got [postings, terms, terms.tmp]");
  }

  @Test
  void aFileThatIsMissingEndsTheExperiment() throws IOException {
    Files.delete(actual.resolve("terms"));
    assertThatThrownBy(this::requireSame)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Index_gpu: expected Index_cpu's files, [postings, terms]; got [postings]");
  }

  @Test
  void theCorpusIsNotDeleted() {
    PipelineExperiment.Setting setting =
        new PipelineExperiment.Setting(
            expected, directory, 1, 1000L << 20, DeviceChoice.parse("gpu"));
    assertThatThrownBy(
            () ->
                new PipelineExperiment(setting, 1, line -> {})
                    .run(new GpuProbe(List.of(), List.of(), "none")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--work " + directory);
    assertThat(expected.resolve("terms")).hasContent("a b c");
  }

  /** Before the CPU's builds, which take their time. */
  @Test
  void aGpuThatIsNotThereIsAnErrorBeforeAnythingIsBuilt() {
    PipelineExperiment.Setting setting =
        new PipelineExperiment.Setting(
            expected, directory.resolve("work"), 1, 1000L << 20, DeviceChoice.parse("gpu:7"));
    GpuProbe probe = new GpuProbe(List.of(new GpuInfo(0, "H100", 80L << 30, 90)), List.of(), "");
    assertThatThrownBy(() -> new PipelineExperiment(setting, 1, line -> {}).run(probe))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no gpu:7; there are [gpu:0 (H100)]");
    assertThat(directory.resolve("work")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu", "auto"})
  void whatIsNoGpuIsNotToldAsOne(String device) {
    assertThatThrownBy(
            () ->
                new PipelineExperiment.Setting(
                    expected, directory, 1, 1000L << 20, DeviceChoice.parse(device)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--device must be gpu")
        .hasMessageEndingWith("; got " + device);
  }

  @Test
  void whatTheCpuHasSortedInTheNameOfAGpuIsTold() {
    SortReport.Device device = new SortReport.Device("gpu:0", 5, 5000, 1, 1, 1);
    SortReport all = new SortReport(List.of(device), 0, Map.of("gpu:1 cannot be used", 0L), 0);
    SortReport some = new SortReport(List.of(device), 2, Map.of("too large", 2L), 0);
    assertThat(PipelineExperiment.warning("Index_gpu", List.of(all, all))).isEmpty();
    assertThat(PipelineExperiment.warning("Index_gpu", List.of(some, all, some)))
        .hasValue(
            "warning: Index_gpu did not use GPUs only: the CPU made 4 of 19 runs:"
                + " {gpu:1 cannot be used=0, too large=4}");
  }

  private void requireSame() throws IOException {
    PipelineExperiment.requireSame("Index_gpu", expected, actual);
  }
}
