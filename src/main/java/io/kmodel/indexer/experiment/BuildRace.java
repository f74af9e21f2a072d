package io.kmodel.indexer.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kmodel.indexer.store.Directories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Races our build, export included, against Lucene's IndexWriter: in turn, each run in a process of
 * its own, so that neither inherits the other's compiled code, heap or peak memory. One unrecorded
 * run of each comes first, to fill the page cache. The results are compared before any figure is
 * printed: documents and tokens must be the same.
 */
public final class BuildRace {
  /** The contestants, in the order of each round. */
  public static final List<String> CONTESTANTS = List.of("indexer", "lucene");

  /** Starts a line of a contestant's output that is its result. */
  private static final String RESULT = "RESULT ";

  private final RaceOptions options;
  private final int rounds;
  private final Consumer<String> log;

  public BuildRace(RaceOptions options, int rounds, Consumer<String> log) {
    this.options = options;
    this.rounds = rounds;
    this.log = log;
  }

  /** Runs all rounds. */
  public List<RaceResult> run() throws IOException, InterruptedException {
    List<RaceResult> results = new ArrayList<>();
    for (int round = 0; round <= rounds; round++) {
      for (String contestant : CONTESTANTS) {
        RaceResult result = runInProcess(contestant);
        log.accept(
            String.format(
                Locale.ROOT,
                "%s %-8s %8.2f s  %6.2f cpu-s  %5d MiB",
                round == 0 ? "warm-up" : "round " + round,
                contestant,
                result.seconds(),
                result.cpuSeconds(),
                result.peakMemoryBytes() >> 20));
        if (round > 0) {
          results.add(result);
        }
      }
    }
    checkSame(results);
    return results;
  }

  /** Runs one contestant in this process and prints its result for the parent. */
  public static void compete(String contestant, RaceOptions options, Appendable out)
      throws IOException, InterruptedException {
    RaceResult result =
        contestant.equals("lucene")
            ? new LuceneContestant(options).run()
            : new IndexerContestant(options).run();
    out.append(RESULT).append(new ObjectMapper().writeValueAsString(result)).append('\n');
  }

  private RaceResult runInProcess(String contestant) throws IOException, InterruptedException {
    Path work = Path.of(options.work());
    Directories.deleteTree(work);
    Files.createDirectories(work);
    Process process =
        new ProcessBuilder(command(contestant))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = process.waitFor();
    Directories.deleteTree(work);
    for (String line : output.lines().toList()) {
      if (exit == 0 && line.startsWith(RESULT)) {
        return new ObjectMapper().readValue(line.substring(RESULT.length()), RaceResult.class);
      }
    }
    throw new IOException(contestant + " failed with exit code " + exit + ": " + output);
  }

  private List<String> command(String contestant) throws IOException {
    long megabytes = options.memoryBytes() >> 20;
    long heap = contestant.equals("indexer") ? megabytes * 2 / 5 : megabytes;
    return List.of(
        ProcessHandle.current().info().command().orElse("java"),
        "-XX:+UseParallelGC",
        "-Xmx" + heap + "m",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        "io.kmodel.indexer.cli.Main",
        "experiment",
        "contestant",
        contestant,
        new ObjectMapper().writeValueAsString(options));
  }

  private static void checkSame(List<RaceResult> results) {
    RaceResult first = results.getFirst();
    for (RaceResult result : results) {
      if (result.documents() != first.documents()
          || result.tokens() != first.tokens()
          || (result.terms() >= 0 && first.terms() >= 0 && result.terms() != first.terms())) {
        throw new IllegalStateException(
            "contestants built different indexes: " + first + " and " + result);
      }
    }
  }
}
