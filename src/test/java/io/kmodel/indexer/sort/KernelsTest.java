package io.kmodel.indexer.sort;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Thorough;
import io.kmodel.indexer.gpu.StubDriver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kernels alone: their sizes, their barriers, and how they get into the program. */
class KernelsTest {
  @TempDir Path directory;

  @Test
  void theSizesAreThoseOfTheKernels() throws IOException {
    String tuning = Files.readString(Path.of("kernels/tuning.cuh"));
    KernelShape packed = KernelShape.PACKED;
    assertThat(constant(tuning, "KMODEL_M_64")).isEqualTo(packed.log2Sigma());
    assertThat(constant(tuning, "KMODEL_V_64")).isEqualTo(packed.log2ThreadKeys());
    assertThat(constant(tuning, "KMODEL_K_64")).isEqualTo(packed.log2K());
  }

  /** One thread per CUDA thread, so that a missing barrier is a race. */
  @Test
  @Thorough
  void noBarrierIsMissing() throws Exception {
    assertThat(runWithThreads("shim_test", "6"))
        .contains("f64_5", "u128_5")
        .doesNotContain("WARNING", "not sorted");
    assertThat(runWithThreads("inversion_test", "races"))
        .contains("inversion: no race")
        .doesNotContain("WARNING", "differs");
    assertThat(runWithThreads("postings_test", "races"))
        .contains("postings: no race")
        .doesNotContain("WARNING", "differs");
    for (String sorters : List.of("sorters", "devices", "strings", "records")) {
      assertThat(runWithThreads(sorters + "_test", "races"))
          .contains(sorters + ": no race")
          .doesNotContain("WARNING", "not sorted");
    }
  }

  private String runWithThreads(String test, String argument) throws Exception {
    StubDriver.require(StubDriver.has("g++"), "g++ is not here to compile the kernels with");
    Path program = directory.resolve(test);
    String compiled =
        run(
            Map.of(),
            "g++",
            "-std=c++20",
            "-O1",
            "-g",
            "-fsanitize=thread",
            "-DSHIM_THREADS",
            "-Wno-unknown-pragmas",
            "kernels/test/" + test + ".cpp",
            "-o",
            program.toString());
    StubDriver.require(Files.exists(program), "g++ has no ThreadSanitizer: " + compiled);
    return run(Map.of("TSAN_OPTIONS", "halt_on_error=1"), program.toString(), argument);
  }

  /** At every border of tiles, parts, words and the table; a fiber per CUDA thread. */
  @Test
  @Thorough
  void theInversionIsThatOfAPlainLoop() throws Exception {
    assertThat(runWithFibers("inversion_test")).contains("inversion: texts at the borders");
  }

  /** Of texts and lists with all kinds of blocks, at every border of blocks and groups. */
  @Test
  @Thorough
  void packedPostingsAreThoseOfAPlainEncoder() throws Exception {
    assertThat(runWithFibers("postings_test")).contains("postings: texts, and lists at the");
  }

  /** Of words of both sizes and every distribution, at every border of tiles and warps. */
  @Test
  @Thorough
  void theSortersOfOtherPapersSort() throws Exception {
    assertThat(runWithFibers("sorters_test"))
        .contains(
            "radix u64_1",
            "radix u32_2",
            "split u64_3",
            "split u32_2",
            "merge u64_5",
            "quick u32",
            "sample u64")
        .doesNotContain("not sorted");
  }

  @Test
  @Thorough
  void keysWithValuesStringsAndRecordsAreSorted() throws Exception {
    assertThat(runWithFibers("strings_test")).contains("strings in order");
    assertThat(runWithFibers("records_test")).contains("sample by_field indirect hybrid");
  }

  /** Over up to eight made-up devices, by peers and through the host. */
  @Test
  @Thorough
  void keysOverSeveralDevicesAreSorted() throws Exception {
    assertThat(runWithFibers("devices_test"))
        .contains("devices: network u64_6", "devices: wrong accesses end the program");
  }

  private String runWithFibers(String test) throws Exception {
    StubDriver.require(StubDriver.has("g++"), "g++ is not here to compile the kernels with");
    Path program = directory.resolve(test);
    run(
        Map.of(),
        "g++",
        "-std=c++20",
        "-O2",
        "-Wno-unknown-pragmas",
        "kernels/test/" + test + ".cpp",
        "-o",
        program.toString());
    return run(Map.of(), program.toString());
  }

  /**
   * The benchmark and the kernels' own test use plan.h, the program its Java equivalent. A pass
   * that consists of a tail has no high bits.
   */
  @Test
  void theKernelsAreTestedWithThePassesThatTheProgramMakes() throws Exception {
    StubDriver.require(StubDriver.has("g++"), "g++ is not here to compile the plan with");
    Path source =
        Files.writeString(
            directory.resolve("plan.cpp"),
            """
            #include <cstdio>
            #include <cstdlib>
            #include "%s"
            int main(int, char **argument) {
              int m = std::atoi(argument[1]), k = std::atoi(argument[2]);
              for (argument += 3; *argument; argument++) {
                unsigned long long n = std::strtoull(*argument, nullptr, 10);
                Plan plan = planPasses(n, m, k);
                for (Pass pass : plan.passes)
                  std::printf("%%llu: stage %%d, tail %%d, high bits from %%d, %%llu parts\\n", n, pass.stage,
                              pass.tail, pass.tail == m ? 0 : pass.highBase, plan.parts(pass, n));
              }
            }
            """
                .formatted(Path.of("kernels/plan.h").toAbsolutePath()));
    Path program = directory.resolve("plan");
    assertThat(run(Map.of(), "g++", "-std=c++20", source.toString(), "-o", program.toString()))
        .isEmpty();
    for (KernelShape shape :
        List.of(
            KernelShape.PACKED,
            new KernelShape("f64_2", 2, 1, 0),
            new KernelShape("f64_3", 3, 1, 1),
            new KernelShape("f64_5", 5, 2, 2),
            new KernelShape("f64_8", 8, 5, 4))) {
      List<String> command = new ArrayList<>(List.of(program.toString()));
      command.add(Integer.toString(shape.log2Sigma()));
      command.add(Integer.toString(shape.log2K()));
      StringBuilder expected = new StringBuilder();
      for (int log = 0; log < 34; log++) {
        for (long n : new long[] {1L << log, (1L << log) + 1, (3L << log) - 1}) {
          command.add(Long.toString(n));
          passes(shape, n).forEach(expected::append);
        }
      }
      assertThat(run(Map.of(), command.toArray(String[]::new)))
          .as("%s", shape)
          .isEqualTo(expected.toString());
    }
  }

  private static List<String> passes(KernelShape shape, long n) {
    return shape.schedule(n).supersteps().stream()
        .skip(1)
        .map(
            pass ->
                "%d: stage %d, tail %d, high bits from %d, %d parts\n"
                    .formatted(
                        n,
                        pass.steps().getFirst().stage(),
                        shape.tail(pass),
                        shape.tail(pass) == shape.log2Sigma() ? 0 : pass.highBase(),
                        pass.partCount(n)))
        .toList();
  }

  @Test
  void withoutNvccTheProgramIsBuiltAndSaysSo() throws Exception {
    Path fatbin = Files.write(directory.resolve("kmodel.fatbin"), new byte[] {1});
    assertThat(run(Map.of("NVCC", "none"), "kernels/fatbin.sh", directory.toString()))
        .isEqualTo("kernels: no nvcc found; the program is built without its GPU stage\n");
    assertThat(fatbin).doesNotExist();
  }

  /** Like the nvcc of Ubuntu 22.04. */
  @Test
  void whereAnNvccThatNobodyNamedIsTooOldTheProgramIsBuiltAndSaysSo() throws Exception {
    Path nvcc = Files.createDirectories(directory.resolve("cuda/bin")).resolve("nvcc");
    Files.writeString(
        nvcc,
        """
        #!/bin/sh
        if [ "$1" = --version ]; then
          echo "Cuda compilation tools, release 11.5, V11.5.119"
          exit 0
        fi
        echo "a line before"
        echo "nvcc fatal   : Unsupported gpu architecture 'compute_90'" >&2
        exit 1
        """);
    Files.setPosixFilePermissions(nvcc, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.write(directory.resolve("kmodel.fatbin"), new byte[] {1});
    String cuda = directory.resolve("cuda").toString();
    assertThat(
            run(Map.of("CUDA_HOME", cuda, "NVCC", ""), "kernels/fatbin.sh", directory.toString()))
        .isEqualTo(
            "kernels: nvcc 11.5 cannot compile them (nvcc fatal   : Unsupported gpu architecture"
                + " 'compute_90'); the program is built without its GPU stage\n");
    assertThat(directory).isDirectoryNotContaining("glob:**.fatbin");
    assertThat(run(Map.of("NVCC", nvcc.toString()), "kernels/fatbin.sh", directory.toString()))
        .contains("a line before", "Unsupported gpu architecture", "exit code 1");
  }

  private static int constant(String text, String name) {
    Matcher matcher = Pattern.compile("#define " + name + " (\\d+)").matcher(text);
    assertThat(matcher.find()).as(name).isTrue();
    return Integer.parseInt(matcher.group(1));
  }

  /** The output of a program, which may fail. */
  private static String run(Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(List.of(command)).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = process.waitFor();
    return exit == 0 ? output : output + "exit code " + exit + ": not sorted";
  }
}
