package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.Launcher.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as it is installed, from the first build to a Lucene index. */
class LauncherIT {
  @TempDir Path directory;

  @Test
  void theTourOfTheReadmeWorks() throws IOException, InterruptedException {
    String index = directory.resolve("site-index").toString();
    Ended build = Launcher.run("build", "corpus-samples/site", "--output", index);
    assertThat(build.exitCode()).as(build.err()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(build.out()).contains("documents", "distinct terms", "skipped", "binary content");
    assertThat(Path.of(index, "report.json")).exists();

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
  void noCommandPrintsWarningsOfItsOwn() throws IOException, InterruptedException {
    Ended help = Launcher.run("--help");
    assertThat(help.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(help.err()).isEmpty();
    assertThat(help.out()).contains("build", "export", "search", "stats", "terms", "postings");
  }

  @Test
  void itSaysWhatIsMissingWhereThereIsNoSuitableJdk(@TempDir Path empty)
      throws IOException, InterruptedException {
    Path old = Files.createDirectories(empty.resolve("old-jdk/bin"));
    Files.createFile(old.resolve("java"));
    assertThat(old.resolve("java").toFile().setExecutable(true)).isTrue();
    Files.writeString(empty.resolve("old-jdk/release"), "JAVA_VERSION=\"25.0.2\"\n");
    Ended ended =
        Launcher.run(
            Map.of(
                "INDEXER_JAVA_HOME",
                empty.resolve("old-jdk").toString(),
                "INDEXER_JDK_SEARCH",
                empty.resolve("nothing/*").toString(),
                "JAVA_HOME",
                "",
                "PATH",
                "/usr/bin:/bin"),
            "--version");
    assertThat(ended.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(ended.err()).contains("no JDK 25.0.3 or later found", "INDEXER_JAVA_HOME");
  }

  @Test
  void wrongUsageIsExplainedOnOneLineWithExitCodeTwo() throws IOException, InterruptedException {
    Ended missing = Launcher.run("build", "corpus-samples/site");
    assertThat(missing.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(missing.err()).contains("--output").doesNotContain("Exception");

    Ended absent = Launcher.run("build", "no-such-crawl", "-o", directory.resolve("i").toString());
    assertThat(absent.exitCode()).isIn(ExitCode.USAGE, ExitCode.FAILED);
    assertThat(absent.err()).contains("no-such-crawl").doesNotContain("\tat ");
  }
}
