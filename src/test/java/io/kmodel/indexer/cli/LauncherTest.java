package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kmodel.indexer.cli.Launcher.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** bin/indexer alone: how it makes the program, and what it gives Java. */
class LauncherTest extends LauncherProject {
  @Test
  void theFirstCallBuildsTheProgramAndTheSecondDoesNot() throws Exception {
    Ended first = run("stats");
    assertThat(first.exitCode()).as(first.err()).isEqualTo(0);
    assertThat(first.out()).endsWith("stats\nruns: first\n");
    assertThat(first.err()).contains("building the program");
    Ended second = run("stats");
    assertThat(second.out()).endsWith("runs: first\n");
    assertThat(second.err()).isEmpty();
    assertThat(builds()).hasSize(1);
  }

  @Test
  void mavenIsToldWhichJdkToCompileWith() throws Exception {
    run("stats");
    assertThat(builds().getFirst())
        .startsWith(directory.resolve("a jdk") + " ")
        .contains("-Dtoolchain.jdk.env=JAVA_INDEXER_HOME", "-Dspotless.check.skip=true");
  }

  @Test
  void twoFirstCallsBuildOnce() throws Exception {
    environment.put("TEST_MAVEN_SECONDS", "2");
    Process one = start("stats").start();
    Process other = start("stats").start();
    assertThat(one.waitFor()).isEqualTo(0);
    assertThat(other.waitFor()).isEqualTo(0);
    assertThat(builds()).hasSize(1);
    assertThat(project.resolve("target")).isDirectoryNotContaining("glob:**program.lock");
  }

  @Test
  void aBuildThatWasKilledHalfWayIsRepeated() throws Exception {
    environment.put("TEST_MAVEN_DIES", "yes");
    assertThat(run("stats").exitCode()).isNotEqualTo(0);
    assertThat(project.resolve("target/indexer-program.jar")).exists();
    environment.remove("TEST_MAVEN_DIES");
    Ended next = run("stats");
    assertThat(next.exitCode()).as(next.err()).isEqualTo(0);
    assertThat(next.out()).endsWith("runs: first\n");
    assertThat(builds()).hasSize(2);
    assertThat(project.resolve("target")).isDirectoryNotContaining("glob:**program.lock");
  }

  @Test
  void aBuildThatFailsIsRepeated() throws Exception {
    environment.put("TEST_MAVEN_FAILS", "yes");
    Ended failed = run("stats");
    assertThat(failed.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(failed.out()).isEmpty();
    assertThat(failed.err()).contains("the build failed");
    environment.remove("TEST_MAVEN_FAILS");
    assertThat(run("stats").out()).endsWith("runs: first\n");
    assertThat(builds()).hasSize(2);
  }

  @Test
  void anEditDuringTheBuildIsNotForgotten() throws Exception {
    environment.put("TEST_EDIT", "edited");
    assertThat(run("stats").out()).endsWith("runs: first\n");
    environment.remove("TEST_EDIT");
    assertThat(run("stats").out()).endsWith("runs: edited\n");
    assertThat(builds()).hasSize(2);
  }

  @Test
  void anEditOfTheKernelsIsNotForgotten() throws Exception {
    assertThat(run("stats").out()).endsWith("runs: first\n");
    Files.writeString(project.resolve("kernels/kmodel.cu"), " with other kernels");
    assertThat(run("stats").out()).endsWith("runs: first with other kernels\n");
    assertThat(builds()).hasSize(2);
  }

  @Test
  void aRunningJavaKeepsItsJarWhenTheProgramIsBuiltAgain() throws Exception {
    Path go = directory.resolve("go");
    run("stats");
    environment.put("TEST_JAVA_WAITS", go.toString());
    ProcessBuilder builder = start("build");
    Path out = directory.resolve("long.out");
    Process build = builder.redirectOutput(out.toFile()).start();
    try {
      while (Files.size(out) == 0) {
        assertThat(build.waitFor(50, TimeUnit.MILLISECONDS)).isFalse();
      }
      environment.remove("TEST_JAVA_WAITS");
      Files.writeString(source, "second");
      assertThat(run("stats").out()).endsWith("runs: second\n");
    } finally {
      Files.createFile(go);
    }
    assertThat(build.waitFor()).isEqualTo(0);
    assertThat(out).content().endsWith("runs: first\n");
  }

  @Test
  void whatADeveloperBuildsWithMavenIsUsed() throws Exception {
    runMaven();
    runMaven("TEST_MAVEN_TESTS");
    runMaven("TEST_MAVEN_TESTS");
    assertThat(run("stats").out()).endsWith("runs: first\n");
    assertThat(builds()).hasSize(3);
    Files.writeString(source, "second");
    assertThat(run("stats").out()).endsWith("runs: second\n");
    assertThat(builds()).hasSize(4);
  }

  @Test
  void aMissingLibraryIsNoticed() throws Exception {
    run("stats");
    Files.delete(project.resolve("target/lib/library.jar"));
    assertThat(run("stats").out()).endsWith("runs: first\n");
    assertThat(builds()).hasSize(2);
  }

  @Test
  void theProgramIsNotBuiltWhileSomeoneElsesMavenBuildsIt() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/comm")), "a process must take the name of java");
    Process maven = new ProcessBuilder("bash", "-c", "printf java >/proc/$$/comm; read").start();
    try {
      Path target = Files.createDirectory(project.resolve("target"));
      Files.writeString(target.resolve("program.started"), maven.pid() + "\n");
      Process call = start("stats").start();
      assertThat(call.waitFor(500, TimeUnit.MILLISECONDS)).isFalse();
      assertThat(project.resolve("maven.log")).doesNotExist();
      maven.destroy();
      assertThat(call.waitFor()).isEqualTo(0);
      assertThat(builds()).hasSize(1);
    } finally {
      maven.destroy();
    }
  }

  @Test
  void whatAnInterruptedMavenLeavesIsBuiltAgainWithItsLibraries() throws Exception {
    runMaven();
    Path library = Files.createFile(project.resolve("target/lib/cut.jar"));
    runMaven("TEST_MAVEN_FAILS");
    Files.writeString(project.resolve("target/indexer-program.jar"), "cut");
    assertThat(run("stats").out()).endsWith("runs: first\n");
    assertThat(library).as("Maven would keep it").doesNotExist();
    assertThat(builds()).hasSize(3);
  }

  @Test
  void aProgramWithoutItsSourcesRunsAsItIs() throws Exception {
    run("stats");
    for (String file : List.of("pom.xml", "target/program.complete")) {
      Files.delete(project.resolve(file));
    }
    assertThat(run("stats").out()).endsWith("runs: first\n");
    assertThat(builds()).hasSize(1);
  }

  @Test
  void theLauncherCanBeCalledThroughLinks() throws Exception {
    Path bin = Files.createDirectory(directory.resolve("their bin"));
    Files.createSymbolicLink(bin.resolve("one"), Path.of("../my project/bin/indexer"));
    Files.createSymbolicLink(bin.resolve("two"), bin.resolve("one"));
    Ended ended = Launcher.run(bin.resolve("two"), environment, "stats");
    assertThat(ended.out())
        .contains("-Dindexer.home=" + project.toRealPath() + "\n")
        .endsWith("runs: first\n");
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsNamed() throws Exception {
    Path target = Files.createDirectory(project.resolve("target"));
    assumeTrue(target.toFile().setWritable(false) && !Files.isWritable(target), "root may write");
    try {
      Ended ended = run("stats");
      assertThat(ended.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(ended.err()).contains("no permission to write to " + target.toRealPath());
    } finally {
      assertThat(target.toFile().setWritable(true)).isTrue();
    }
  }

  @Test
  void theHeapIsTwoFifthsOfTheBudgetHoweverItIsWritten() throws Exception {
    assertThat(heap(Map.of(), "--memory", "1000m")).isEqualTo("-Xmx400m");
    assertThat(heap(Map.of(), "--memory=4 g")).isEqualTo("-Xmx1638m");
    assertThat(heap(Map.of(), "--memory", "08g")).isEqualTo("-Xmx3276m");
    assertThat(heap(Map.of(), "--memory", "1073741824")).isEqualTo("-Xmx409m");
    assertThat(heap(Map.of("INDEXER_MEMORY", "2GiB"))).isEqualTo("-Xmx819m");
    assertThat(heap(Map.of("INDEXER_MEMORY", "2GiB"), "--memory", "1g")).isEqualTo("-Xmx409m");
  }

  @Test
  void theBudgetIsTheOptionsElseTheEnvironmentsElseTheFiles() throws Exception {
    Files.writeString(
        project.resolve("config/indexer.properties"),
        "#build.memory = 9g\n build.memory = 1000 m\n");
    Path other = Files.writeString(directory.resolve("my file"), "build.memory : 2000m\r\n");
    assertThat(heap(Map.of())).isEqualTo("-Xmx400m");
    assertThat(heap(Map.of("INDEXER_CONFIG", other.toString()))).isEqualTo("-Xmx800m");
    assertThat(heap(Map.of(), "--config", other.toString())).isEqualTo("-Xmx800m");
    assertThat(heap(Map.of(), "--config=" + other)).isEqualTo("-Xmx800m");
    Files.writeString(other, "build.memory 2500m\n");
    assertThat(heap(Map.of("INDEXER_CONFIG", other.toString()))).isEqualTo("-Xmx1000m");
    Files.writeString(other, "build.memory : 2000m\r\n");
    assertThat(heap(Map.of("INDEXER_MEMORY", "3000m"))).isEqualTo("-Xmx1200m");
    assertThat(heap(Map.of("INDEXER_MEMORY", "3000m", "INDEXER_BUILD_MEMORY", "500m")))
        .isEqualTo("-Xmx200m");
    assertThat(heap(Map.of("INDEXER_MEMORY", "3000m"), "--memory=600m")).isEqualTo("-Xmx240m");
    assertThat(run("--config", other.toString(), "--log=json", "build", "crawl").out())
        .contains("-Xmx800m\n");
    assertThat(run("--config", other.toString(), "stats").out()).doesNotContain("-Xmx");
    Files.writeString(other, "build.memory = 2000m\nappend.memory = 1000m\n");
    assertThat(run("--config", other.toString(), "append", "index", "more").out())
        .contains("-Xmx400m\n");
  }

  @Test
  void anOrderHasABudgetWithFourFifthsOfHeap() throws Exception {
    Path other = Files.writeString(directory.resolve("settings"), "reorder.memory = 2000m\n");
    assertThat(run("reorder", "index", "--memory", "1000m").out()).contains("-Xmx800m\n");
    assertThat(run("reorder", "--config", other.toString()).out()).contains("-Xmx1600m\n");
    environment.put("INDEXER_BUILD_MEMORY", "100m");
    environment.put("INDEXER_REORDER_MEMORY", "500m");
    assertThat(run("reorder", "index").out()).contains("-Xmx400m\n");
  }

  @Test
  void theDefaultBudgetIsHalfOfWhatTheContainerMayUse() throws Exception {
    Path groups = Files.createDirectories(directory.resolve("groups"));
    Map<String, String> container = Map.of("INDEXER_CGROUPS", groups.toString());
    Files.writeString(groups.resolve("memory.max"), (1L << 30) + "\n");
    assertThat(heap(container)).isEqualTo("-Xmx" + 512 * 2 / 5 + "m");
    assertThat(heap(container, "--memory", "1T")).as("at most all").isEqualTo("-Xmx1024m");
    assertThat(heap(container, "--memory", "9".repeat(30))).isEqualTo("-Xmx204m");
    environment.put("INDEXER_MEMORY", "4 gigs");
    assertThat(heap(container)).as("the program reports it").isEqualTo("-Xmx204m");
    environment.remove("INDEXER_MEMORY");
    Files.delete(groups.resolve("memory.max"));
    Files.createDirectory(groups.resolve("memory"));
    Files.writeString(groups.resolve("memory/memory.limit_in_bytes"), (800L << 20) + "\n");
    assertThat(heap(container)).isEqualTo("-Xmx" + 400 * 2 / 5 + "m");
  }

  @Test
  void theLimitIsThatOfTheGroupOfTheProcessAndTheGroupsAboveIt() throws Exception {
    Path groups = directory.resolve("groups");
    Path list = directory.resolve("list");
    Map<String, String> container =
        Map.of("INDEXER_CGROUPS", groups.toString(), "INDEXER_CGROUP_LIST", list.toString());
    Path job = Files.createDirectories(groups.resolve("memory/slurm/job"));
    Files.writeString(groups.resolve("memory/memory.limit_in_bytes"), Long.MAX_VALUE + "\n");
    Files.writeString(job.resolve("memory.limit_in_bytes"), (1L << 30) + "\n");
    Files.writeString(list, "9:name=systemd:/\n4:cpuset,memory:/slurm/job\n1:cpu:/\n0::/\n");
    assertThat(heap(container)).as("version 1").isEqualTo("-Xmx" + 512 * 2 / 5 + "m");
    Files.writeString(groups.resolve("memory/slurm/memory.limit_in_bytes"), (800L << 20) + "\n");
    assertThat(heap(container)).as("the group above").isEqualTo("-Xmx" + 400 * 2 / 5 + "m");
    Path slice = Files.createDirectories(groups.resolve("a/b"));
    Files.writeString(slice.resolve("memory.max"), "max\n");
    Files.writeString(groups.resolve("a/memory.max"), (900L << 20) + "\n");
    Files.writeString(list, "0::/a/b\n");
    assertThat(heap(container)).as("version 2").isEqualTo("-Xmx" + 450 * 2 / 5 + "m");
  }

  @Test
  void itSaysWhatIsMissingWhereThereIsNoSuitableJdk() throws Exception {
    Path tools = Files.createDirectory(directory.resolve("tools"));
    for (String tool :
        List.of("bash", "awk", "cat", "dirname", "env", "locale", "readlink", "sed")) {
      forward(tools.resolve(tool), find(tool));
    }
    environment.put("PATH", tools.toString());
    environment.put("JAVA_HOME", jdk("nearly", "25.0.2").toString());
    environment.put("INDEXER_JAVA_HOME", jdk("old", "17.0.15").toString());
    environment.put("INDEXER_JDK_SEARCH", directory.resolve("nothing/*").toString());
    Ended ended = run("--version");
    assertThat(ended.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(ended.err()).contains("no JDK 25.0.3 or later found", "INDEXER_JAVA_HOME=/path");
  }

  @Test
  void aJdkIsFoundInADirectoryWithASpaceInItsName() throws Exception {
    environment.put("INDEXER_JAVA_HOME", jdk("old", "25.0.2").toString());
    environment.put("JAVA_HOME", "");
    jdk("some jdks/26-early", "26-ea");
    environment.put("INDEXER_JDK_SEARCH", directory.resolve("some jdks/*").toString());
    Ended ended = run("stats");
    assertThat(builds().getFirst()).contains("some jdks/26-early");
    assertThat(ended.err())
        .startsWith("indexer: INDEXER_JAVA_HOME: no JDK 25.0.3 or later at ")
        .contains("/old; trying others");
  }

  private String heap(Map<String, String> more, String... arguments) throws Exception {
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(more);
    String[] command =
        Stream.concat(Stream.of("build"), Stream.of(arguments)).toArray(String[]::new);
    Ended ended = Launcher.run(project.resolve("bin/indexer"), all, command);
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(0);
    return ended.out().lines().filter(l -> l.startsWith("-Xmx")).findFirst().orElse("no -Xmx");
  }

  private ProcessBuilder start(String argument) {
    ProcessBuilder builder =
        new ProcessBuilder(project.resolve("bin/indexer").toString(), argument);
    builder.environment().putAll(environment);
    return builder.redirectError(ProcessBuilder.Redirect.DISCARD);
  }

  private List<String> builds() throws IOException {
    return Files.readAllLines(project.resolve("maven.log"));
  }

  private static Path find(String tool) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .map(place -> Path.of(place, tool))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + tool + " on the PATH"));
  }
}
