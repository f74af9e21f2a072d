package io.kmodel.indexer.indexing.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.indexing.Crawls;
import io.kmodel.indexer.indexing.IndexFilesHash;
import io.kmodel.indexer.indexing.Indexing;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.SourceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A crawl, and builds of it by one machine and by a cluster whose tasks run in this process. */
abstract class ClusterBuilds {
  static final long SPLIT_BYTES = 20_000;

  /** Nothing is copied from a shared directory. */
  static final Path NO_SCRATCH = Path.of("no-such-directory");

  @TempDir Path directory;
  final List<Path> roots = new ArrayList<>();
  final List<String> messages = Collections.synchronizedList(new ArrayList<>());

  /**
   * Pages, lines, a file given twice by name, one that is skipped, and a directory without files.
   */
  @BeforeEach
  void write() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Crawls.write(crawl, SampleDocuments.random(7, 150, 60));
    for (int file = 0; file < 3; file++) {
      StringBuilder lines = new StringBuilder();
      for (int line = 0; line < 200; line++) {
        lines.append(
            "{\"id\":\"%d\",\"contents\":\"the connected words %d of %d\"}\n"
                .formatted(100 * file + line, line, file));
      }
      Files.writeString(crawl.resolve("lines-%d.jsonl".formatted(file)), lines);
    }
    Files.write(crawl.resolve("broken.html.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0, 1, 2, 3});
    roots.add(crawl);
    roots.add(crawl.resolve("lines-0.jsonl"));
    roots.add(crawl.resolve("lines-2.jsonl"));
    roots.add(Files.createDirectory(directory.resolve("empty")));
  }

  BuildOptions options(String output, Duplicates duplicates) {
    return new BuildOptions(
            ImmutableList.copyOf(roots),
            directory.resolve(output),
            false,
            HtmlMode.FAST,
            "standard",
            true,
            Store.CONTENTS,
            new BuildOptions.Resources(2, BuildOptions.Resources.MIN_MEMORY_BYTES))
        .withSource(SourceOptions.DEFAULT, duplicates);
  }

  BuildReport local(BuildOptions options) throws Exception {
    MemoryPlan plan = new MemoryPlan(1 << 28, 1 << 25, 64 << 20, 64 << 20);
    return new Indexing(options, Target.ownIndex(), new BuildProgress(), plan).run();
  }

  BuildReport cluster(BuildOptions options, TaskEngine engine, Start start) throws Exception {
    return cluster(options, engine, start, SPLIT_BYTES);
  }

  BuildReport cluster(BuildOptions options, TaskEngine engine, Start start, long bytes)
      throws Exception {
    return prepared(options, engine, start, bytes).run();
  }

  ClusterBuild prepared(BuildOptions options, TaskEngine engine, Start start, long bytes) {
    Recovery recovery = new Recovery(start, Duration.ofSeconds(30), messages::add);
    return new ClusterBuild(options, engine, bytes, recovery, new BuildProgress());
  }

  void assertSame(String made, String expected) throws IOException {
    assertThat(IndexFilesHash.of(directory.resolve(made)))
        .isEqualTo(IndexFilesHash.of(directory.resolve(expected)));
    assertThat(directory.resolve(made + ".cluster")).doesNotExist();
  }

  /** Passes tasks on after something was done to them. */
  static final class ChangingEngine implements TaskEngine {
    private final String stage;
    private final Consumer<List<String>> change;

    ChangingEngine(String stage, Consumer<List<String>> change) {
      this.stage = stage;
      this.change = change;
    }

    @Override
    public Path scratch() {
      return NO_SCRATCH;
    }

    @Override
    public int slots() {
      return 1;
    }

    @Override
    public void run(String now, List<String> tasks, Results results)
        throws IOException, InterruptedException {
      List<String> changed = new ArrayList<>(tasks);
      if (now.equals(stage)) {
        change.accept(changed);
      }
      new ThreadEngine(1, NO_SCRATCH).run(now, changed, results);
    }
  }
}
