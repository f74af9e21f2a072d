package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.cli.Program.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a build says and does whose output is locked or was published before. */
@Timeout(600)
class LockedOutputIT extends KilledBuild {
  @Test
  void theOwnerOfALockedOutputIsNamed() throws IOException, InterruptedException {
    Path work = Files.createDirectory(building());
    String owner = "process %d on this machine".formatted(ProcessHandle.current().pid());
    try (FileChannel file =
            FileChannel.open(
                work.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = file.lock()) {
      file.write(ByteBuffer.wrap(owner.getBytes(StandardCharsets.UTF_8)));
      assertThat(lock.isValid()).isTrue();
      Ended ended = program.run(List.of(), Corpus.arguments(corpus, output));
      assertThat(ended.exitCode()).isEqualTo(ExitCode.USAGE);
      assertThat(ended.err()).contains("another build is at work on " + output, owner);
    }
    // The lock file exists, but no process holds the lock.
    Ended ended = program.run(List.of(), Corpus.arguments(corpus, output));
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.OK);
  }

  /** The first one lost its lock a moment after it had it, and both went on in one directory. */
  @Test
  void ofTwoBuildsOfOneOutputTheSecondIsRefusedAndTheFirstEndsWell()
      throws IOException, InterruptedException {
    Program other =
        new Program(Files.createDirectory(directory.resolve("other"))).withOpenFiles(OPEN_FILES);
    Path lock = building().resolve("lock");
    for (int round = 0; round < Tier.pick(1, 3); round++) {
      Process first = program.start(List.of(), Corpus.arguments(corpus, output));
      while (first.isAlive() && !(Files.exists(lock) && Files.size(lock) > 0)) {
        Thread.sleep(1);
      }
      Ended second = other.run(List.of(), Corpus.arguments(corpus, output));
      assertThat(second.exitCode()).as(second.err()).isEqualTo(ExitCode.USAGE);
      assertThat(second.err())
          .contains(
              "another build is at work on " + output, "process %d on ".formatted(first.pid()));
      Ended ended = program.end(first);
      assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.OK);
      assertThat(Corpus.files(output)).isEqualTo(expected);
      assertThat(building()).doesNotExist();
      Directories.deleteTree(output);
    }
  }

  @Test
  void whatWasPublishedByAnotherBuildIsNotTakenForThisOnes()
      throws IOException, InterruptedException {
    Ended killed =
        program.run(List.of("-Dindexer.end-at=PUBLISHED"), Corpus.arguments(corpus, output));
    assertThat(killed.exitCode()).as(killed.err()).isEqualTo(KILLED);
    Ended options =
        program.run(List.of(), Corpus.arguments(corpus, output, "--analyzer", "english"));
    assertThat(options.exitCode()).as(options.err()).isEqualTo(ExitCode.USAGE);
    assertThat(options.err()).contains("--analyzer english (was standard)");
    Path more = Files.writeString(corpus.getFirst().resolve("more.txt"), "more");
    Ended input = program.run(List.of(), Corpus.arguments(corpus, output));
    Files.delete(more);
    assertThat(input.exitCode()).as(input.err()).isEqualTo(ExitCode.USAGE);
    assertThat(input.err()).contains("the input has changed since the interrupted build");
    Ended same = program.run(List.of(), Corpus.arguments(corpus, output));
    assertThat(same.exitCode()).as(same.err()).isEqualTo(ExitCode.OK);
    assertThat(same.err()).contains(output + " was already complete");
    assertThat(Corpus.files(output)).isEqualTo(expected);
    assertThat(building()).doesNotExist();
  }

  @Test
  void aLuceneIndexThatWasPublishedIsKnownAndItsRunsAreDeleted()
      throws IOException, InterruptedException {
    List<String> end = List.of("-Dindexer.end-at=PUBLISHED");
    Ended killed = program.run(end, lucene("--segments=2"));
    assertThat(killed.exitCode()).as(killed.err()).isEqualTo(KILLED);
    Ended other = program.run(List.of(), lucene("--segments=1", "--resume"));
    assertThat(other.exitCode()).as(other.err()).isEqualTo(ExitCode.USAGE);
    assertThat(other.err()).contains("--segments 1 (was 2)");
    Ended same = program.run(List.of(), lucene("--segments=2", "--resume"));
    assertThat(same.exitCode()).as(same.err()).isEqualTo(ExitCode.OK);
    assertThat(same.err()).contains(output + " was already complete");
    assertThat(building()).doesNotExist();
    Directories.deleteTree(output);

    killed = program.run(end, lucene("--segments=2"));
    assertThat(killed.exitCode()).as(killed.err()).isEqualTo(KILLED);
    Ended plain = program.run(List.of(), lucene("--segments=2"));
    assertThat(plain.exitCode()).as(plain.err()).isEqualTo(ExitCode.USAGE);
    assertThat(plain.err()).contains(output + " exists already");
    assertThat(building()).doesNotExist();
    assertThat(BuildReport.read(output).documents()).isEqualTo(corpus.size());
  }

  private String[] lucene(String... more) {
    List<String> arguments = new ArrayList<>(List.of("build"));
    corpus.forEach(part -> arguments.add(part.toString()));
    arguments.addAll(List.of("--export=lucene:" + output, "--threads=3", "--seal-every=0"));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }
}
