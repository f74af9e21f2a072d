package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Thorough;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.cli.Launcher.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.indexing.report.BuildReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as it is installed, with and without devices. */
class DeviceIT {
  private static final String CORPUS = "corpus-samples/site";

  /** Where the build had an nvcc that compiles the kernels. */
  private static final boolean HAS_KERNELS =
      Files.exists(Path.of("target/classes/io/kmodel/indexer/gpu/kmodel.fatbin"));

  @TempDir Path directory;

  @Test
  void autoSaysWhyItIsTheCpuAndGoesOn() throws IOException, InterruptedException {
    Ended build = build(Map.of("INDEXER_GPU", "off"), "index", "--device", "auto");
    assertThat(build.exitCode()).as(build.err()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(build.out()).containsPattern("sort +\\d+ runs? on the CPU: INDEXER_GPU=off\n");
    assertThat(build.err()).isEmpty();
  }

  @Test
  void aGpuThatIsNotThereIsAMistakeOfTheUsers() throws IOException, InterruptedException {
    Ended build = build(Map.of("INDEXER_GPU", "off"), "index", "--device", "gpu");
    assertThat(build.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(build.err())
        .isEqualTo(
            "indexer: --device gpu is not available: INDEXER_GPU=off" + System.lineSeparator());
    assertThat(directory).isEmptyDirectory();
    assertThat(build(Map.of(), "index", "--device", "tpu").err()).contains("unknown device 'tpu'");
  }

  @Test
  void aProgramWithoutKernelsOrADriverSaysSo() throws IOException, InterruptedException {
    Ended sort = run(Map.of(), "experiment", "sort", "--keys", "2^12", "--rounds", "1", "--costs");
    assertThat(sort.exitCode()).as(sort.err()).isEqualTo(ExitCode.OK);
    assertThat(sort.out()).contains("bitonic, across stages", "cpu, radix, 62 bits", "Gk/s");
    if (!HAS_KERNELS) {
      assertThat(sort.out())
          .contains("no GPU: this program was built without an nvcc that compiles its kernels\n");
    }
  }

  /** The jar with its libraries in a process of its own, on the driver that is the CPU. */
  @Test
  void theInstalledProgramFindsDriverAndKernels() throws Exception {
    Path driver = StubDriver.compile();
    StubDriver.require(HAS_KERNELS, "this program was built without nvcc");
    Map<String, String> environment = Map.of("LD_LIBRARY_PATH", driver.toString());
    Ended cpu = build(environment, "cpu", "--device", "cpu");
    assertThat(cpu.out()).containsPattern("runs? on the CPU: asked to");
    for (String pipeline : Tier.pick(List.of("overlapped"), List.of("serial", "overlapped"))) {
      Ended gpu = build(environment, pipeline, "--device", "gpu:0", "--pipeline", pipeline);
      assertThat(gpu.exitCode()).as(gpu.err()).isEqualTo(ExitCode.INCOMPLETE);
      assertThat(gpu.out())
          .containsPattern("runs? on gpu:0 \\(CPU in place of a GPU, number 0\\)")
          .contains(pipeline);
      assertSameFiles(directory.resolve("cpu"), directory.resolve(pipeline));
    }
    Ended sort =
        run(
            environment,
            "experiment",
            "sort",
            "--device",
            "gpu",
            "--keys",
            "5000",
            "--rounds",
            "1");
    assertThat(sort.exitCode()).as(sort.err()).isEqualTo(ExitCode.OK);
    assertThat(sort.out())
        .contains("gpu:0, in place", "up, sorted and back", "% of the connection");
  }

  @Test
  @Thorough
  void aRaceOfPipelinesFindsDriverAndKernels() throws Exception {
    Path driver = StubDriver.compile();
    StubDriver.require(HAS_KERNELS, "this program was built without nvcc");
    Map<String, String> environment = Map.of("LD_LIBRARY_PATH", driver.toString());
    Ended three =
        run(
            environment,
            "experiment",
            "pipelines",
            "--corpus",
            CORPUS,
            "--rounds",
            "1",
            "--memory",
            "512m",
            "--work",
            directory.resolve("work").toString());
    assertThat(three.exitCode()).as(three.err()).isEqualTo(ExitCode.OK);
    assertThat(three.out()).contains("Index_cpu ", "Index_gpu ", "Index_gpu+ ", "Index_inv ");
  }

  /** Of two that the driver has, the second cannot take the kernels. */
  @Test
  void aDeviceThatWasAskedForAndCannotBeUsedIsAWarning() throws Exception {
    Path driver = StubDriver.compile();
    StubDriver.require(HAS_KERNELS, "this program was built without nvcc");
    Map<String, String> environment =
        Map.of(
            "LD_LIBRARY_PATH",
            driver.toString(),
            "STUB_DEVICES",
            "2",
            "STUB_FAIL",
            "cuModuleLoadData 2 2 218");
    Ended build = build(environment, "index", "--device", "gpu:0,1");
    assertThat(build.exitCode()).as(build.err()).isEqualTo(ExitCode.INCOMPLETE);
    String reason = "gpu:1 (CPU in place of a GPU, number 1) cannot be used: cuModuleLoadData";
    assertThat(build.out()).contains("sort           " + reason);
    assertThat(build.err()).startsWith("indexer: warning: " + reason);
  }

  private Ended build(Map<String, String> environment, String output, String... more)
      throws IOException, InterruptedException {
    String[] command =
        Stream.concat(
                Stream.of(
                    "build",
                    CORPUS,
                    "--memory",
                    "512m",
                    "-o",
                    directory.resolve(output).toString()),
                Stream.of(more))
            .toArray(String[]::new);
    return run(environment, command);
  }

  private static Ended run(Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    return Launcher.run(environment, command);
  }

  private static void assertSameFiles(Path expected, Path actual) throws IOException {
    try (Stream<Path> files = Files.list(expected)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (!BuildReport.isReport(file)) {
          assertThat(actual.resolve(file.getFileName().toString())).hasSameBinaryContentAs(file);
        }
      }
    }
  }
}
