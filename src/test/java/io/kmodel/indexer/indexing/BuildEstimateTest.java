package io.kmodel.indexer.indexing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.github.luben.zstd.Zstd;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Bytes;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.BuildOptions.Resources;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.crawl.CrawlSurvey;
import io.kmodel.indexer.source.crawl.CrawlSurvey.Kind;
import io.kmodel.indexer.source.crawl.CrawlSurvey.Use;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of a build before it, against the build. */
class BuildEstimateTest {
  private static final Resources RESOURCES = new Resources(2, 2L << 30);

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"site", "formats", "trec/docs"})
  void aBuildOfTheSamplesTakesWhatWasEstimated(String samples) throws Exception {
    for (boolean positions : new boolean[] {true, false}) {
      BuildOptions options = options(Path.of("corpus-samples", samples), positions);
      BuildEstimate estimate = estimate(options);
      MemoryPlan runsOnDisk = MemoryPlan.of(options.resources());
      BuildReport report =
          new Indexing(options, Target.ownIndex(), new BuildProgress(), runsOnDisk).run();
      isNear(estimate.tokens(), report.tokens());
      isNear(estimate.indexBytes(), report.indexBytes());
      isNear(estimate.runDiskBytes(), bytes(report, "write run") + bytes(report, "store"));
      isNear(estimate.runs(), report.runs());
      assertThat(estimate.survey().files(Use.SKIPPED)).isEqualTo(report.skippedDocuments());
    }
  }

  @Test
  void filesAreToldByTheirContentAndCountedByKind() throws IOException {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Files.writeString(crawl.resolve("page"), "<html><body class='a b c'>one two</body>");
    Files.write(crawl.resolve("packed"), gzip("<html>three</html>"));
    Files.write(crawl.resolve("damaged"), new byte[] {0x1f, (byte) 0x8b, 8, 0, 1});
    Files.writeString(crawl.resolve("large.txt"), "x".repeat(3000));
    Files.writeString(crawl.resolve("list.jsonl"), "{\"id\": \"1\", \"contents\": \"four\"}\n");
    Files.write(crawl.resolve("picture"), new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n'});
    BuildOptions options = options(crawl, true);
    BuildEstimate estimate =
        estimate(options.withSource(SourceOptions.withLimit(2000), Duplicates.KEEP));
    assertThat(estimate.survey().kinds().keySet())
        .containsExactly(
            new Kind("html", "", Use.DOCUMENT),
            new Kind("html", "gzip", Use.DOCUMENT),
            new Kind("jsonl", "", Use.RECORDS),
            new Kind("binary", "", Use.SKIPPED),
            new Kind("too large", "", Use.SKIPPED),
            new Kind("unreadable", "", Use.SKIPPED));
    assertThat(estimate.survey().kinds().get(new Kind("html", "", Use.DOCUMENT)))
        .extracting(CrawlSurvey.Content::sampledWords)
        .isEqualTo(2L);
  }

  /** Opening each takes as long as the build. */
  @Test
  void ofManyFilesSomeAreOpenedAndTheOthersAreLikeThem() throws IOException {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    for (int i = 0; i < 2500; i++) {
      String name = "page%04d".formatted(i);
      if (i % 5 == 0) {
        Files.writeString(crawl.resolve(name + ".txt"), "one two three");
      } else {
        Files.writeString(crawl.resolve(name + ".html"), "<html><body>one two</body></html>");
      }
    }
    Files.writeString(crawl.resolve("page0001.html"), "<p>" + "x".repeat(3000));
    Files.write(crawl.resolve("page0002.html.gz"), gzip("<html>three</html>"));
    BuildOptions options =
        options(crawl, true).withSource(SourceOptions.withLimit(2000), Duplicates.KEEP);
    CrawlSurvey survey = estimate(options).survey();
    assertThat(survey.files()).isEqualTo(2501);
    assertThat(survey.opened()).isBetween(1251L, 1253L);
    assertThat(survey.kinds().get(new Kind("text", "", Use.DOCUMENT)))
        .extracting(CrawlSurvey.Content::files, CrawlSurvey.Content::bytes)
        .containsExactly(500L, 500L * 13);
    assertThat(survey.kinds().get(new Kind("html", "", Use.DOCUMENT)))
        .extracting(CrawlSurvey.Content::files)
        .isEqualTo(1999L);
    assertThat(survey.kinds())
        .containsKeys(
            new Kind("html", "gzip", Use.DOCUMENT), new Kind("too large", "", Use.SKIPPED));
  }

  /** At its next frame there may be a record; a list is not read behind damage. */
  @Test
  void anArchiveThatStartsWithDamageIsReadAndAListIsNot() throws IOException {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    byte[] record =
        "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 1\r\n\r\na\r\n\r\n".getBytes(UTF_8);
    byte[] frame = Zstd.compress(record);
    byte[] damaged = frame.clone();
    // Its one block is of a kind that there is not.
    damaged[6] |= 6;
    Files.write(crawl.resolve("a.warc.zst"), Bytes.concat(damaged, frame));
    byte[] list = gzip("{\"id\": \"1\", \"contents\": \"four\"}\n");
    list[10] = (byte) 0xFF;
    Files.write(crawl.resolve("b.jsonl.gz"), list);
    assertThat(estimate(options(crawl, true)).survey().kinds().keySet())
        .containsExactly(
            new Kind("warc", "zstd", Use.RECORDS), new Kind("unreadable", "", Use.SKIPPED));
    SourceOptions lists =
        new SourceOptions(
            Format.JSONL,
            Docno.TREC_ID,
            SourceOptions.DEFAULT_MAX_DOCUMENT_BYTES,
            SourceOptions.DEFAULT_MAX_EXPANSION);
    BuildOptions asLists = options(crawl, true).withSource(lists, Duplicates.KEEP);
    assertThat(estimate(asLists).survey().kinds())
        .containsOnlyKeys(new Kind("unreadable", "", Use.SKIPPED));
  }

  @Test
  void whatIsLeftOutOfTheListingIsCountedAsInTheBuild() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Files.writeString(crawl.resolve("a.txt"), "a");
    Files.createSymbolicLink(crawl.resolve("link"), crawl.resolve("a.txt"));
    Files.createSymbolicLink(crawl.resolve("nowhere"), crawl.resolve("absent"));
    Files.writeString(crawl.resolve("binary"), "a\0");
    BuildOptions options = options(crawl, true);
    CrawlSurvey survey = estimate(options).survey();
    assertThat(survey.kinds())
        .containsEntry(
            new Kind("link or pipe", "", Use.SKIPPED), new CrawlSurvey.Content(2, 0, 0, 0))
        .containsKey(new Kind("binary", "", Use.SKIPPED));
    BuildReport report = new Indexing(options, Target.ownIndex(), new BuildProgress()).run();
    assertThat(survey.files(Use.SKIPPED)).isEqualTo(report.skippedDocuments()).isEqualTo(3);
  }

  /** A run takes no more than is usual, however much a thread may have. */
  @Test
  void moreMemoryThanRunsTakeIsNotCounted() throws IOException {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    // Words enough for two such runs and a bit of a third.
    String text = "a ".repeat(1 << 20);
    for (int i = 0; i < 24; i++) {
      Files.writeString(crawl.resolve("text" + i), text);
    }
    BuildOptions options = options(crawl, true, new Resources(1, 16L << 30));
    BuildEstimate segments = BuildEstimate.of(options, List.of(), false, new BuildProgress());
    assertThat(segments.runMemoryBytes()).isEqualTo(256L << 20);
    assertThat(segments.tokens()).isCloseTo(24L << 20, withinPercentage(1));
    assertThat(segments.runs()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void segmentsNeedNoRunsOnDisk() throws IOException {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    for (int i = 0; i < 40; i++) {
      Files.writeString(crawl.resolve("text" + i), "a word ".repeat(1 << 18));
    }
    BuildOptions options = options(crawl, true);
    assertThat(estimate(options).tokens()).isCloseTo(40L * (2 << 18), withinPercentage(1));
    assertThat(estimate(options).runs()).isEqualTo(estimate(options).splits());
    BuildEstimate segments = BuildEstimate.of(options, List.of(), false, new BuildProgress());
    assertThat(segments.runDiskBytes()).isZero();
    assertThat(segments.diskBytes()).isEqualTo(estimate(options).indexBytes());
  }

  private static void isNear(long estimated, long was) {
    assertThat((double) estimated)
        .isBetween((double) was / BuildEstimate.FACTOR, (double) was * BuildEstimate.FACTOR);
  }

  private static long bytes(BuildReport report, String work) {
    return report.work().stream().filter(w -> w.name().equals(work)).findFirst().get().bytes();
  }

  private static BuildEstimate estimate(BuildOptions options) throws IOException {
    return BuildEstimate.of(options, List.of(), true, new BuildProgress());
  }

  private BuildOptions options(Path crawl, boolean positions) {
    return options(crawl, positions, RESOURCES);
  }

  private BuildOptions options(Path crawl, boolean positions, Resources resources) {
    return new BuildOptions(
        ImmutableList.of(crawl),
        directory.resolve("index"),
        true,
        HtmlMode.FAST,
        "standard",
        positions,
        Store.CONTENTS,
        resources);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }
}
