package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.Launcher.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
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
  void aBuildThatWasKilledHalfWayIsMadeAnew() throws Exception {
    environment.put("TEST_MAVEN_DIES", "yes");
    assertThat(run("stats").exitCode()).isNotEqualTo(0);
    assertThat(project.resolve("target")).isDirectoryContaining("glob:**program.lock");
    environment.remove("TEST_MAVEN_DIES");
    Ended next = run("stats");
    assertThat(next.exitCode()).as(next.err()).isEqualTo(0);
    assertThat(next.out()).endsWith("runs: first\n");
    try (Stream<Path> left = Files.list(project.resolve("target"))) {
      assertThat(left.map(f -> f.getFileName().toString().replaceAll("-.*", "")))
          .containsExactlyInAnyOrder("program", "program");
    }
  }

  @Test
  void aBuildThatFailsLeavesNothing() throws Exception {
    environment.put("TEST_MAVEN_FAILS", "yes");
    Ended failed = run("stats");
    assertThat(failed.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(failed.err()).contains("the build failed");
    assertThat(project.resolve("target")).isEmptyDirectory();
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
    assertThat(builds()).hasSize(2).allMatch(build -> build.contains("-Dkernels.cache="));
  }

  @Test
  void aProgramStaysAsItIsWhileAJavaRunsIt() throws Exception {
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
      assertThat(programs()).hasSize(2);
    } finally {
      Files.createFile(go);
    }
    assertThat(build.waitFor()).isEqualTo(0);
    assertThat(out).content().endsWith("runs: first\n");
    Files.writeString(source, "third");
    assertThat(run("stats").out()).endsWith("runs: third\n");
    assertThat(programs()).as("what nobody runs any more is gone").hasSize(1);
  }

  @Test
  void whatMavenHasBuiltByHandIsTakenAsItIs() throws Exception {
    buildByHand();
    assertThat(run("stats").exitCode()).isEqualTo(0);
    assertThat(project.resolve("maven.log")).doesNotExist();
    Files.writeString(source, "second");
    assertThat(run("stats").out()).endsWith("runs: second\n");
    assertThat(builds()).hasSize(1);
  }

  @Test
  void whatAnInterruptedMavenHasLeftIsNotTaken() throws Exception {
    buildByHand();
    Path library =
        project.resolve("target/lib/library-with-a-name-so-long-that-its-line-folds.jar");
    byte[] whole = Files.readAllBytes(library);
    Files.write(library, Arrays.copyOf(whole, whole.length - 1));
    assertThat(run("stats").out()).endsWith("runs: first\n");
    assertThat(builds()).hasSize(1);
  }

  @Test
  void aMissingLibraryIsNoticed() throws Exception {
    buildByHand();
    Files.delete(project.resolve("target/lib/b.jar"));
    assertThat(run("stats").out()).endsWith("runs: first\n");
    assertThat(builds()).hasSize(1);
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
    Files.createDirectory(project.resolve("config"));
    Files.writeString(
        project.resolve("config/indexer.properties"),
        "#build.memory = 9g\n build.memory = 1000 m\n");
    Path other = Files.writeString(directory.resolve("my file"), "\uFEFFbuild.memory=2000m\r\n");
    assertThat(heap(Map.of())).isEqualTo("-Xmx400m");
    assertThat(heap(Map.of("INDEXER_CONFIG", other.toString()))).isEqualTo("-Xmx800m");
    assertThat(heap(Map.of(), "--config", other.toString())).isEqualTo("-Xmx800m");
    assertThat(heap(Map.of(), "--config=" + other)).isEqualTo("-Xmx800m");
    assertThat(heap(Map.of("INDEXER_MEMORY", "3000m"))).isEqualTo("-Xmx1200m");
    assertThat(heap(Map.of("INDEXER_MEMORY", "3000m", "INDEXER_BUILD_MEMORY", "500m")))
        .isEqualTo("-Xmx200m");
    assertThat(heap(Map.of("INDEXER_MEMORY", "3000m"), "--memory=600m")).isEqualTo("-Xmx240m");
    assertThat(run("--config", other.toString(), "--log=json", "build", "crawl").out())
        .contains("-Xmx800m\n");
    assertThat(run("--config", other.toString(), "stats").out()).doesNotContain("-Xmx");
  }

  @Test
  void aBudgetInTheEnvironmentThatIsNoSizeIsAnError() throws Exception {
    environment.put("INDEXER_MEMORY", "4 gigs");
    Ended ended = run("build", "crawl");
    assertThat(ended.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(ended.err())
        .isEqualTo(
            "indexer: INDEXER_MEMORY: '4 gigs' is not a size; write it like 800m, 4g or"
                + " 4294967296\n");
    assertThat(ended.out()).isEmpty();
  }

  @Test
  void theDefaultBudgetIsHalfOfWhatTheContainerMayUse() throws Exception {
    Path groups = Files.createDirectories(directory.resolve("groups"));
    Map<String, String> container = Map.of("INDEXER_CGROUPS", groups.toString());
    Files.writeString(groups.resolve("memory.max"), (1L << 30) + "\n");
    assertThat(heap(container)).isEqualTo("-Xmx" + 512 * 2 / 5 + "m");
    assertThat(heap(container, "--memory", "1T")).as("at most all").isEqualTo("-Xmx1024m");
    assertThat(heap(container, "--memory", "9".repeat(30))).isEqualTo("-Xmx204m");
    Files.delete(groups.resolve("memory.max"));
    Files.createDirectory(groups.resolve("memory"));
    Files.writeString(groups.resolve("memory/memory.limit_in_bytes"), (800L << 20) + "\n");
    assertThat(heap(container)).isEqualTo("-Xmx" + 400 * 2 / 5 + "m");
  }

  @Test
  void itSaysWhatIsMissingWhereThereIsNoSuitableJdk() throws Exception {
    Path tools = Files.createDirectory(directory.resolve("tools"));
    for (String tool : List.of("bash", "dirname", "readlink", "sed")) {
      forward(tools.resolve(tool), find(tool));
    }
    environment.put("PATH", tools.toString());
    environment.put("JAVA_HOME", jdk("nearly", "25.0.2").toString());
    environment.put("INDEXER_JAVA_HOME", jdk("old", "17.0.15").toString());
    environment.put("INDEXER_JDK_SEARCH", directory.resolve("nothing/*").toString());
    Ended ended = run("--version");
    assertThat(ended.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(ended.err()).contains("no JDK 25.0.3 or later found", "INDEXER_JAVA_HOME");
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
        .contains("/old; looking for another");
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

  /** What 'mvn verify' leaves, with a jar whose list of libraries takes more than a line. */
  private void buildByHand() throws IOException {
    Path target = project.resolve("target");
    Path main = target.resolve("classes/io/kmodel/indexer/cli/Main.class");
    Files.createDirectories(main.getParent());
    Files.createFile(main);
    Files.createDirectory(target.resolve("lib"));
    List<String> libraries =
        List.of("lib/library-with-a-name-so-long-that-its-line-folds.jar", "lib/b.jar");
    jar(target.resolve("indexer.jar"), String.join(" ", libraries));
    for (String library : libraries) {
      jar(target.resolve(library), "");
    }
  }

  private static void jar(Path file, String libraries) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, libraries);
    new JarOutputStream(Files.newOutputStream(file), manifest).close();
  }

  private static Path find(String tool) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .map(place -> Path.of(place, tool))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + tool + " on the PATH"));
  }
}
