package io.kmodel.indexer.experiment;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.build.Json;
import io.kmodel.indexer.store.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Races our build of a Lucene index, and that of an index of our own, against Lucene's IndexWriter,
 * and against the part of them that only finds words and interns them: in turn, each run in a
 * process of its own, so that neither inherits the other's compiled code, heap or peak memory. One
 * unrecorded run of each comes first, to fill the page cache. All contestants have the start cache
 * of this process, or none if it has none ({@link JavaOptions}). Each round's results are compared
 * before any of its figures is told: documents and their bytes, tokens, postings, terms where they
 * can be counted, and what was skipped must be the same, in every round. Rounds begin with one
 * contestant after the other, so that none always follows the same one.
 */
public final class BuildRace {
  /** The contestants, in the order of the warm-up and of what is told. */
  public static final List<String> CONTESTANTS = List.of("indexer", "lucene", "own", "words");

  /** Starts a line of a contestant's output that is its result. */
  private static final String RESULT = "RESULT ";

  /** Runs a contestant once. */
  @FunctionalInterface
  interface Runner {
    RaceResult run(String contestant) throws IOException, InterruptedException;
  }

  private final Runner runner;
  private final int rounds;
  private final Consumer<String> log;

  BuildRace(Runner runner, int rounds, Consumer<String> log) {
    if (rounds < 1) {
      throw new IllegalArgumentException("a race has at least 1 round; got " + rounds);
    }
    this.runner = runner;
    this.rounds = rounds;
    this.log = log;
  }

  /**
   * Runs a race in a {@link WorkPlace}, which is deleted at its end.
   *
   * @param rounds recorded ones
   * @param log is told of each round when its results have been compared
   * @return results of the recorded rounds
   * @throws IllegalArgumentException if the place and the corpus are not apart
   * @throws IllegalStateException if two runs did not build the same; nothing goes on then
   */
  public static List<RaceResult> race(RaceOptions options, int rounds, Consumer<String> log)
      throws IOException, InterruptedException {
    try (WorkPlace place = WorkPlace.take(options.workPath(), options.corpusPath())) {
      RaceOptions inPlace = options.workingIn(place.directory().resolve("run"));
      return new BuildRace(inProcesses(inPlace), rounds, log).run();
    }
  }

  /**
   * Runs all rounds.
   *
   * @return results of the recorded ones
   * @throws IllegalStateException if two runs did not build the same; nothing goes on then
   */
  List<RaceResult> run() throws IOException, InterruptedException {
    List<RaceResult> warmUp = runRound(0);
    RaceResult expected =
        warmUp.stream().filter(RaceResult::tellsTerms).findFirst().orElse(warmUp.getFirst());
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

  /** Results in the order of the contestants, whichever of them began. */
  private List<RaceResult> runRound(int round) throws IOException, InterruptedException {
    RaceResult[] results = new RaceResult[CONTESTANTS.size()];
    for (int i = 0; i < results.length; i++) {
      int turn = (round + i) % results.length;
      results[turn] = runner.run(CONTESTANTS.get(turn));
    }
    return List.of(results);
  }

  private void tell(String round, List<RaceResult> results) {
    for (RaceResult result : results) {
      log.accept(
          String.format(
              Locale.ROOT,
              "%s %-8s %8.2f s  %6.2f cpu-s  %5d MiB",
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
          case "lucene" -> new LuceneContestant(options).run();
          case "own" -> new IndexerContestant(options).runOwn();
          case "words" -> new IndexerContestant(options).runWords();
          default -> throw new IllegalArgumentException("no contestant " + contestant);
        };
    out.append(RESULT).append(Json.MAPPER.writeValueAsString(result)).append('\n');
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
            contestant.equals("lucene") ? JavaOptions.ofRival(memory) : JavaOptions.ofBuild(memory))
        .add("experiment", "contestant", contestant)
        .add(Json.MAPPER.writeValueAsString(options))
        .build();
  }

  private static void checkSame(RaceResult expected, List<RaceResult> results) {
    for (RaceResult result : results) {
      boolean bothTerms = result.tellsTerms() && expected.tellsTerms();
      boolean bothPostings = result.tellsPostings() && expected.tellsPostings();
      if (result.documents() != expected.documents()
          || result.tokens() != expected.tokens()
          || (bothPostings && result.postings() != expected.postings())
          || (bothTerms && result.terms() != expected.terms())
          || result.sourceBytes() != expected.sourceBytes()
          || !result.skipped().equals(expected.skipped())) {
        throw new IllegalStateException(
            "contestants built different indexes: expected %s, got %s"
                .formatted(expected.content(), result.content()));
      }
    }
  }
}
