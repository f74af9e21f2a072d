package io.kmodel.indexer.indexing.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.indexing.IndexFilesHash;
import io.kmodel.indexer.indexing.Indexing;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.RemotePath;
import io.kmodel.indexer.source.SourceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Builds whose input, work and output are in a store of files. */
class StoredWorkTest {
  private static final long SPLIT_BYTES = 300_000;

  @TempDir Path directory;
  private final List<String> messages = new ArrayList<>();
  private Path crawl = Path.of("");
  private Path scratch = Path.of("");

  /** Lines with enough words for postings of several cells. */
  @BeforeEach
  void write() throws Exception {
    crawl = Files.createDirectory(directory.resolve("crawl"));
    scratch = directory.resolve("scratch");
    Random random = new Random(4);
    for (int file = 0; file < 3; file++) {
      StringBuilder lines = new StringBuilder();
      for (int line = 0; line < 1000; line++) {
        lines.append("{\"id\":\"%d\",\"contents\":\"".formatted(900 * file + line));
        for (int word = 0; word < 60; word++) {
          lines
              .append(Integer.toString(random.nextInt(1 << random.nextInt(1, 16)), 36))
              .append(' ');
        }
        lines.append("\"}\n");
      }
      Files.writeString(crawl.resolve("lines-%d.jsonl".formatted(file)), lines);
    }
  }

  private BuildOptions options(Path root, Path output, boolean overwrite) {
    return new BuildOptions(
            ImmutableList.of(root),
            output,
            overwrite,
            HtmlMode.FAST,
            "standard",
            true,
            Store.CONTENTS,
            new BuildOptions.Resources(1, BuildOptions.Resources.MIN_MEMORY_BYTES))
        .withSource(SourceOptions.DEFAULT, Duplicates.SKIP);
  }

  private void local() throws Exception {
    new Indexing(
            options(crawl, directory.resolve("whole"), false),
            Target.ownIndex(),
            new BuildProgress(),
            new MemoryPlan(1 << 28, 1 << 25, 64 << 20, 64 << 20))
        .run();
  }

  private BuildReport cluster(TaskEngine engine, Start start, boolean overwrite) throws Exception {
    BuildOptions options =
        options(
            RemotePath.of(DirectoryStore.SCHEME + crawl),
            RemotePath.of(DirectoryStore.SCHEME + directory.resolve("made") + "/"),
            overwrite);
    Recovery recovery = new Recovery(start, Duration.ofSeconds(30), messages::add);
    return new ClusterBuild(options, engine, SPLIT_BYTES, recovery, new BuildProgress()).run();
  }

  private TaskEngine threads() {
    return new ThreadEngine(1, scratch);
  }

  /** All but the names of files in the lists of skipped documents. */
  private void assertSame() throws IOException {
    var made = IndexFilesHash.of(directory.resolve("made"));
    var whole = IndexFilesHash.of(directory.resolve("whole"));
    made.remove(BuildReport.SKIPPED_FILE_NAME);
    whole.remove(BuildReport.SKIPPED_FILE_NAME);
    assertThat(made).isEqualTo(whole);
    assertThat(Files.readString(directory.resolve("made/skipped.jsonl")))
        .isEqualTo(
            Files.readString(directory.resolve("whole/skipped.jsonl"))
                .replace("\"" + crawl, "\"stored://" + crawl));
    assertThat(directory.resolve("made.cluster")).doesNotExist();
    try (Stream<Path> left = Files.walk(scratch)) {
      assertThat(left.filter(Files::isRegularFile))
          .as("copies")
          .allMatch(file -> file.endsWith("input") || file.endsWith("scan.skipped"));
    }
  }

  @Test
  void theIndexIsThatOfOneMachineAndRangesReadSlices() throws Exception {
    local();
    BuildReport made = cluster(threads(), Start.FRESH, false);
    assertThat(made.skipped()).containsEntry("duplicate id", 200L);
    assertSame();
    assertThatThrownBy(() -> cluster(threads(), Start.FRESH, false))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("made exists already");
    cluster(threads(), Start.FRESH, true);
    assertSame();
  }

  @Test
  void nothingButAnIndexIsReplaced() throws Exception {
    Path made = Files.createDirectory(directory.resolve("made"));
    Path own = Files.writeString(made.resolve("letter.txt"), "mine");
    assertThatThrownBy(() -> cluster(threads(), Start.FRESH, true))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("has other files than those of an index");
    assertThat(own).hasContent("mine");
    Files.delete(own);
    // An empty directory is no obstacle.
    cluster(threads(), Start.FRESH, false);
    Files.writeString(own, "mine");
    assertThatThrownBy(() -> cluster(threads(), Start.FRESH, true))
        .isInstanceOf(BuildException.class);
    assertThat(own).hasContent("mine");
  }

  @ParameterizedTest
  @ValueSource(strings = {"crawl", "crawl/index", "", "/"})
  void theOutputIsNotInTheInput(String output) {
    BuildOptions options =
        options(
            RemotePath.of(DirectoryStore.SCHEME + crawl + "/"),
            RemotePath.of(DirectoryStore.SCHEME + directory + "/" + output),
            true);
    assertThatThrownBy(
            () ->
                new ClusterBuild(options, threads(), 0, Recovery.DEFAULT, new BuildProgress())
                    .run())
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("must not contain each other");
    assertThat(crawl).isNotEmptyDirectory();
  }

  /** Stops before ranges are merged. */
  private final class Stopping implements TaskEngine {
    private final List<String> inverted = new ArrayList<>();
    private final boolean stops;

    Stopping(boolean stops) {
      this.stops = stops;
    }

    @Override
    public int slots() {
      return 4;
    }

    @Override
    public Path scratch() {
      return scratch;
    }

    @Override
    public void run(String stage, List<String> tasks, Results results)
        throws IOException, InterruptedException {
      if (stage.equals("merge") && stops) {
        throw new IOException("the cluster is gone");
      }
      if (stage.equals("invert")) {
        inverted.addAll(tasks);
      }
      threads().run(stage, tasks, results);
    }
  }

  private List<Path> splits() throws IOException {
    try (Stream<Path> all = Files.list(directory.resolve("made.cluster/splits"))) {
      return all.sorted().toList();
    }
  }

  @Test
  void aDriverThatWasStoppedIsResumedOnAnotherDisk() throws Exception {
    assertThatThrownBy(() -> cluster(new Stopping(true), Start.FRESH, false))
        .hasMessage("the cluster is gone");
    assertThat(messages).singleElement().asString().contains("--resume");
    scratch = directory.resolve("other-scratch");
    Stopping resumed = new Stopping(false);
    cluster(resumed, Start.RESUME, false);
    assertThat(resumed.inverted).isEmpty();
    local();
    assertSame();
  }

  @Test
  void whatFailedTasksLeftBehindIsDeletedByAge() throws Exception {
    assertThatThrownBy(() -> cluster(new Stopping(true), Start.FRESH, false))
        .hasMessage("the cluster is gone");
    List<Path> kept = splits();
    Path left = Files.createDirectory(directory.resolve("made.cluster/splits/000001-left"));
    Files.writeString(left.resolve("postings.docs"), "half of it");
    Workspace work =
        Workspace.of(DirectoryStore.SCHEME + directory.resolve("made.cluster"), scratch);
    Set<String> names =
        kept.stream().map(path -> path.getFileName().toString()).collect(Collectors.toSet());
    Instant now = Instant.now();
    assertThat(work.deleteOrphans(Workspace.SPLITS, names, now.minusSeconds(600))).isZero();
    assertThat(work.deleteOrphans(Workspace.SPLITS, names, now.plusSeconds(600))).isEqualTo(1);
    assertThat(splits()).isEqualTo(kept);
  }

  @Test
  void damagedSlicesAreErrorsAndNeverPostings() throws Exception {
    assertThatThrownBy(() -> cluster(new Stopping(true), Start.FRESH, false))
        .hasMessage("the cluster is gone");
    Path docs = splits().getLast().resolve("postings.docs");
    byte[] bytes = Files.readAllBytes(docs);
    assertThat(bytes).hasSizeGreaterThan(100_000);
    bytes[bytes.length / 2] ^= 4;
    Files.write(docs, bytes);
    assertThatThrownBy(() -> cluster(new Stopping(false), Start.RESUME, false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("postings.docs")
        .hasMessageContaining("checksum")
        .hasMessageContaining("--restart");
    assertThat(directory.resolve("made")).doesNotExist();
  }
}
