package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kmodel.indexer.Thorough;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.cli.Program.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.indexing.IndexFilesHash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk that is really full, and a little larger every time: the build ends with the reason, and
 * goes on when there is room. Where no file system can be mounted, it is skipped.
 */
@Timeout(300)
class FullDiskIT {
  private static final int SMALLEST_KIB = 400;

  @TempDir Path directory;
  private Path disk = Path.of("");
  private boolean mounted;

  @BeforeEach
  void mount() throws IOException, InterruptedException {
    disk = Files.createDirectory(directory.resolve("disk"));
    mounted =
        call(
            "mount",
            "-t",
            "tmpfs",
            "-o",
            "size=%dk".formatted(SMALLEST_KIB),
            "tmpfs",
            disk.toString());
    assumeTrue(mounted, "a file system can only be mounted by root on Linux");
  }

  @AfterEach
  void unmount() throws IOException, InterruptedException {
    if (mounted) {
      assertThat(call("umount", disk.toString())).isTrue();
    }
  }

  @Test
  void aBuildGoesOnWhenTheDiskHasRoomAgain() throws IOException, InterruptedException {
    Program program = new Program(directory);
    List<Path> corpus = Corpus.write(directory.resolve("crawl"));
    Path undisturbed = directory.resolve("undisturbed");
    Ended ended = program.run(List.of(), Corpus.arguments(corpus, undisturbed));
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.OK);
    Path index = disk.resolve("index");
    List<Integer> full = new ArrayList<>();
    int resumed = 0;
    int kib = SMALLEST_KIB;
    for (ended = build(program, corpus, index);
        ended.exitCode() != ExitCode.OK;
        ended = build(program, corpus, index)) {
      assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.FAILED);
      assertThat(ended.err()).containsAnyOf("No space left on device", "not enough disk space");
      assertThat(ended.err())
          .containsPattern(disk + "/.*: No space|" + disk + "/.*: not enough disk space");
      assertThat(index).doesNotExist();
      full.add(kib);
      resumed += ended.err().contains("resuming with") ? 1 : 0;
      kib += Tier.pick(kib, kib / 2);
      assertThat(call("mount", "-o", "remount,size=%dk".formatted(kib), disk.toString())).isTrue();
    }
    assertThat(full).hasSizeGreaterThan(2);
    assertThat(resumed).isPositive();
    assertThat(Corpus.files(index)).isEqualTo(Corpus.files(undisturbed));
    System.out.printf("full disks of %s KiB, %d builds went on; the same index%n", full, resumed);
  }

  @Test
  void aLuceneBuildNamesTheFileThatTheDiskHasNoRoomFor() throws IOException, InterruptedException {
    List<Path> corpus = Corpus.write(directory.resolve("crawl"));
    List<String> call = new ArrayList<>(List.of("build", "--threads", "2", "--export"));
    call.add("lucene:" + disk.resolve("index"));
    corpus.forEach(file -> call.add(file.toString()));
    Ended ended = new Program(directory).run(List.of(), call.toArray(String[]::new));
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.FAILED);
    assertThat(ended.err()).containsPattern(disk + "/index\\.building/.*: No space left on device");
  }

  @Test
  @Thorough
  void aBuildOnAClusterGoesOnWhenTheDiskHasRoomAgain() throws IOException, InterruptedException {
    Corpus.write(directory.resolve("crawl"));
    Path undisturbed = directory.resolve("undisturbed");
    String crawl = directory.resolve("crawl").toString();
    assertThat(Launcher.run("build", crawl, "--output", undisturbed.toString(), "-q").exitCode())
        .isEqualTo(ExitCode.OK);
    SparkHome spark = new SparkHome(directory.resolve("spark"));
    Path index = disk.resolve("index");
    List<String> failures = new ArrayList<>();
    int kib = SMALLEST_KIB;
    Launcher.Ended ended = buildOnCluster(spark, crawl, index);
    while (ended.exitCode() != ExitCode.OK) {
      assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.FAILED);
      assertThat(ended.err()).containsAnyOf("No space left on device", "not enough disk space");
      assertThat(index).doesNotExist();
      failures.add(ended.err());
      kib *= 3;
      assertThat(call("mount", "-o", "remount,size=%dk".formatted(kib), disk.toString())).isTrue();
      ended = buildOnCluster(spark, crawl, index);
    }
    assertThat(failures).hasSizeGreaterThan(1).last().asString().contains("--resume continues");
    assertThat(IndexFilesHash.of(index)).isEqualTo(IndexFilesHash.of(undisturbed));
    assertThat(disk.resolve("index.cluster")).doesNotExist();
  }

  private static Launcher.Ended buildOnCluster(SparkHome spark, String crawl, Path index)
      throws IOException, InterruptedException {
    return spark.build(
        Map.of(),
        crawl,
        index.toString(),
        "local-cluster[2,1,1024]",
        "--split-size",
        "200k",
        "--resume");
  }

  private static Ended build(Program program, List<Path> corpus, Path index)
      throws IOException, InterruptedException {
    return program.run(List.of(), Corpus.arguments(corpus, index));
  }

  private static boolean call(String... command) throws IOException, InterruptedException {
    try {
      return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
