package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.Program.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.indexing.report.BuildReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A corpus, an undisturbed build of it, and the program that disturbed builds run. */
@ResourceLock("KilledBuild") // its static fields
abstract class KilledBuild {
  static final int KILLED = 137;

  /** So few that runs are merged in passes. */
  static final int OPEN_FILES = 96;

  @TempDir static Path shared;
  @TempDir Path directory;

  static List<Path> corpus = List.of();
  static SortedMap<String, Integer> expected = new TreeMap<>();
  static long undisturbedMillis;
  Program program = new Program(Path.of(""));
  Path output = Path.of("");

  @BeforeAll
  static void buildUndisturbed() throws IOException, InterruptedException {
    corpus = Corpus.write(shared.resolve("crawl"));
    Program program = new Program(shared).withOpenFiles(OPEN_FILES);
    Path index = shared.resolve("undisturbed");
    long start = System.nanoTime();
    Ended ended = program.run(List.of(), Corpus.arguments(corpus, index));
    undisturbedMillis = millisSince(start);
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.OK);
    expected = Corpus.files(index);
    assertThat(BuildReport.read(index).runs()).isGreaterThan(10);
  }

  static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }

  @BeforeEach
  void prepare() {
    program = new Program(directory).withOpenFiles(OPEN_FILES);
    output = directory.resolve("index");
  }

  Path building() {
    return output.resolveSibling("index.building");
  }
}
