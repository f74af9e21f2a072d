package io.kmodel.indexer.experiment.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.experiment.JavaOptions;
import io.kmodel.indexer.experiment.Spread;
import io.kmodel.indexer.parse.html.HtmlMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("alone")
class BuildRaceTest {
  private static final List<String> CONTESTANTS = List.of("indexer", "lucene", "own", "words");

  private final List<String> told = new ArrayList<>();
  private int runs;

  @Test
  void noFigureIsToldWhenTheWarmUpAlreadyDiffers() {
    BuildRace race =
        new BuildRace(
            CONTESTANTS,
            name -> result(name, name.equals("lucene") ? 9 : 8, Map.of()),
            3,
            told::add);
    assertThatThrownBy(race::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "contestants built different indexes: expected indexer: 8 documents of 1000"
                + " bytes, 100 tokens, uncounted terms, 50 postings, skipped {}, got lucene: 9"
                + " documents of 1000 bytes, 100 tokens, uncounted terms, 50 postings, skipped {}");
    assertThat(told).isEmpty();
  }

  @Test
  void aRoundThatDiffersEndsTheRaceBeforeItIsTold() {
    BuildRace race =
        new BuildRace(
            CONTESTANTS, name -> result(name, runs++ < 8 ? 8 : 7, Map.of()), 3, told::add);
    assertThatThrownBy(race::run).isInstanceOf(IllegalStateException.class);
    assertThat(runs).isEqualTo(12);
    assertThat(told).hasSize(8);
    assertThat(told.getFirst()).startsWith("warm-up indexer");
    assertThat(told.getLast()).startsWith("round 1 words");
  }

  @Test
  void contestantsThatSkippedDifferentlyAreNotCompared() {
    BuildRace race =
        new BuildRace(
            CONTESTANTS,
            name -> result(name, 8, name.equals("lucene") ? Map.of("too large", 1L) : Map.of()),
            1,
            told::add);
    assertThatThrownBy(race::run).hasMessageContaining("skipped {too large=1}");
    assertThat(told).isEmpty();
  }

  @Test
  void contestantsWithOtherPostingsAreNotCompared() {
    BuildRace race =
        new BuildRace(
            CONTESTANTS,
            name -> result(name, 8, name.equals("own") ? 51 : 50, Map.of()),
            1,
            told::add);
    assertThatThrownBy(race::run).hasMessageContaining("got own: 8 documents of 1000 bytes");
    assertThat(told).isEmpty();
  }

  @Test
  void postingsAreComparedAmongThoseThatCountThem() throws IOException, InterruptedException {
    BuildRace.Runner runner = name -> result(name, 8, name.equals("words") ? -1 : 50, Map.of());
    assertThat(new BuildRace(CONTESTANTS, runner, 1, told::add).run()).hasSize(4);
    BuildRace race =
        new BuildRace(
            CONTESTANTS,
            name -> name.equals("words") ? result(name, 7, -1, Map.of()) : runner.run(name),
            1,
            told::add);
    assertThatThrownBy(race::run)
        .hasMessageContaining("got words: 7 documents")
        .hasMessageContaining("uncounted postings");
  }

  @Test
  void theSummaryHasTheRatiosOfEachRoundAndTheShareOfTheMerge() {
    List<RaceResult> results = new ArrayList<>();
    for (int round = 1; round <= 3; round++) {
      results.add(timed("indexer", 2 * round));
      results.add(timed("lucene", 7 * round * round));
      results.add(timed("own", round));
      results.add(timed("words", 0.5 * round));
    }
    assertThat(new RaceSummary(results).toString())
        .contains(
            "ratio lucene / indexer: 7.00 (3.50–10.50)",
            "ratio lucene / own: 14.00 (7.00–21.00)",
            "ratio indexer / words: 4.00 (4.00–4.00)",
            "ratio own / words: 2.00 (2.00–2.00)",
            "own, share of its merge: 25.0 % (25.0–25.0)");
  }

  private static RaceResult timed(String contestant, double seconds) {
    Map<String, Double> stages = Map.of("build: merge", seconds / 4);
    return new RaceResult(
        contestant, seconds, 1, 8, 100, -1, 50, 1000, 1000, 1, 1000, Map.of(), stages);
  }

  @Test
  void termsThatOnlyOneCountsMustBeTheSameInEveryRound() {
    BuildRace race =
        new BuildRace(
            CONTESTANTS,
            name -> {
              runs++;
              return result(name, name.equals("own") ? runs <= 8 ? 30 : 31 : -1, 1000);
            },
            3,
            told::add);
    assertThatThrownBy(race::run)
        .hasMessageContaining("100 tokens, 30 terms")
        .hasMessageContaining("100 tokens, 31 terms");
    assertThat(told).hasSize(8);
  }

  @Test
  void contestantsThatReadOtherBytesAreNotCompared() {
    BuildRace race =
        new BuildRace(
            CONTESTANTS,
            name -> result(name, -1, name.equals("lucene") ? 999 : 1000),
            1,
            told::add);
    assertThatThrownBy(race::run).hasMessageContaining("got lucene: 8 documents of 999 bytes");
    assertThat(told).isEmpty();
  }

  @Test
  void eachContestantIsTheFirstOfSomeRounds() throws IOException, InterruptedException {
    List<String> started = new ArrayList<>();
    BuildRace race =
        new BuildRace(
            CONTESTANTS,
            name -> {
              started.add(name);
              return result(name, 8, Map.of());
            },
            3,
            told::add);
    List<RaceResult> results = race.run();
    assertThat(started)
        .containsExactly(
            "indexer", "lucene", "own", "words", "lucene", "own", "words", "indexer", "own",
            "words", "indexer", "lucene", "words", "indexer", "lucene", "own");
    assertThat(results.stream().map(RaceResult::contestant).limit(4)).isEqualTo(CONTESTANTS);
  }

  @Test
  void ofAnEvenNumberOfRoundsTheMedianIsTheMeanOfTheMiddleTwo() {
    assertThat(Spread.of(4, 1, 2, 9)).isEqualTo(new Spread(3, 1, 9));
    assertThat(Spread.of(4, 1, 9)).isEqualTo(new Spread(4, 1, 9));
  }

  @Test
  void theWarmUpIsNotRecorded() throws IOException, InterruptedException {
    BuildRace race = new BuildRace(CONTESTANTS, name -> result(name, 8, Map.of()), 2, told::add);
    assertThat(race.run())
        .extracting(RaceResult::contestant)
        .containsExactly("indexer", "lucene", "own", "words", "indexer", "lucene", "own", "words");
    assertThat(told).hasSize(12);
  }

  @Test
  void aRaceDoesNotDeleteItsCorpus(@TempDir Path directory) throws IOException {
    Path page = Files.writeString(directory.resolve("a.html"), "a page");
    RaceOptions options =
        new RaceOptions(
            directory.toString(),
            directory.toString(),
            "standard",
            1,
            1000L << 20,
            0,
            RivalOptions.lucene(HtmlMode.JSOUP, 64));
    assertThatThrownBy(() -> BuildRace.race(options, 1, told::add))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--work " + directory);
    assertThat(page).hasContent("a page");
    assertThat(told).isEmpty();
  }

  @Test
  void contestantsAreStartedAsTheLauncherStartsABuild() throws IOException {
    RaceOptions options = options("work");
    assertThat(BuildRace.command(options, "indexer")).contains("-Xmx400m", "-XX:FreqInlineSize=50");
    assertThat(BuildRace.command(options, "lucene"))
        .contains("-Xmx1000m")
        .doesNotContain("-XX:FreqInlineSize=50");
    assertThat(JavaOptions.heapBytes(256L << 20)).isEqualTo(128L << 20);
    String launcher = Files.readString(Path.of("bin/indexer"));
    assertThat(JavaOptions.ofBuild(1000L << 20))
        .filteredOn(option -> option.startsWith("-") && !option.startsWith("-Xmx"))
        .contains("-XX:+UseParallelGC", "-Djdk.nio.maxCachedBufferSize=262144")
        .filteredOn(option -> !option.equals("-cp"))
        .allSatisfy(option -> assertThat(launcher).contains(option));
  }

  @Test
  void processesHaveTheStartCacheOfThisOneOrNone() throws IOException {
    String silent = "-Xlog:aot*=off,cds*=off:stderr";
    assertThat(JavaOptions.java(1 << 20, List.of(), List.of("-Xmx1g", "-XX:AOTCache=a b.aot")))
        .containsSequence("-XX:AOTCache=a b.aot", silent)
        .doesNotContain("-Xmx1g");
    assertThat(JavaOptions.java(1 << 20, List.of(), List.of("-Xmx1g")))
        .noneMatch(option -> option.contains("AOT"));
    assertThat(Files.readString(Path.of("bin/indexer")))
        .contains("\"-XX:AOTCache=$cache\" '" + silent + "'");
  }

  @Test
  void whatIsKeptInPartOrNotedDistinguishesNoContestants(@TempDir Path directory)
      throws IOException, InterruptedException {
    Path corpus = Files.createDirectory(directory.resolve("corpus"));
    Files.writeString(
        corpus.resolve("noted.json"), "{\"name\": \"no id\"}\n{\"name\": \"none\"}\n");
    Files.write(corpus.resolve("lost.bin"), new byte[100]);
    String page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>a page, and then";
    Files.writeString(
        corpus.resolve("cut.warc"),
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n"
            + "WARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
            + "WARC-Truncated: length\r\nContent-Type: application/http; msgtype=response\r\n"
            + "Content-Length: "
            + page.length()
            + "\r\n\r\n"
            + page
            + "\r\n\r\n");
    RaceResult ours = new IndexerContestant(options(corpus, directory.resolve("ours"))).run();
    RaceResult rival =
        new LuceneContestant(
                options(corpus, directory.resolve("rival")), "lucene", LuceneFeed.Documents::new)
            .run();
    assertThat(ours.documents()).isEqualTo(2);
    assertThat(ours.skipped()).isEqualTo(Map.of("binary content", 1L));
    assertThat(rival.content().replace("lucene:", "indexer:")).isEqualTo(ours.content());
  }

  private static RaceOptions options(Path corpus, Path work) {
    return new RaceOptions(
        corpus.toString(),
        work.toString(),
        "standard",
        1,
        Runtime.getRuntime().maxMemory() + (256L << 20),
        0,
        RivalOptions.lucene(HtmlMode.JSOUP, 64));
  }

  private static RaceOptions options(String work) {
    return new RaceOptions(
        "corpus", work, "standard", 2, 1000L << 20, 0, RivalOptions.lucene(HtmlMode.JSOUP, 64));
  }

  private static RaceResult result(String contestant, long documents, Map<String, Long> skipped) {
    return result(contestant, documents, 50, skipped);
  }

  private static RaceResult result(String contestant, long terms, long sourceBytes) {
    return new RaceResult(
        contestant, 1, 1, 8, 100, terms, 50, sourceBytes, 1000, 1, 1000, Map.of(), Map.of());
  }

  private static RaceResult result(
      String contestant, long documents, long postings, Map<String, Long> skipped) {
    return new RaceResult(
        contestant, 1, 1, documents, 100, -1, postings, 1000, 1000, 1, 1000, skipped, Map.of());
  }
}
