package io.kmodel.indexer.indexing.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.faults.FaultyFileSystem;
import io.kmodel.indexer.faults.OpenDescriptors;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.WriterCheckpoint;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.IndexFilesHash;
import io.kmodel.indexer.indexing.journal.BuildJournal;
import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.InputList;
import io.kmodel.indexer.indexing.journal.RecoveredState;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.StageClock;
import io.kmodel.indexer.run.RunBuilder;
import io.kmodel.indexer.sort.RadixKeySorter;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How large the ranges are that are merged, and what is noted of them where something fails; the
 * merge itself is tested by builds.
 */
class RunMergeTest {
  private static final Schema SCHEMA =
      Schema.of(List.of(new Field(Schema.ID, Detail.DOCUMENTS, false, false)));

  private static final int DOCUMENTS = 1500;
  private static final int RUNS = 2;

  private final Faults faults = new Faults();

  @TempDir Path directory;

  /** As where 513 documents with runs of their own lie between others. */
  @ParameterizedTest
  @CsvSource({
    "0, 256",
    "1, 256",
    "100, 25600",
    "1023, 261888",
    "1024, 262144",
    "1025, 262144",
    "1040, 262144",
    "2147483647, 262144"
  })
  void moreThan1024RunsHaveNoMoreInARangeThanThereMayBe(int runs, long kibibytes) {
    assertThat(RunMerge.rangeBytes(2, 0, runs)).isEqualTo(kibibytes << 10);
  }

  @ParameterizedTest
  @CsvSource({"1, 16384", "2, 8192", "16, 1024"})
  void aRangeHasRoomInTheMemoryForParts(int threads, long kibibytes) {
    assertThat(RunMerge.rangeBytes(threads, 64 << 20, 1)).isEqualTo(kibibytes << 10);
  }

  /**
   * While the next checkpoint is not due, and something else is kept already. A range whose files
   * could not be deleted a second time was in the index, and merged into it again.
   */
  @ParameterizedTest
  @EnumSource(names = {"WRITE", "CLOSE", "DELETE"})
  void howeverAMergeFailsItIsGoneOnWithToTheSameIndex(Kind kind) throws Exception {
    List<Path> runs = writeRuns();
    Path index = directory.resolve("index.building/index");
    Path output = new FaultyFileSystem(faults).through(directory.resolve("index"));
    SortedMap<String, Integer> expected;
    try (WorkDirectory work = WorkDirectory.create(output, null)) {
      merge(work, runs);
      expected = IndexFilesHash.of(index);
    }
    int goneOnWith = 0;
    boolean injected = true;
    for (int n = 1; injected; n++) {
      try (WorkDirectory work = WorkDirectory.create(output, null)) {
        faults.fail(kind, n);
        try {
          merge(work, runs);
        } catch (IOException e) {
          assertThat(e).hasStackTraceContaining("injected");
          assertThat(OpenDescriptors.below(index)).as("%s %d", kind, n).isEmpty();
        }
        injected = faults.injected() > 0;
        faults.stop();
        if (injected) {
          goneOnWith += saved(work, BuildJournal.none()).index() == null ? 0 : 1;
          merge(work, runs);
        }
        assertThat(IndexFilesHash.of(index)).as("%s %d", kind, n).isEqualTo(expected);
      }
    }
    assertThat(goneOnWith).isPositive();
  }

  private void merge(WorkDirectory work, List<Path> runs) throws Exception {
    BuildProgress progress = new BuildProgress();
    try (Checkpoints saved = saved(work, BuildJournal.of(work, Map.of(), Duration.ofHours(1), 1));
        InvertedIndexWriter index = writer(work, saved);
        Workers workers = new Workers("test", 2);
        OpenRuns open =
            OpenRuns.open(runs, SCHEMA, workers, new OpenRuns.Limits(2, 64 << 20, 512))) {
      if (saved.cut() == null) {
        try (InputList list = InputList.write(work.input())) {
          list.end();
        }
        saved.cut(new Checkpoints.Cut(1, 1, 1, "borders"), work.input());
      }
      new RunMerge(open, index, saved, new StageClock(), progress)
          .merge(workers, 2, 0, List.of(), List.of());
      assertThat(progress.ranges()).isGreaterThan(3);
      index.finish(DOCUMENTS * RUNS, Map.of());
      InvertedIndexWriter.forgetCheckpoints(work.index());
    }
  }

  private static Checkpoints saved(WorkDirectory work, BuildJournal journal) throws IOException {
    return new Checkpoints(RecoveredState.read(work.journal()), journal, work.runs());
  }

  private static InvertedIndexWriter writer(WorkDirectory work, Checkpoints saved)
      throws IOException {
    WriterCheckpoint before = saved.index();
    if (before != null) {
      try {
        return InvertedIndexWriter.resume(work.index(), SCHEMA, before);
      } catch (CorruptIndexException e) {
        // As where the index was put together, and what is temporary deleted.
        saved.forgetIndex();
      }
    }
    Directories.deleteTree(work.index());
    return InvertedIndexWriter.resumable(work.index(), SCHEMA);
  }

  private List<Path> writeRuns() throws IOException {
    List<Path> files = new ArrayList<>();
    try (RunBuilder builder = new RunBuilder(SCHEMA, 4 << 20)) {
      for (int run = 0; run < RUNS; run++) {
        for (int doc = 0; doc < DOCUMENTS; doc++) {
          byte[] id =
              ("%d-%d ".formatted(doc, run) + "of a long name ".repeat(12))
                  .getBytes(StandardCharsets.US_ASCII);
          builder.startDocument();
          builder.add(0, id, 0, id.length, 0);
          builder.finishDocument();
        }
        builder.sort(new RadixKeySorter());
        Path file = directory.resolve("run-%d.postings".formatted(run));
        builder.writeRun(file);
        builder.reset();
        files.add(file);
      }
    }
    return files;
  }
}
