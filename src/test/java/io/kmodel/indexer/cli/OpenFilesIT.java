package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.Program.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program where it may open few files: {@code ulimit -n}. */
class OpenFilesIT {
  /** Nearly all of these are the program's jars. */
  private static final int FEW = 96;

  @TempDir Path directory;
  private Path index = Path.of("");

  @BeforeEach
  void build() throws Exception {
    index = directory.resolve("index");
    Ended built = run(FEW, "build", "corpus-samples/trec/docs", "--output", index.toString(), "-q");
    assertThat(built.exitCode()).as(built.err()).isEqualTo(ExitCode.OK);
  }

  @Test
  void anExportByManyThreadsIntoManySegmentsKeepsToTheFilesItMayOpen() throws Exception {
    Ended ended =
        run(
            FEW,
            "export",
            "lucene",
            index.toString(),
            directory.resolve("lucene").toString(),
            "--segments=20",
            "--threads=16",
            "--quiet");
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.OK);
  }

  /**
   * With fewer, Java itself does not start. 1 would say that nothing was found, 2 that the call
   * makes no sense.
   */
  @Test
  void aCallThatMayOpenTooFewFilesHasFailed() throws Exception {
    int failed = 0;
    for (int most = 60; most < FEW; most += 4) {
      Ended ended = run(most, "stats", index.toString());
      assertThat(ended.exitCode())
          .as("%d: %s", most, ended.err())
          .isIn(ExitCode.OK, ExitCode.FAILED);
      failed += ended.exitCode() == ExitCode.FAILED ? 1 : 0;
    }
    assertThat(failed).isPositive();
  }

  private Ended run(int openFiles, String... arguments) throws Exception {
    return new Program(directory).withOpenFiles(openFiles).run(List.of(), arguments);
  }
}
