package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.Launcher.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The program as it is installed, from the first build to a Lucene index. */
class LauncherIT {
  private static final String TREC = "corpus-samples/trec/docs";
  private static final String TOPICS = "corpus-samples/trec/topics.txt";

  @TempDir Path directory;

  @Test
  void theTourOfTheReadmeWorks() throws IOException, InterruptedException {
    String index = directory.resolve("site-index").toString();
    Ended dry = Launcher.run("build", "corpus-samples/site", "--output", index, "--dry-run");
    assertThat(dry.exitCode()).as(dry.err()).isEqualTo(ExitCode.OK);
    assertThat(dry.out()).contains("nothing was written", "documents      124 files");
    assertThat(Path.of(index)).doesNotExist();
    Ended build = Launcher.run("build", "corpus-samples/site", "--output", index);
    assertThat(build.exitCode()).as(build.err()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(build.out()).contains("documents", "distinct terms", "skipped", "binary content");
    assertThat(Path.of(index, "report.json")).exists();
    assertThat(Path.of(index, "report.html")).content().contains("<!DOCTYPE html>", "\"parse-1\"");

    Ended search = Launcher.run("search", index, "sorting");
    assertThat(search.exitCode()).as(search.err()).isEqualTo(ExitCode.OK);
    assertThat(search.out()).contains("  1. ");

    Ended stats = Launcher.run("stats", index, "--json");
    assertThat(stats.exitCode()).as(stats.err()).isEqualTo(ExitCode.OK);
    assertThat(stats.out()).contains("\"documentCount\"");

    Ended verify = Launcher.run("verify", index);
    assertThat(verify.exitCode()).as(verify.err()).isEqualTo(ExitCode.OK);

    Path lucene = directory.resolve("lucene");
    Ended export = Launcher.run("export", "lucene", index, lucene.toString(), "--segments", "3");
    assertThat(export.exitCode()).as(export.err()).isEqualTo(ExitCode.OK);
    assertThat(export.out()).contains("3 segments");
    try (var files = Files.list(lucene)) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .anyMatch(f -> f.startsWith("segments"));
    }
  }

  @Test
  void aFileOfSettingsCountsInTheLauncherAndInTheProgram()
      throws IOException, InterruptedException {
    Path settings = directory.resolve("my settings");
    Files.writeString(settings, "build.memory = 300m\nbuild.threads = 90\nlog = json\n");
    Ended build =
        Launcher.run(
            "--config",
            settings.toString(),
            "build",
            "corpus-samples/trec/docs",
            "-o",
            directory.resolve("index").toString());
    assertThat(build.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(build.err())
        .startsWith("{\"time\":")
        .contains("a memory budget of 300 MiB", "90 threads beside a heap of 128 MiB")
        .contains("it is build.memory in " + settings + ", line 1")
        .contains("it is build.threads in " + settings + ", line 2");
  }

  @Test
  void noCommandPrintsWarningsOfItsOwn() throws IOException, InterruptedException {
    Ended help = Launcher.run("--help");
    assertThat(help.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(help.err()).isEmpty();
    assertThat(help.out()).contains("build", "export", "search", "stats", "terms", "postings");
  }

  @Test
  void wrongUsageIsExplainedOnOneLineWithExitCodeTwo() throws IOException, InterruptedException {
    Ended missing = Launcher.run("build", "corpus-samples/site");
    assertThat(missing.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(missing.err()).contains("--output").doesNotContain("Exception");

    Ended absent = Launcher.run("build", "no-such-crawl", "-o", directory.resolve("i").toString());
    assertThat(absent.exitCode()).isIn(ExitCode.USAGE, ExitCode.FAILED);
    assertThat(absent.err())
        .isEqualTo("indexer: no-such-crawl: no such directory or file" + System.lineSeparator());
  }

  @Test
  void aClosedPipeEndsACallInSilenceAndAFullDiskWithAnError()
      throws IOException, InterruptedException {
    Ended unread = inBash("set -o pipefail; bin/indexer settings | :");
    assertThat(unread.exitCode()).isEqualTo(ExitCode.UNREAD);
    assertThat(unread.err()).isEmpty();
    if (Files.exists(Path.of("/dev/full"))) {
      Ended full = inBash("bin/indexer settings >/dev/full");
      assertThat(full.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(full.err()).startsWith("indexer: standard output: ").hasLineCount(1);
    }
  }

  private static Ended inBash(String script) throws IOException, InterruptedException {
    String program = Path.of("target").toAbsolutePath().toString();
    return Launcher.run(Path.of("bash"), Map.of("INDEXER_PROGRAM", program), "-c", script);
  }

  @Test
  void aRunOfAnIndexWithoutIdsIsRefused() throws IOException, InterruptedException {
    String index = directory.resolve("index").toString();
    Path run = directory.resolve("bm25.run");
    Ended build = Launcher.run("build", TREC, "-o", index, "--store", "none", "--quiet");
    assertThat(build.exitCode()).as(build.err()).isEqualTo(ExitCode.OK);
    Ended search = Launcher.run("search", index, "--topics", TOPICS, "--run", run.toString());
    assertThat(search.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(search.err()).contains("does not store ids", "--store=id").doesNotContain("\tat ");
    assertThat(run).doesNotExist();
  }

  @Test
  void aRunWithIdsThatATopicHasTwiceIsWarnedOf() throws IOException, InterruptedException {
    String index = directory.resolve("index").toString();
    Path run = directory.resolve("bm25.run");
    Ended build = Launcher.run("build", TREC, TREC, "-o", index, "--store", "id", "--quiet");
    assertThat(build.exitCode()).as(build.err()).isEqualTo(ExitCode.OK);
    Ended search = Launcher.run("search", index, "--topics", TOPICS, "--run", run.toString());
    assertThat(search.exitCode()).as(search.err()).isEqualTo(ExitCode.OK);
    assertThat(search.err()).contains("indexer: warning: ", "repeat an id within a topic");
    assertThat(run).isNotEmptyFile();
  }

  @Test
  void aRaceTellsWhatItMeasuredAndSkipped() throws IOException, InterruptedException {
    Ended race =
        Launcher.run(
            "experiment",
            "build",
            "--corpus",
            "corpus-samples/site",
            "--work",
            directory.resolve("race").toString(),
            "--rounds",
            "1",
            "--memory",
            "512m",
            "--ram-buffer",
            "64");
    assertThat(race.exitCode()).as(race.err()).isEqualTo(ExitCode.OK);
    assertThat(race.out())
        .contains("warm-up indexer", "round 1 lucene", "skipped by each: {binary content=1}")
        .containsPattern("each starts with (what|nothing that) Java learned");
  }

  @Test
  void aRaceOfSortersHasTheVectorsAndWritesItsFigures() throws IOException, InterruptedException {
    Path json = directory.resolve("sorting.json");
    Ended race =
        Launcher.run(
            "experiment",
            "sorters",
            "--keys=2^16,1k",
            "--bits=22",
            "--distribution=zipf,all_equal",
            "--rounds=1",
            "--warm-up=0",
            "--json=" + json);
    assertThat(race.exitCode()).as(race.err()).isEqualTo(ExitCode.OK);
    assertThat(race.out())
        .contains("65,536 zipf keys of 22 bits", "1,024 all_equal keys of 22 bits", "simd-merge")
        .doesNotContain("without");
    assertThat(json).content().contains("\"sorter\" : \"simd-merge\"", "\"keys\" : 65536");
  }

  @Test
  void numbersOfKeysThatAreNoneAreRefused() throws IOException, InterruptedException {
    Ended race = Launcher.run("experiment", "sorters", "--keys", "many");
    assertThat(race.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(race.err())
        .contains("'many' is not a number of keys; write it like 2^24, 16m or 100000");
  }

  @Test
  void extractionCountsWhatItLeavesOut() throws IOException, InterruptedException {
    Path text = directory.resolve("text");
    Ended extract =
        Launcher.run(
            "experiment",
            "extract",
            "--corpus",
            "corpus-samples/site",
            "--output",
            text.toString());
    assertThat(extract.exitCode()).as(extract.err()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(extract.out()).contains("124 documents", "skipped: 1 binary content");
  }

  @Test
  void javasWarningsAreNotTheCallsOutput() throws IOException, InterruptedException {
    Ended plain = Launcher.run("--version");
    Ended warned =
        Launcher.run(Map.of("INDEXER_JAVA_OPTIONS", "-Xshare:off -Xmx512m -Xmn600m"), "--version");
    assertThat(warned.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(warned.err()).contains("[warning]", "MaxNewSize");
    assertThat(warned.out()).isEqualTo(plain.out());
  }

  @Test
  void zstdIsCalledAsBeforeJavaHadALinkerAndNoOtherLibraryIsChangedByThat()
      throws IOException, InterruptedException {
    Path loaded = directory.resolve("loaded.txt");
    Ended build =
        Launcher.run(
            Map.of("INDEXER_JAVA_OPTIONS", "-Xlog:class+load:file=" + loaded),
            "build",
            TREC,
            "-o",
            directory.resolve("index").toString());
    assertThat(build.exitCode()).as(build.err()).isEqualTo(ExitCode.OK);
    assertThat(loaded).content().contains("zstd.ZstdCompressCtx ").doesNotContain("ZstdBinding");
    List<Path> libraries;
    try (var files = Files.list(Path.of("target/lib"))) {
      libraries = files.sorted().toList();
    }
    for (Path library : libraries) {
      try (JarFile jar = new JarFile(library.toFile())) {
        assertThat(jar.stream().map(JarEntry::getName))
            .filteredOn(name -> name.matches("META-INF/versions/(2[2-9]|[3-9][0-9])/.*[^/]"))
            .allMatch(name -> name.startsWith("META-INF/versions/22/com/github/luben/zstd/"));
      }
    }
  }

  @Test
  void whatJavaLearnsInTrainingFitsLaterCallsAndIsPassedOverInSilenceWhereItDoesNot()
      throws IOException, InterruptedException {
    Path launcher = projectBuiltByHand();
    Map<String, String> always = Map.of("INDEXER_JAVA_OPTIONS", "-XX:AOTMode=on");
    Ended fits = Launcher.run(launcher, always, "--version");
    assertThat(fits.exitCode()).as(fits.out() + fits.err()).isEqualTo(ExitCode.OK);
    Path program = program();
    assertThat(program.resolve("indexer.aot")).isNotEmptyFile();
    assertThat(sourceOf(Main.class, launcher)).startsWith("shared objects file");
    assertThat(sourceOf(CommandLine.class, launcher)).startsWith("shared objects file");

    // Java by itself looks at no jar that it need not load anything from.
    for (String jar : List.of("indexer.jar", "lib/" + jarOf(CommandLine.class))) {
      Path changed = program.resolve(jar);
      FileTime time = Files.getLastModifiedTime(changed);
      Files.setLastModifiedTime(changed, FileTime.fromMillis(0));
      assertThat(sourceOf(Main.class, launcher)).startsWith("file:");
      Ended other = Launcher.run(launcher, Map.of(), "--version");
      assertThat(other.exitCode()).isEqualTo(ExitCode.OK);
      assertThat(other.out()).isEqualTo(fits.out()).hasLineCount(1);
      assertThat(other.err()).isEmpty();
      Files.setLastModifiedTime(changed, time);
      assertThat(sourceOf(Main.class, launcher)).startsWith("shared objects file");
    }
  }

  private static String jarOf(Class<?> type) {
    String path = type.getProtectionDomain().getCodeSource().getLocation().getPath();
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Where a call takes a class from. */
  private String sourceOf(Class<?> type, Path launcher) throws IOException, InterruptedException {
    Path loaded = directory.resolve("loaded");
    Files.deleteIfExists(loaded);
    Map<String, String> logging =
        Map.of("INDEXER_JAVA_OPTIONS", "-Xlog:class+load:file=" + loaded + ":none");
    Ended call = Launcher.run(launcher, logging, "--version");
    assertThat(call.exitCode()).as(call.err()).isEqualTo(ExitCode.OK);
    String start = type.getName() + " source: ";
    return Files.readAllLines(loaded).stream()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatJavaLearnsInACallIsWhatLaterOnesBeginWith() throws IOException, InterruptedException {
    Path launcher = projectBuiltByHand();
    assertThat(Launcher.run(launcher, Map.of(), "--version").exitCode()).isEqualTo(ExitCode.OK);
    Path kept = program().resolve("indexer.aot");
    byte[] ofSamples = Files.readAllBytes(kept);

    String[] call = {"build", "corpus-samples/site", "-o", directory.resolve("site").toString()};
    Ended learned = Launcher.run(launcher, Map.of("INDEXER_LEARN", "yes"), call);
    assertThat(learned.exitCode()).as(learned.err()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(learned.out()).contains("124 documents").doesNotContain("AOT");
    assertThat(learned.err()).contains("later calls begin with what Java has learned in this one");
    byte[] ofSite = Files.readAllBytes(kept);
    assertThat(ofSite).isNotEqualTo(ofSamples);
    Map<String, String> always = Map.of("INDEXER_JAVA_OPTIONS", "-XX:AOTMode=on");
    assertThat(Launcher.run(launcher, always, "--version").exitCode()).isEqualTo(ExitCode.OK);

    Ended failed = Launcher.run(launcher, Map.of("INDEXER_LEARN", "yes"), call);
    assertThat(failed.exitCode()).isGreaterThan(ExitCode.INCOMPLETE);
    assertThat(failed.err()).contains("exists already", "nothing is kept");
    Ended refused =
        Launcher.run(
            launcher,
            Map.of("INDEXER_LEARN", "yes", "INDEXER_JAVA_OPTIONS", "-Xshare:auto"),
            "--version");
    assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains("INDEXER_LEARN", "an archive of its own");
    assertThat(Files.readAllBytes(kept)).isEqualTo(ofSite);
    assertThat(program()).isDirectoryNotContaining("glob:**learning-*");
  }

  /** The one that the launcher has made in {@link #projectBuiltByHand}. */
  private Path program() throws IOException {
    try (var files = Files.list(directory.resolve("target"))) {
      return files
          .filter(f -> f.getFileName().toString().startsWith("program-"))
          .findFirst()
          .orElseThrow();
    }
  }

  /** A project with the program of this one, as Maven leaves it, and the samples. */
  private Path projectBuiltByHand() throws IOException {
    for (String file : List.of("pom.xml", "src/main/any", "kernels/any.cu", "kernels/fatbin.sh")) {
      Files.createDirectories(directory.resolve(file).getParent());
      Files.createFile(directory.resolve(file));
    }
    Path main = directory.resolve("target/classes/io/kmodel/indexer/cli/Main.class");
    Files.createDirectories(main.getParent());
    Files.createFile(main);
    Files.copy(Path.of("target/indexer.jar"), directory.resolve("target/indexer.jar"));
    Files.createSymbolicLink(
        directory.resolve("target/lib"), Path.of("target/lib").toAbsolutePath());
    Files.createSymbolicLink(
        directory.resolve("corpus-samples"), Path.of("corpus-samples").toAbsolutePath());
    Files.createDirectory(directory.resolve("bin"));
    return Files.copy(
        Path.of("bin/indexer"),
        directory.resolve("bin/indexer"),
        StandardCopyOption.COPY_ATTRIBUTES);
  }
}
