package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.parse.html.HtmlMode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenizeOnlyBuildTest {
  @TempDir Path directory;

  @Test
  void readsAndCountsWhatABuildDoesAndLeavesNothing() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Crawls.write(crawl, SampleDocuments.random(5, 300, 80));
    Files.write(crawl.resolve("picture.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 0, 1, 2, 0});
    BuildReport build =
        new Indexing(options(crawl, "index"), Target.ownIndex(), new BuildProgress()).run();
    BuildReport words = words(crawl, 64 << 20);
    assertThat(words.documents()).isEqualTo(300).isEqualTo(build.documents());
    assertThat(words.tokens()).isPositive().isEqualTo(build.tokens());
    assertThat(words.sourceBytes()).isEqualTo(build.sourceBytes());
    assertThat(words.skipped()).isNotEmpty().isEqualTo(build.skipped());
    assertThat(words.work())
        .filteredOn(work -> work.name().equals("analyze"))
        .hasSize(1)
        .allSatisfy(work -> assertThat(work.threadSeconds()).isPositive());
    assertThat(words.work())
        .filteredOn(work -> work.name().equals("sort") || work.name().equals("keep run"))
        .hasSize(2)
        .allSatisfy(work -> assertThat(work.bytes()).isZero());
    assertThat(directory).isDirectoryNotContaining(path -> path.toString().contains("words"));
    // In so little that splits are many runs, and documents do not fit beside others.
    BuildReport little = words(crawl, 1 << 16);
    assertThat(little.documents()).isEqualTo(words.documents());
    assertThat(little.tokens()).isEqualTo(words.tokens());
    assertThat(bytes(little)).isEqualTo(bytes(words));
  }

  private static long bytes(BuildReport report) {
    return report.work().stream()
        .filter(work -> work.name().equals("analyze"))
        .mapToLong(BuildReport.WorkDone::bytes)
        .sum();
  }

  private BuildReport words(Path crawl, long runBytes) throws Exception {
    MemoryPlan plan = new MemoryPlan(1 << 30, runBytes, 64 << 20, 256 << 20);
    return new TokenizeOnlyBuild(options(crawl, "words"), new BuildProgress(), plan).run();
  }

  private BuildOptions options(Path crawl, String output) {
    return new BuildOptions(
        ImmutableList.of(crawl),
        directory.resolve(output),
        false,
        HtmlMode.FAST,
        "standard",
        true,
        Store.ID,
        new BuildOptions.Resources(2, 4L << 30));
  }
}
