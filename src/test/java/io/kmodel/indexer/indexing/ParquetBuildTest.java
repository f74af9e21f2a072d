package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.source.parquet.ParquetFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Builds of Parquet files equal those of the same documents as JSON lines. */
@Timeout(120)
class ParquetBuildTest extends InterruptedBuild {
  private static final String SCHEMA =
      "required binary id (STRING); optional binary title (STRING);"
          + " required binary text (STRING); required int32 other;";

  private final StringBuilder lines = new StringBuilder();

  /** Documents, and the same as lines. */
  private List<Consumer<Group>> rows(int count, String between) {
    Random random = new Random(3);
    List<Consumer<Group>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String id = "d" + i;
      StringBuilder text = new StringBuilder();
      for (int words = 1 + random.nextInt(60); words > 0; words--) {
        text.append(Integer.toString(random.nextInt(3000), 36)).append(between);
      }
      rows.add(
          group ->
              group
                  .append("id", id)
                  .append("title", "the title " + id)
                  .append("text", text.toString())
                  .append("other", 1));
      lines.append(
          String.format(
              Locale.ROOT,
              "{\"id\": \"%s\", \"title\": \"the title %s\", \"text\": \"%s\", \"other\": 1}%n",
              id,
              id,
              text));
    }
    return rows;
  }

  @Test
  void theIndexIsThatOfTheSameJson() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("parquet"));
    List<Consumer<Group>> rows = rows(2000, " ");
    ParquetFiles.of(SCHEMA).write(folder.resolve("a.parquet"), rows);
    Path other = Files.createDirectory(directory.resolve("json"));
    Files.writeString(other.resolve("a.jsonl"), lines);
    Path expected = directory.resolve("expected");
    BuildReport json = build(options(other, expected, 2), new BuildProgress(), Start.FRESH);
    BuildReport report = build(options(folder, output, 2), new BuildProgress(), Start.FRESH);
    assertThat(report.documents()).isEqualTo(2000);
    assertThat(report.unusedMembers())
        .isEqualTo(json.unusedMembers())
        .containsEntry("other", 2000L);
    assertThat(IndexFilesHash.of(output)).isEqualTo(IndexFilesHash.of(expected));
  }

  @Test
  void threadsAndInterruptionsLeaveNoTrace() throws Exception {
    crawl = Files.createDirectory(directory.resolve("large"));
    Path file = crawl.resolve("a.parquet");
    // Space makes the file large, of which the quick tier has more.
    List<Consumer<Group>> rows = rows(Tier.pick(4000, 12_000), " ".repeat(Tier.pick(120, 40)));
    ParquetFiles.of(SCHEMA).with(CompressionCodecName.UNCOMPRESSED).with(200, 30).write(file, rows);
    assertThat(Files.size(file)).isGreaterThan(12 << 20);
    Path alone = directory.resolve("alone");
    build(options(crawl, alone, 1), new BuildProgress(), Start.FRESH);
    SortedMap<String, Integer> expected = IndexFilesHash.of(alone);
    for (int threads : Tier.pick(new int[] {5}, new int[] {2, 3, 16})) {
      Path target = directory.resolve("index-" + threads);
      build(options(crawl, target, threads), new BuildProgress(), Start.FRESH);
      assertThat(IndexFilesHash.of(target)).isEqualTo(expected);
    }
    int sealed = 0;
    for (int renames = 4; sealed == 0; renames += 3) {
      faults.fail(Kind.RENAME, renames);
      BuildOptions options = options(crawl, system.through(output), 1);
      assertThatThrownBy(() -> build(options, new BuildProgress(), Start.RESTART))
          .hasStackTraceContaining("injected");
      faults.stop();
      sealed = sealedSplits();
    }
    build(output, Start.RESUME);
    assertThat(notices).anyMatch(line -> line.startsWith("resuming with "));
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
  }
}
