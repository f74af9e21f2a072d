package io.kmodel.indexer.build;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.build.BuildOptions.Resources;
import io.kmodel.indexer.parse.HtmlMode;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.SourceOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
      BuildReport report = build(new SourceOptions(Format.AUTO, Docno.PATH, 1000, 1000, 20), mode);
      assertThat(report.complete()).isTrue();
      assertThat(report.documents()).isEqualTo(2);
      assertThat(report.tokens()).isEqualTo(3);
      assertThat(report.cameToLimit()).containsOnlyKeys("nested to the limit").containsValue(1L);
      assertThat(listed())
          .contains("\"document\":\"deep.html\"", "\"reason\":\"nested to the limit\"")
          .hasLineCount(1);
    }
    BuildReport usual = build(SourceOptions.DEFAULT, HtmlMode.FAST);
    assertThat(usual.cameToLimit()).isEmpty();
    assertThat(listed()).isEmpty();
  }

  @Test
  void whatIsTooLargeOrUnpacksToTooMuchIsLeftOutAndNamed() throws Exception {
    Files.writeString(crawl.resolve("large.txt"), "x".repeat(2000));
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bomb)) {
      gzip.write("{\"id\": \"1\", \"contents\": \"one\"}\n".getBytes(StandardCharsets.UTF_8));
      byte[] lines = "\n".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
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

  private String listed() throws IOException {
    return Files.readString(directory.resolve("index").resolve(BuildReport.SKIPPED_FILE_NAME));
  }

  private BuildReport build(SourceOptions source, HtmlMode html)
      throws IOException, InterruptedException {
    BuildOptions options =
        new BuildOptions(
            ImmutableList.of(crawl),
            directory.resolve("index"),
            true,
            html,
            "standard",
            true,
            Store.CONTENTS,
            new Resources(1, 2L << 30));
    return new IndexBuild(options.withSource(source, Duplicates.KEEP), new BuildProgress()).run();
  }
}
