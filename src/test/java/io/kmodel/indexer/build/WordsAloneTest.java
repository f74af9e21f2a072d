package io.kmodel.indexer.build;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.parse.HtmlMode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WordsAloneTest {
  @TempDir Path directory;

  @Test
  void readsAndCountsWhatABuildDoesAndLeavesNothing() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Crawls.write(crawl, SampleDocuments.random(5, 300, 80));
    Files.write(crawl.resolve("picture.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 0, 1, 2, 0});
    BuildReport build = new IndexBuild(options(crawl, "index"), new BuildProgress()).run();
    BuildReport words = new WordsAlone(options(crawl, "words"), new BuildProgress()).run();
    assertThat(words.documents()).isEqualTo(300).isEqualTo(build.documents());
    assertThat(words.tokens()).isPositive().isEqualTo(build.tokens());
    assertThat(words.sourceBytes()).isEqualTo(build.sourceBytes());
    assertThat(words.skipped()).isNotEmpty().isEqualTo(build.skipped());
    assertThat(words.work())
        .filteredOn(work -> work.name().equals("analyze"))
        .allSatisfy(work -> assertThat(work.threadSeconds()).isPositive());
    assertThat(words.work())
        .filteredOn(work -> work.name().equals("sort") || work.name().equals("keep run"))
        .hasSize(2)
        .allSatisfy(work -> assertThat(work.bytes()).isZero());
    assertThat(directory).isDirectoryNotContaining(path -> path.toString().contains("words"));
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
