package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.cli.Program.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The program is killed at every step of an append. Until it is resumed, the index has all of the
 * new documents or none of them; afterwards it has them once.
 */
@Timeout(600)
class KillAppendIT {
  private static final List<String> STEPS =
      Tier.pick(
          List.of("PUBLISHED:2"),
          List.of(
              "ALL_MERGED",
              "ASSEMBLED",
              "PUBLISHED:1",
              "MOVED_OUT:1",
              "MOVED_OUT -Dindexer.exchange=false",
              "PUBLISHED:2",
              "FORGOTTEN:1",
              "FORGOTTEN:2",
              "APPENDED"));

  @TempDir private Path directory;

  @Test
  void anAppendThatIsKilledAtAnyStepIsContinued() throws IOException, InterruptedException {
    Program program = new Program(directory);
    Path old = crawl("old", 4);
    Path more = crawl("more", 2);
    Path base = build(program, "base", old);
    SortedMap<String, Integer> before = Corpus.files(base);
    SortedMap<String, Integer> after = Corpus.files(build(program, "whole", old, more));
    Path index = directory.resolve("index");
    for (String step : STEPS) {
      Directories.deleteTree(index);
      copy(base, index);
      List<String> killing = List.of(("-Dindexer.end-at=" + step).split(" "));
      Ended killed = append(program, killing, index, more);
      assertThat(killed.exitCode()).as("%s: %s", step, killed.err()).isEqualTo(KilledBuild.KILLED);
      if (Files.exists(index)) {
        assertThat(Corpus.files(index)).as(step).isIn(before, after);
      }
      Ended resumed = append(program, List.of(), index, more, "--resume");
      assertThat(resumed.exitCode()).as("%s: %s", step, resumed.err()).isEqualTo(ExitCode.OK);
      assertThat(Corpus.files(index)).as(step).isEqualTo(after);
      try (Stream<Path> left = Files.list(directory)) {
        assertThat(left.map(Path::getFileName).map(Path::toString))
            .as(step)
            .noneMatch(name -> name.startsWith("index."));
      }
    }
  }

  private Path crawl(String name, int files) throws IOException {
    Path crawl = Files.createDirectories(directory.resolve(name));
    Random random = new Random(files);
    for (int i = 0; i < files; i++) {
      Corpus.writeText(crawl.resolve(name + i + ".txt"), random, 20_000, 9);
    }
    return crawl;
  }

  private Path build(Program program, String name, Path... crawls)
      throws IOException, InterruptedException {
    Path index = directory.resolve(name);
    List<String> arguments = new ArrayList<>(List.of("build", "-q", "--output", index.toString()));
    Stream.of(crawls).map(Path::toString).forEach(arguments::add);
    Ended ended = program.run(List.of(), arguments.toArray(String[]::new));
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.OK);
    return index;
  }

  private static Ended append(
      Program program, List<String> java, Path index, Path more, String... options)
      throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(List.of("append", index.toString(), more.toString(), "--threads", "2"));
    arguments.addAll(List.of(options));
    return program.run(java, arguments.toArray(String[]::new));
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }
}
