package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kmodel.indexer.Thorough;
import io.kmodel.indexer.cli.Launcher.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A build in the foreground of a pseudo-terminal, which shows a status line. */
class TerminalTest {
  private static final Path PYTHON = Path.of("/usr/bin/python3");
  private static final String SCRIPT = "src/test/resources/io/kmodel/indexer/cli/terminal.py";
  private static final String PARSING = "s: parsing";
  private static final int HANGUP = 129;
  private static final int INTERRUPTED = 130;

  @TempDir Path directory;

  @BeforeEach
  void requirePython() {
    assumeTrue(Files.isExecutable(PYTHON), "no " + PYTHON);
  }

  @Test
  void ctrlCStopsABuildWhichCleansUpAndSaysSo() throws Exception {
    writeFiles(40);
    Ended ended = build("interrupt");
    assertThat(ended.exitCode()).as(ended.out() + ended.err()).isEqualTo(INTERRUPTED);
    assertThat(ended.out()).endsWith("\r\033[Kindexer: stopped; unfinished files were deleted\r\n");
    assertThat(directory.resolve("index")).doesNotExist();
    assertThat(directory.resolve("index.building")).doesNotExist();
  }

  @Thorough
  @ParameterizedTest
  @CsvSource({"suspend, [suspended]", "quit, Full thread dump", "resize, parsing"})
  void aBuildEndsAsUsualAfter(String action, String shown) throws Exception {
    writeFiles(10);
    Ended ended = build(action);
    assertThat(ended.exitCode()).as(ended.out() + ended.err()).isEqualTo(ExitCode.OK);
    assertThat(ended.out()).contains(shown).contains("an index of 10 documents");
    assertThat(directory.resolve("index")).exists();
  }

  @Thorough
  @Test
  void aBuildWhoseTerminalIsClosedCleansUp() throws Exception {
    writeFiles(40);
    assertThat(build("close").exitCode()).isEqualTo(HANGUP);
    assertThat(directory.resolve("index")).doesNotExist();
    assertThat(directory.resolve("index.building")).doesNotExist();
  }

  /** Writes files of a megabyte with the same text, so that a build takes a second or more. */
  private void writeFiles(int count) throws IOException {
    Path crawl = Files.createDirectories(directory.resolve("crawl"));
    Path first = crawl.resolve("0.txt");
    Corpus.writeText(first, new Random(1), 1_000_000, 11);
    for (int i = 1; i < count; i++) {
      Files.copy(first, crawl.resolve(i + ".txt"));
    }
  }

  /** Builds an index, and acts on the terminal when the status line shows that files are parsed. */
  private Ended build(String action) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(SCRIPT, action, PARSING));
    arguments.addAll(Program.ofClasses("-Dindexer.terminal=true"));
    arguments.addAll(List.of("build", directory.resolve("crawl").toString()));
    arguments.addAll(List.of("--threads", "1", "-o", directory.resolve("index").toString()));
    return Launcher.run(PYTHON, Map.of("TERM", "xterm"), arguments.toArray(String[]::new));
  }
}
