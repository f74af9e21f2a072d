package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.export.ciff.CiffExportOptions;
import io.kmodel.indexer.export.ciff.CiffExporter;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.faults.OpenDescriptors;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.merge.OpenRuns;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.run.RunWriter;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bit that flips on the disk ends what reads it, and never reaches another file. */
class DamagedOnDiskTest {
  private static final Schema SCHEMA =
      Schema.of(List.of(new Field("contents", Detail.POSITIONS, true, false)));

  /** Merges two at a time, in passes. */
  private static final OpenRuns.Limits IN_PASSES = new OpenRuns.Limits(1, 1 << 20, 2);

  private static final OpenRuns.Limits AT_ONCE = new OpenRuns.Limits(1, 1 << 20, 8);

  @TempDir Path directory;

  @Test
  void aRunWithAFlippedBitIsNotMerged() throws Exception {
    for (OpenRuns.Limits limits : List.of(AT_ONCE, IN_PASSES)) {
      for (int damaged = 0; damaged < 4; damaged++) {
        List<Path> runs = writeRuns();
        Path run = runs.get(damaged);
        // Whatever this byte is, no reader may get as far as to use it.
        flip(run, 4 + 1 + "run".length() + 4 + 7);
        assertThatThrownBy(() -> open(runs, limits))
            .isInstanceOf(CorruptIndexException.class)
            .hasMessageContaining(run.toString())
            .hasMessageContaining("flipped?");
        writeRuns();
        // And this one is read by those who look at the whole file alone.
        flip(run, Files.size(run) - 8);
        assertThatThrownBy(() -> open(runs, limits))
            .isInstanceOf(CorruptIndexException.class)
            .hasMessageContaining(run.toString())
            .hasMessageContaining("altered or truncated?");
        assertThat(OpenDescriptors.below(directory)).isEmpty();
      }
    }
    try (Workers workers = new Workers("merge", 2);
        OpenRuns open = OpenRuns.open(writeRuns(), SCHEMA, workers, IN_PASSES)) {
      assertThat(open.runs()).hasSize(2);
    }
  }

  private static void open(List<Path> runs, OpenRuns.Limits limits)
      throws IOException, InterruptedException {
    try (Workers workers = new Workers("merge", 2)) {
      OpenRuns.open(runs, SCHEMA, workers, limits).close();
    }
  }

  private List<Path> writeRuns() throws IOException {
    List<Path> runs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Path path = directory.resolve("run-%d.postings".formatted(i));
      try (RunWriter writer = RunWriter.create(path, SCHEMA)) {
        writer.startTerm(new byte[] {0, 'a'}, 2);
        writer.docs(new int[] {0}, new int[] {1}, 1);
        writer.positions(new int[] {5}, 1);
        writer.finishTerm();
        writer.lengths(0, new int[] {1}, 1);
        writer.commit(1);
      }
      runs.add(path);
    }
    return runs;
  }

  @Test
  void anIndexWithAFlippedBitIsNotExported() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    for (int i = 0; i < 20; i++) {
      Files.writeString(crawl.resolve(i + ".txt"), "some words of document " + i);
    }
    Path made = build(crawl);
    List<Path> files;
    try (var listed = Files.list(made)) {
      files = listed.filter(f -> !f.toString().matches(".*\\.(json|jsonl|html)")).toList();
    }
    assertThat(files).hasSizeGreaterThan(6);
    for (Path file : files) {
      long at = (Files.size(file) - 16 + 4 + 1 + file.getFileName().toString().length() + 4) / 2;
      flip(file, at);
      assertThatThrownBy(
              () -> {
                try (InvertedIndex index = InvertedIndex.open(made)) {
                  LuceneExporter.export(index, directory.resolve("lucene"), ExportOptions.DEFAULT);
                }
              })
          .as("%s, byte %d", file, at)
          .isInstanceOf(CorruptIndexException.class);
      assertThatThrownBy(
              () -> {
                try (InvertedIndex index = InvertedIndex.open(made)) {
                  CiffExporter.export(
                      index,
                      directory.resolve("out.ciff"),
                      CiffExportOptions.DEFAULT,
                      ProgressListener.NONE);
                }
              })
          .as("%s, byte %d", file, at)
          .isInstanceOf(CorruptIndexException.class);
      flip(file, at);
    }
    assertThat(directory.resolve("lucene")).doesNotExist();
    assertThat(directory.resolve("out.ciff")).doesNotExist();
    try (InvertedIndex index = InvertedIndex.open(made)) {
      LuceneExporter.export(index, directory.resolve("lucene"), ExportOptions.DEFAULT);
    }
  }

  private static void flip(Path file, long at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[(int) at] ^= 1;
    Files.write(file, bytes);
  }

  private Path build(Path crawl) throws IOException, InterruptedException {
    BuildOptions options =
        new BuildOptions(
            ImmutableList.of(crawl),
            directory.resolve("index"),
            false,
            HtmlMode.FAST,
            "standard",
            true,
            Store.CONTENTS,
            new BuildOptions.Resources(1, 1L << 30));
    MemoryPlan plan = new MemoryPlan(1 << 30, 8 << 20, 64 << 20, 256 << 20);
    return Path.of(
        new Indexing(options, Target.ownIndex(), new BuildProgress(), plan).run().output());
  }
}
