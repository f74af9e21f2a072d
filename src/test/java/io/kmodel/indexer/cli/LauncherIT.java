package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.Launcher.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
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

/** The program as it is installed, from the first build to a Lucene index. */
class LauncherIT {
  /**
   * What {@code -Djdk.util.jar.version=21} hides: zstd's calls, and of Parquet's reader libdeflate
   * and SIMD, which it does without.
   */
  private static final String BOUND_BY_A_LINKER =
      "META-INF/versions/22/(com/github/luben/zstd/.*|dev/hardwood/.*|META-INF/jpms[.]args)";

  private static final String TREC = "corpus-samples/trec/docs";

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
        .contains("it is build.memory in " + settings)
        .contains("it is build.threads in " + settings);
  }

  @Test
  void noCommandPrintsWarningsOfItsOwn() throws IOException, InterruptedException {
    Ended help = Launcher.run("--help");
    assertThat(help.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(help.err()).isEmpty();
    assertThat(help.out()).contains("build", "export", "search", "stats", "terms", "postings");
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
  void javasWarningsAreNotTheCallsOutput() throws IOException, InterruptedException {
    Ended plain = Launcher.run("--version");
    Ended warned =
        Launcher.run(Map.of("INDEXER_JAVA_OPTIONS", "-Xshare:off -Xmx512m -Xmn600m"), "--version");
    assertThat(warned.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(warned.err()).contains("[warning]", "MaxNewSize");
    assertThat(warned.out()).isEqualTo(plain.out());
  }

  @Test
  void zstdIsCalledAsBeforeJavaHadALinkerWhichChangesNoLibraryThatWasNotTriedSo()
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
      libraries = files.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path library : libraries) {
      try (JarFile jar = new JarFile(library.toFile())) {
        assertThat(jar.stream().map(JarEntry::getName))
            .filteredOn(name -> name.matches("META-INF/versions/(2[2-9]|[3-9][0-9])/.*[^/]"))
            .allMatch(name -> name.matches(BOUND_BY_A_LINKER));
      }
    }
  }

  @Test
  void theStartCacheIsUsedOnlyInItsPlaceAndForItsJars() throws IOException, InterruptedException {
    Path target = Path.of("target").toRealPath();
    assertThat(target.resolve("indexer.aot")).isNotEmptyFile();
    assertThat(sourceOf(Main.class, target)).startsWith("shared objects file");

    // Java alone checks only the jars from which it loads a class.
    Path moved = Files.createDirectories(directory.resolve("a copy"));
    Files.createSymbolicLink(moved.resolve("lib"), target.resolve("lib"));
    for (String name : List.of("indexer.jar", "indexer.aot", "indexer.aot.of")) {
      Files.copy(target.resolve(name), moved.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
    }
    assertThat(sourceOf(Main.class, moved)).startsWith("file:");
    String sum = Files.readAllLines(target.resolve("indexer.aot.of")).get(1);
    Files.writeString(moved.resolve("indexer.aot.of"), moved.toRealPath() + "\n" + sum + "\n");
    Files.setLastModifiedTime(
        moved.resolve("indexer.jar"), FileTime.fromMillis(System.currentTimeMillis() + 60_000));
    assertThat(sourceOf(Main.class, moved)).startsWith("file:");
  }

  /** Java crashes if it uses one. */
  @Test
  void aDamagedStartCacheIsNotUsed() throws IOException, InterruptedException {
    Path target = Path.of("target").toRealPath();
    Path moved = Files.createDirectories(directory.resolve("moved")).toRealPath();
    Files.createSymbolicLink(moved.resolve("lib"), target.resolve("lib"));
    Files.copy(target.resolve("indexer.jar"), moved.resolve("indexer.jar"));
    String sum = Files.readAllLines(target.resolve("indexer.aot.of")).get(1);
    Files.writeString(moved.resolve("indexer.aot.of"), moved + "\n" + sum + "\n");
    byte[] cache = Files.readAllBytes(target.resolve("indexer.aot"));
    cache[cache.length / 2] ^= 1;
    Files.write(moved.resolve("indexer.aot"), cache);
    assertThat(sourceOf(Main.class, moved)).startsWith("file:");
  }

  @Test
  void aStartCacheThatDoesNotFitTheOptionsIsPassedOverSilently()
      throws IOException, InterruptedException {
    Ended plain = Launcher.run("--version");
    assertThat(plain.out()).hasLineCount(1);
    for (String options :
        List.of("-XX:-UseParallelGC -XX:+UseG1GC", "-Xmx40g", "-XX:-UseCompressedOops")) {
      Ended call = Launcher.run(Map.of("INDEXER_JAVA_OPTIONS", options), "--version");
      assertThat(call).as(options).isEqualTo(plain);
    }
  }

  /** Where a call of the program in a directory takes a class from. */
  private String sourceOf(Class<?> type, Path program) throws IOException, InterruptedException {
    Path loaded = directory.resolve("loaded");
    Map<String, String> environment =
        Map.of(
            "INDEXER_JAVA_OPTIONS",
            "-Xlog:class+load:file=" + loaded + ":none",
            "INDEXER_PROGRAM",
            program.toString());
    Ended call = Launcher.run(Path.of("bin/indexer"), environment, "--version");
    assertThat(call.exitCode()).as(call.err()).isEqualTo(ExitCode.OK);
    String start = type.getName() + " source: ";
    return Files.readAllLines(loaded).stream()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()))
        .findFirst()
        .orElseThrow();
  }
}
