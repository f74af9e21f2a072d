package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.QuickEvery;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.faults.OpenDescriptors;
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
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.SourceOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every limit that a document comes to is counted by its reason and listed. */
class LimitsBuildTest {
  @TempDir Path directory;
  private Path crawl;

  @BeforeEach
  void makeCrawl() throws IOException {
    crawl = Files.createDirectory(directory.resolve("crawl"));
  }

  @Test
  void aPageThatNestsTooDeepIsIndexedWholeAndNamed() throws Exception {
    Files.writeString(crawl.resolve("deep.html"), "<div>".repeat(40) + "river" + "</div>stone");
    Files.writeString(crawl.resolve("flat.html"), "<div>".repeat(10) + "river");
    for (HtmlMode mode : HtmlMode.values()) {
      BuildReport report =
          build(
              new SourceOptions(Format.AUTO, Docno.PATH, JsonMembers.USUAL, 1000, 1000, 20), mode);
      assertThat(report.complete()).isTrue();
      assertThat(report.documents()).isEqualTo(2);
      assertThat(report.tokens()).isEqualTo(3);
      assertThat(report.noted()).containsOnlyKeys("nesting limit reached").containsValue(1L);
      assertThat(listed())
          .contains("\"document\":\"deep.html\"", "\"reason\":\"nesting limit reached\"")
          .hasLineCount(1);
    }
    BuildReport usual = build(SourceOptions.DEFAULT, HtmlMode.FAST);
    assertThat(usual.noted()).isEmpty();
    assertThat(listed()).isEmpty();
  }

  @Test
  void bytesOutsideOfTheCharsetAreNoLettersAndTheirDocumentsAreNamed() throws Exception {
    Files.write(crawl.resolve("latin.html"), latin("<p>caf\u00E9 river</p>"));
    Files.write(
        crawl.resolve("declared.html"), latin("<meta charset=windows-1252><p>caf\u00E9 river</p>"));
    Files.write(crawl.resolve("depth.html"), latin("<div>".repeat(600) + "caf\u00E9 river"));
    Files.write(crawl.resolve("notes.txt"), latin("caf\u00E9 river"));
    Files.write(
        crawl.resolve("list.tsv"), latin("1\ttitl\u00E9\triver\n2\ttitle\triv\u00E9r\n3\ta\tb"));
    for (HtmlMode mode : HtmlMode.values()) {
      BuildReport report = build(SourceOptions.DEFAULT, mode);
      assertThat(report.complete()).isTrue();
      assertThat(report.documents()).isEqualTo(7);
      assertThat(report.noted())
          .containsEntry("bytes invalid in their charset", 5L)
          .containsEntry("nesting limit reached", 1L)
          .hasSize(2);
      assertThat(listed().lines().filter(line -> line.contains("invalid in")))
          .satisfiesExactlyInAnyOrder(
              line -> assertThat(line).contains("latin.html", "invalid UTF-8 at byte 6: E9"),
              line -> assertThat(line).contains("depth.html", "invalid UTF-8 at byte 3,003: "),
              line -> assertThat(line).contains("notes.txt", "invalid UTF-8 at byte 3: E9"),
              line -> assertThat(line).contains("\"1\"", "list.tsv", "its title is not UTF-8"),
              line -> assertThat(line).contains("\"2\"", "list.tsv", "invalid UTF-8 at byte 3: "));
    }
  }

  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void whatIsTooLargeOrUnpacksToTooMuchIsLeftOutAndNamed() throws Exception {
    Files.writeString(crawl.resolve("large.txt"), "x".repeat(2000));
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bomb)) {
      gzip.write("{\"id\": \"1\", \"contents\": \"one\"}\n".getBytes(StandardCharsets.UTF_8));
      String blank = Tier.pick(" ".repeat(511) + "\n", "\n");
      byte[] lines = blank.repeat((1 << 20) / blank.length()).getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < 80; i++) {
        gzip.write(lines);
      }
    }
    Files.write(crawl.resolve("bomb.jsonl.gz"), bomb.toByteArray());
    BuildReport report =
        build(new SourceOptions(Format.AUTO, Docno.PATH, 1000, 100), HtmlMode.FAST);
    assertThat(report.documents()).isEqualTo(1);
    assertThat(report.skipped())
        .containsEntry("too large", 1L)
        .containsEntry("unpacks to too much", 1L)
        .hasSize(2);
    assertThat(listed()).contains("large.txt", "bomb.jsonl.gz", "over 100 times").hasLineCount(2);
  }

  /** Its link has no path behind it, as that of a shell's {@code <(command)}. */
  @Test
  void aPipeThatIsGivenByItsDescriptorIsLeftOutAndNamed() throws Exception {
    Pipe pipe = Pipe.open();
    try (Pipe.SinkChannel in = pipe.sink();
        Pipe.SourceChannel out = pipe.source()) {
      assumeTrue(in.isOpen() && out.isOpen(), "no pipe");
      crawl = OpenDescriptors.ofPipe();
      Files.createDirectory(directory.resolve("index.building"));
      BuildReport report = build(SourceOptions.DEFAULT, HtmlMode.FAST);
      assertThat(report.skipped()).containsEntry("not a regular file", 1L).hasSize(1);
      assertThat(listed()).contains(crawl.toString());
    }
  }

  /**
   * Of more tokens than a usual run takes, where there is memory for it, and where there is not.
   */
  @ParameterizedTest
  @QuickEvery(2)
  @ValueSource(booleans = {true, false})
  void aDocumentThatFitsNoUsualRunHasOneForItself(boolean positions) throws Exception {
    Files.writeString(
        crawl.resolve("one.tsv"),
        "a\t%s\nb\tone two\nc\tthree\nd\t%s\ne\tfour\n"
            .formatted("x ".repeat(12_000_000), "x ".repeat(25_000_000)));
    MemoryPlan plan = new MemoryPlan(1 << 30, 400 << 20, 1 << 20, 2L << 30);
    BuildReport report =
        new Indexing(
                options(SourceOptions.DEFAULT, HtmlMode.FAST, positions),
                Target.ownIndex(),
                new BuildProgress(),
                plan)
            .run();
    assertThat(report.documents()).isEqualTo(4);
    assertThat(report.tokens()).isEqualTo(12_000_004);
    assertThat(report.skipped()).containsExactly(Map.entry("too large", 1L));
    // Of a; of b and c; of e, after d was given all of the memory in vain.
    assertThat(report.runs()).isEqualTo(3);
  }

  private String listed() throws IOException {
    return Files.readString(directory.resolve("index").resolve(BuildReport.SKIPPED_FILE_NAME));
  }

  private BuildReport build(SourceOptions source, HtmlMode html)
      throws IOException, InterruptedException {
    return new Indexing(
            options(source, html, /* positions= */ true), Target.ownIndex(), new BuildProgress())
        .run();
  }

  private BuildOptions options(SourceOptions source, HtmlMode html, boolean positions) {
    return new BuildOptions(
            ImmutableList.of(crawl),
            directory.resolve("index"),
            true,
            html,
            "standard",
            positions,
            Store.CONTENTS,
            new Resources(1, 2L << 30))
        .withSource(source, Duplicates.KEEP);
  }
}
