package io.kmodel.indexer.experiment.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.Thorough;
import io.kmodel.indexer.parse.html.HtmlMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RivalsTest {
  @TempDir Path directory;

  @Test
  void columnsGiveIndexWriterTheSameDocuments() throws Exception {
    RaceOptions options = options(Rival.LUCENE, Path.of("corpus-samples/site"));
    RaceResult documents =
        new LuceneContestant(
                options.workingIn(directory.resolve("d")), "lucene", LuceneFeed.Documents::new)
            .run();
    RaceResult columns =
        new LuceneContestant(options.workingIn(directory.resolve("c")), "columns", ColumnFeed::new)
            .run();
    assertThat(documents.documents()).isGreaterThan(100);
    assertThat(columns.content()).isEqualTo(documents.content().replace("lucene:", "columns:"));
  }

  @Test
  void aDemoLikeProgramAddsEveryFile() throws Exception {
    Path corpus = Files.createDirectories(directory.resolve("corpus/sub"));
    Files.writeString(corpus.resolve("a.html"), "<p>a");
    Files.writeString(corpus.resolve("b.txt"), "b");
    RaceOptions options = options(Rival.INDEXFILES, directory.resolve("corpus"));
    RaceResult theirs =
        new IndexFilesContestant(options.workingIn(directory.resolve("theirs"))).run();
    RaceResult ours = new IndexerContestant(options.workingIn(directory.resolve("ours"))).run();
    assertThat(theirs.documents()).isEqualTo(2);
    assertThat(theirs.builtTheSameAs(ours)).isTrue();
    Files.writeString(corpus.resolve("c.txt"), "c");
    assertThat(
            new IndexFilesContestant(options.workingIn(directory.resolve("more")))
                .run()
                .builtTheSameAs(ours))
        .isFalse();
  }

  @Test
  void countersAreReadAsAnseriniPrintsThem() throws IOException {
    String printed = "INFO indexed:   127,202\nunique terms:  -1\n";
    assertThat(AnseriniContestant.counter(printed, "indexed")).isEqualTo(127_202);
    assertThat(AnseriniContestant.counter(printed, "unique terms")).isEqualTo(RaceResult.UNKNOWN);
    assertThatThrownBy(() -> AnseriniContestant.counter(printed, "empty"))
        .hasMessage("anserini printed no 'empty'");
  }

  /** Into a directory that is named as users name it, from where they are. */
  @Thorough
  @Test
  void mavenFetchesAProgram() throws Exception {
    Path relative = Path.of("").toAbsolutePath().relativize(directory.toAbsolutePath());
    assertThat(RivalProgram.fetch("org.jspecify:jspecify:1.0.0:jar", relative.resolve("jars")))
        .isRegularFile()
        .hasFileName("jspecify-1.0.0.jar");
    assertThatThrownBy(
            () -> RivalProgram.fetch("org.jspecify:jspecify:0.0.3:jar", relative.resolve("none")))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("Maven cannot fetch org.jspecify:jspecify:0.0.3:jar: ")
        .hasMessageContaining("org.jspecify:jspecify:jar:0.0.3")
        .hasMessageNotContaining("\u001b");
  }

  @Test
  void aProgramThatFailsSaysWhy() {
    assertThatThrownBy(
            () -> RivalProgram.run("theirs", 64 << 20, List.of("-jar", "no-such-file.jar")))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("theirs failed with exit code 1: ")
        .hasMessageContaining("no-such-file.jar");
  }

  @Test
  void aProgramIsMeasured() throws Exception {
    Path source =
        Files.writeString(
            directory.resolve("Busy.java"),
            """
            class Busy {
              public static void main(String[] arguments) {
                long end = System.nanoTime() + 300_000_000L;
                while (System.nanoTime() < end) {}
                System.out.println("ended");
              }
            }
            """);
    RivalProgram.Run run = RivalProgram.run("busy", 64 << 20, List.of(source.toString()));
    assertThat(run.output()).contains("ended");
    assertThat(run.seconds()).isGreaterThan(0.3);
    assertThat(run.cpuSeconds()).isGreaterThan(0.2);
    assertThat(run.peakMemoryBytes()).isGreaterThan(16 << 20);
  }

  private RaceOptions options(Rival rival, Path corpus) {
    return new RaceOptions(
        corpus.toString(),
        directory.toString(),
        "standard",
        1,
        Runtime.getRuntime().maxMemory() + (256L << 20),
        0,
        new RivalOptions(rival, null, HtmlMode.JSOUP, true, 64));
  }
}
