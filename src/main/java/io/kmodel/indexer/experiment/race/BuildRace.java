package io.kmodel.indexer.experiment.race;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.experiment.Child;
import io.kmodel.indexer.experiment.JavaOptions;
import io.kmodel.indexer.experiment.WorkPlace;
import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Races this program's builds, of a Lucene index and of its own index, against a {@link Rival}, and
 * against the part of them that only finds and interns words. Contestants take turns, each run in
 * its own process, so that none inherits another's compiled code, heap or peak memory. One
 * unrecorded run of each comes first, to fill the page cache. This program's processes use the
 * start cache of this process, or none if it has none ({@link JavaOptions}).
 *
 * <p>Results of a round are compared before its figures are reported. Documents and their bytes,
 * tokens, postings, terms where they can be counted, and skipped documents must be the same in
 * every round. Each round starts with another contestant, so that the order varies.
 */
public final class BuildRace {
  /** The contestants that are this program's builds. */
  private static final Set<String> OURS = Set.of("indexer", "own", "words");

  /** Prefix of the line with the result in a contestant's output. */
  private static final String RESULT = "RESULT ";

  /** Runs a contestant once. */
  @FunctionalInterface
  interface Runner {
    RaceResult run(String contestant) throws IOException, InterruptedException;
  }

  private final List<String> contestants;
  private final Runner runner;
  private final int rounds;
  private final Consumer<String> log;

  /**
   * Prepares a race.
   *
   * @param contestants in the order of the warm-up and of the output
   */
  BuildRace(List<String> contestants, Runner runner, int rounds, Consumer<String> log) {
    if (rounds < 1) {
      throw new IllegalArgumentException("a race needs at least 1 round; got " + rounds);
    }
    this.contestants = contestants;
    this.runner = runner;
    this.rounds = rounds;
    this.log = log;
  }

  /**
   * Runs a race in a {@link WorkPlace}, which is deleted at its end.
   *
   * @param rounds number of recorded rounds
   * @param log receives the figures of each round once its results have been compared
   * @return results of the recorded rounds
   * @throws IllegalArgumentException if the work directory and the corpus overlap
   * @throws IllegalStateException if two runs built different indexes; the race ends then
   */
  public static List<RaceResult> race(RaceOptions options, int rounds, Consumer<String> log)
      throws IOException, InterruptedException {
    try (WorkPlace place = WorkPlace.take(options.workPath(), options.corpusPath())) {
      RaceOptions inPlace =
          withProgram(options, place.directory().resolve("rival"))
              .workingIn(place.directory().resolve("run"));
      return new BuildRace(options.rival().kind().contestants(), inProcesses(inPlace), rounds, log)
          .run();
    }
  }

  /** Fetches the rival's program if there is one and it is not given. */
  private static RaceOptions withProgram(RaceOptions options, Path directory)
      throws IOException, InterruptedException {
    RivalOptions rival = options.rival();
    String artifact = rival.kind().artifact();
    if (artifact == null || rival.program() != null) {
      return options;
    }
    Path jar = RivalProgram.fetch(artifact, directory);
    return options.withRival(rival.withProgram(jar.toAbsolutePath().toString()));
  }

  /**
   * Runs all rounds.
   *
   * @return results of the recorded rounds
   * @throws IllegalStateException if two runs built different indexes; the race ends then
   */
  List<RaceResult> run() throws IOException, InterruptedException {
    List<RaceResult> warmUp = runRound(0);
    RaceResult expected =
        warmUp.stream().filter(RaceResult::hasTerms).findFirst().orElse(warmUp.getFirst());
    checkSame(expected, warmUp);
    tell("warm-up", warmUp);
    List<RaceResult> recorded = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      List<RaceResult> results = runRound(round);
      checkSame(expected, results);
      tell("round " + round, results);
      recorded.addAll(results);
    }
    return recorded;
  }

  /** Results in the order of the contestants, regardless of which of them started. */
  private List<RaceResult> runRound(int round) throws IOException, InterruptedException {
    RaceResult[] results = new RaceResult[contestants.size()];
    for (int i = 0; i < results.length; i++) {
      int turn = (round + i) % results.length;
      results[turn] = runner.run(contestants.get(turn));
    }
    return List.of(results);
  }

  private void tell(String round, List<RaceResult> results) {
    for (RaceResult result : results) {
      log.accept(
          String.format(
              Locale.ROOT,
              "%s %-10s %8.2f s  %6.2f cpu-s  %5d MiB",
              round,
              result.contestant(),
              result.seconds(),
              result.cpuSeconds(),
              result.peakMemoryBytes() >> 20));
    }
  }

  /** Runs one contestant in this process and prints its result for the parent. */
  public static void compete(String contestant, RaceOptions options, Appendable out)
      throws IOException, InterruptedException {
    RaceResult result =
        switch (contestant) {
          case "indexer" -> new IndexerContestant(options).run();
          case "lucene" ->
              new LuceneContestant(options, contestant, LuceneFeed.Documents::new).run();
          case "columns" -> new LuceneContestant(options, contestant, ColumnFeed::new).run();
          case "indexfiles" -> new IndexFilesContestant(options).run();
          case "anserini" -> new AnseriniContestant(options, program(options)).run();
          case "terrier" -> new TerrierContestant(options, program(options)).run();
          case "own" -> new IndexerContestant(options).runOwn();
          case "words" -> new IndexerContestant(options).runWords();
          default -> throw new IllegalArgumentException("unknown contestant " + contestant);
        };
    out.append(RESULT).append(Json.MAPPER.writeValueAsString(result)).append('\n');
  }

  private static String program(RaceOptions options) {
    return Objects.requireNonNull(options.rival().program(), "the rival's program");
  }

  /** How the contestants of this process start, in words. */
  public static String start() {
    return JavaOptions.haveCache() ? "with the program's start cache" : "without a start cache";
  }

  private static Runner inProcesses(RaceOptions options) {
    return contestant -> runInProcess(options, contestant);
  }

  private static RaceResult runInProcess(RaceOptions options, String contestant)
      throws IOException, InterruptedException {
    Path work = Path.of(options.work());
    Directories.deleteTree(work);
    Files.createDirectories(work);
    Child.End end = Child.run(new ProcessBuilder(command(options, contestant)));
    Directories.deleteTree(work);
    for (String line : end.output().lines().toList()) {
      if (end.exit() == 0 && line.startsWith(RESULT)) {
        System.err.print(end.warnings());
        return Json.MAPPER.readValue(line.substring(RESULT.length()), RaceResult.class);
      }
    }
    throw end.failure(contestant);
  }

  /** Java's options are those of bin/indexer, but the rival's heap is the whole memory. */
  static List<String> command(RaceOptions options, String contestant) throws IOException {
    long memory = options.memoryBytes();
    return ImmutableList.<String>builder()
        .addAll(
            OURS.contains(contestant) ? JavaOptions.ofBuild(memory) : JavaOptions.ofRival(memory))
        .add("experiment", "contestant", contestant)
        .add(Json.MAPPER.writeValueAsString(options))
        .build();
  }

  private static void checkSame(RaceResult expected, List<RaceResult> results) {
    for (RaceResult result : results) {
      if (!result.builtTheSameAs(expected)) {
        throw new IllegalStateException(
            "contestants built different indexes: expected %s, got %s"
                .formatted(expected.content(), result.content()));
      }
    }
  }
}
