package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.Program.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a build says and does that was stopped, and one that resumes it. */
@Timeout(600)
class ResumeIT extends KilledBuild {
  @Test
  void aBuildThatIsToldToStopSaysHowToGoOn() throws IOException, InterruptedException {
    Process process = program.start(List.of(), Corpus.arguments(corpus, output));
    Path journal = building().resolve("journal");
    while (process.isAlive() && !Files.exists(journal)) {
      Thread.sleep(1);
    }
    Thread.sleep(50);
    process.destroy();
    Ended ended = program.end(process);
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(143);
    assertThat(ended.err())
        .contains("finished work (parts of the input: ")
        .contains("the same command with --resume continues from there")
        .contains("indexer: stopped");
    assertThat(output).doesNotExist();
    Ended resumed = program.run(List.of(), Corpus.arguments(corpus, output));
    assertThat(resumed.exitCode()).as(resumed.err()).isEqualTo(ExitCode.OK);
    assertThat(resumed.err()).contains("resuming with");
    assertThat(Corpus.files(output)).isEqualTo(expected);
  }

  @Test
  void runsInMemoryAreGoneOnWithIfTheyWereSealedWhenTheBuildWasStopped()
      throws IOException, InterruptedException {
    String[] arguments = Corpus.arguments(corpus, output);
    arguments[List.of(arguments).indexOf("--seal-every") + 1] = "3600";
    for (String step : List.of("KEPT_WRITTEN", "SEALED")) {
      Process process = program.start(List.of("-Dindexer.end-at=" + step), arguments);
      while (process.isAlive() && splitsWithDocuments() < 6) {
        Thread.sleep(1);
      }
      process.destroy();
      Ended killed = program.end(process);
      assertThat(killed.exitCode()).as("%s: %s", step, killed.err()).isEqualTo(KILLED);
      assertThat(output).doesNotExist();
      Ended resumed = program.run(List.of(), arguments);
      assertThat(resumed.exitCode()).as(resumed.err()).isEqualTo(ExitCode.OK);
      assertThat(resumed.err().contains("resuming with")).isEqualTo(step.equals("SEALED"));
      assertThat(Corpus.files(output)).isEqualTo(expected);
      Directories.deleteTree(output);
    }
  }

  private long splitsWithDocuments() throws IOException {
    Path runs = building().resolve("runs");
    if (!Files.isDirectory(runs)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(runs)) {
      return files.filter(file -> file.toString().endsWith(".documents")).count();
    } catch (NoSuchFileException e) {
      return 0; // The build has just ended.
    }
  }
}
