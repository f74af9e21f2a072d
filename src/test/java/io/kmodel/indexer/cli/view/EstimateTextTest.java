package io.kmodel.indexer.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.indexing.BuildEstimate;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.BuildOptions.Resources;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.crawl.CrawlSurvey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a build before it, to people and to machines. */
class EstimateTextTest {
  @TempDir Path directory;

  /** No two numbers are alike, so none stands in the place of another. */
  @Test
  void eachNumberStandsInItsPlace() throws IOException {
    BuildEstimate estimate =
        new BuildEstimate(survey(), 11, 12, 13_000, 14, 15 << 10, 16 << 10, 17 << 20, 18 << 20);
    Path target = directory.resolve("index");
    List<String> lines = EstimateText.of(estimate, target).lines().toList();
    assertThat(lines.subList(0, 10))
        .containsExactly(
            target + ": what a build would read and need; nothing was written",
            "  documents      2 files, 9 B",
            "    text         2 files, 9 B",
            "  record files   1 file, 33 B",
            "    jsonl        1 file, 33 B",
            "  skipped        1 file, 3 B",
            "    binary       1 file, 3 B",
            "  splits         11, for 12 threads",
            "  tokens         about 13,000",
            "  runs           about 14");
    assertThat(lines.get(10))
        .startsWith(
            "  disk           about 31.0 KiB during the build (runs 15.0 KiB, index 16.0 KiB), of ")
        .endsWith(" free");
    assertThat(lines.get(11))
        .isEqualTo(
            "  memory         35.0 MiB: heap 17.0 MiB, runs 18.0 MiB; the JVM up to 512 MiB more");
    assertThat(EstimateText.members(estimate))
        .containsEntry(
            "files",
            List.of(
                Map.of(
                    "use",
                    "document",
                    "format",
                    "text",
                    "compression",
                    "",
                    "files",
                    2L,
                    "bytes",
                    9L),
                Map.of(
                    "use",
                    "records",
                    "format",
                    "jsonl",
                    "compression",
                    "",
                    "files",
                    1L,
                    "bytes",
                    33L),
                Map.of(
                    "use",
                    "skipped",
                    "format",
                    "binary",
                    "compression",
                    "",
                    "files",
                    1L,
                    "bytes",
                    3L)))
        .containsEntry("splits", 11)
        .containsEntry("threads", 12)
        .containsEntry("tokens", 13_000L)
        .containsEntry("runs", 14)
        .containsEntry("runDiskBytes", 15L << 10)
        .containsEntry("indexBytes", 16L << 10)
        .containsEntry("diskBytes", 31L << 10)
        .containsEntry("heapBytes", 17L << 20)
        .containsEntry("runMemoryBytes", 18L << 20);
  }

  @Test
  void aDiskThatIsTooSmallIsPointedAt() throws IOException {
    BuildEstimate estimate = new BuildEstimate(survey(), 1, 1, 1, 1, Long.MAX_VALUE - 1, 0, 1, 1);
    // What is not there yet will be on the disk of what is.
    Path target = directory.resolve("a").resolve("b").resolve("index");
    assertThat(EstimateText.of(estimate, target).lines())
        .filteredOn(line -> line.startsWith("  disk "))
        .singleElement()
        .asString()
        .endsWith(" free: TOO LITTLE");
  }

  private CrawlSurvey survey() throws IOException {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Files.writeString(crawl.resolve("a.txt"), "one");
    Files.writeString(crawl.resolve("b.txt"), "twotwo");
    Files.writeString(crawl.resolve("c.jsonl"), "{\"id\": \"1\", \"contents\": \"three\"}\n");
    Files.writeString(crawl.resolve("d"), "a\0b");
    BuildOptions options =
        new BuildOptions(
            ImmutableList.of(crawl),
            directory.resolve("index"),
            true,
            HtmlMode.FAST,
            "standard",
            true,
            Store.NONE,
            new Resources(1, 4L << 30));
    return BuildEstimate.of(options, List.of(), true, new BuildProgress()).survey();
  }
}
