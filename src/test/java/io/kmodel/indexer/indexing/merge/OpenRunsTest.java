package io.kmodel.indexer.indexing.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.management.ThreadMXBean;
import io.kmodel.indexer.analysis.DocumentAnalysis;
import io.kmodel.indexer.faults.OpenDescriptors;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.journal.BuildJournal;
import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.InputList;
import io.kmodel.indexer.indexing.journal.RecoveredState;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.merge.MergingCursor;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.run.RunBuilder;
import io.kmodel.indexer.run.RunReader;
import io.kmodel.indexer.run.SortedRun;
import io.kmodel.indexer.sort.RadixKeySorter;
import io.kmodel.indexer.store.FileSeal;
import io.kmodel.indexer.store.Journal;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the runs of a merge take, of the memory that it has. */
class OpenRunsTest {
  private static final long MEMORY = 2 << 20;

  /** In each run. */
  private static final int TERMS = 6;

  private static final Schema SCHEMA =
      Schema.of(List.of(new Field(Schema.ID, Detail.DOCUMENTS, false, false)));

  @TempDir Path directory;

  /** Only buffers counted; in the heap of a small build there was no room for the terms. */
  @ParameterizedTest
  @CsvSource({"1, 20", "1, 21", "1, 45", "2, 10", "4, 5", "4, 30"})
  void cursorsTakeWhatThereIsWithTermsAsLongAsTheyMayBe(int threads, int runs) throws Exception {
    List<Path> files = writeRuns(runs);
    OpenRuns.Limits limits = new OpenRuns.Limits(threads, MEMORY, 512);
    try (Workers workers = new Workers("test", threads);
        OpenRuns open = OpenRuns.open(files, SCHEMA, workers, limits)) {
      // The first time classes are loaded, too.
      walk(open, 1);
      ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long before = bean.getCurrentThreadAllocatedBytes();
      int terms = walk(open, threads);
      assertThat(bean.getCurrentThreadAllocatedBytes() - before).isLessThan(MEMORY);
      assertThat(terms).isEqualTo(threads * runs * TERMS);
    }
  }

  @Test
  void runsInMemoryNeitherNeedAPassNorABuffer() throws Exception {
    List<Path> files = writeRuns(4);
    Map<Path, SortedRun> kept = new HashMap<>();
    try (RunReader second = RunReader.open(files.get(1));
        RunReader fourth = RunReader.open(files.get(3));
        Workers workers = new Workers("test", 1)) {
      // Whatever they are, their files are not looked for.
      for (RunReader run : List.of(second, fourth)) {
        Path file = files.get(run == second ? 1 : 3);
        Files.delete(file);
        kept.put(file, run);
      }
      OpenRuns.Limits limits = new OpenRuns.Limits(1, 520 << 10, 2);
      try (OpenRuns open =
          OpenRuns.open(
              new OpenRuns.Input(files, kept, Checkpoints.none(), new BuildProgress()),
              SCHEMA,
              workers,
              limits)) {
        assertThat(open.runs()).hasSize(4).contains(second, fourth);
        assertThat(open.bufferBytes()).isEqualTo(limits.bufferBytes(2));
        assertThat(limits.bufferBytes(2)).isGreaterThan(limits.bufferBytes(4));
      }
      assertThat(second.documentCount()).isEqualTo(TERMS);
    }
  }

  @Test
  void threadsShareTheRunsThatMayBeOpenInAPass() throws Exception {
    List<Path> files = writeRuns(9);
    OpenRuns.Limits limits = new OpenRuns.Limits(4, MEMORY, 8);
    assertThat(limits.fanIn()).isEqualTo(5);
    try (Workers workers = new Workers("test", 1);
        OpenRuns open = OpenRuns.open(files, SCHEMA, workers, limits)) {
      assertThat(open.runs()).as("of two each").hasSize(5);
    }
  }

  @Test
  void nothingStaysOpenWhereARunIsMissing() throws Exception {
    List<Path> files = writeRuns(3);
    Files.delete(files.get(2));
    try (Workers workers = new Workers("test", 1)) {
      OpenRuns.Limits limits = new OpenRuns.Limits(1, MEMORY, 8);
      assertThatThrownBy(() -> OpenRuns.open(files, SCHEMA, workers, limits))
          .isInstanceOf(NoSuchFileException.class);
    }
    assertThat(OpenDescriptors.below(directory)).isEmpty();
  }

  /** Not at the end of the pass: the disk need not have room for all runs twice. */
  @Test
  void aLargerRunIsInTheJournalAndItsPartsAreDeletedBeforeTheNextIsMade() throws Exception {
    List<Path> files = writeRuns(6);
    Files.delete(files.get(4));
    try (WorkDirectory work = WorkDirectory.create(directory.resolve("index"), null);
        BuildJournal journal = BuildJournal.of(work, Map.of(), Duration.ofHours(1), 0);
        Workers workers = new Workers("test", 1)) {
      try (InputList list = InputList.write(work.input())) {
        list.end();
      }
      Checkpoints saved = new Checkpoints(RecoveredState.none(), journal, work.runs());
      saved.cut(new Checkpoints.Cut(1, 1, 1, "borders"), work.input());
      OpenRuns.Limits limits = new OpenRuns.Limits(1, MEMORY, 2);
      OpenRuns.Input input = new OpenRuns.Input(files, Map.of(), saved, new BuildProgress());
      assertThatThrownBy(() -> OpenRuns.open(input, SCHEMA, workers, limits))
          .isInstanceOf(NoSuchFileException.class);
      assertThat(files).filteredOn(Files::exists).containsExactly(files.get(5));
      List<String> merged = new ArrayList<>();
      for (String line : Journal.read(work.journal())) {
        JsonNode entry = Json.MAPPER.readTree(line);
        if (entry.get("is").asText().equals("runs")) {
          FileSeal file = Json.MAPPER.treeToValue(entry.get("file"), FileSeal.class);
          assertThat(file.isIn(directory)).isTrue();
          List<String> inputs = new ArrayList<>();
          entry.get("inputs").forEach(run -> inputs.add(run.asText()));
          merged.add(entry.get("pass") + ": " + String.join(", ", inputs));
        }
      }
      assertThat(merged)
          .containsExactly(
              "0: run-00.postings, run-01.postings", "0: run-02.postings, run-03.postings");
      Checkpoints read = new Checkpoints(RecoveredState.read(work.journal()), journal, work.runs());
      assertThat(read.present(files.subList(0, 4))).hasSize(2).allMatch(Files::exists);
    }
  }

  /** Else a build that merges for long in passes would seem to stand still. */
  @Test
  void aPassTellsThatItGoesOn() throws Exception {
    List<Path> files = new ArrayList<>();
    try (RunBuilder builder = new RunBuilder(SCHEMA, 2 << 20)) {
      for (int run = 0; run < 3; run++) {
        for (int doc = 0; doc < 2000; doc++) {
          byte[] id = "%d-%d".formatted(doc, run).getBytes(StandardCharsets.US_ASCII);
          builder.startDocument();
          builder.add(0, id, 0, id.length, 0);
          builder.finishDocument();
        }
        files.add(write(builder, run));
      }
    }
    BuildProgress progress = new BuildProgress();
    OpenRuns.Input input = new OpenRuns.Input(files, Map.of(), Checkpoints.none(), progress);
    try (Workers workers = new Workers("test", 1);
        OpenRuns open = OpenRuns.open(input, SCHEMA, workers, new OpenRuns.Limits(1, MEMORY, 2))) {
      assertThat(OpenRuns.documents(open.runs())).isEqualTo(6000);
    }
    assertThat(progress.pulse()).isGreaterThan(4);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1200, 512, 12, 116",
    "2, 2400, 512, 12, 116",
    "1, 1200, 7, 7, 116",
    "4, 1200, 512, 3, 16",
    "1, 0, 1, 2, 16",
    "1, 100000, 512, 512, 256"
  })
  void asManyRunsAreMergedAsHaveRoomAndTwoInAnyCase(
      int threads, long kibibytes, int maxOpen, int fanIn, int bufferOfSix) {
    OpenRuns.Limits limits = new OpenRuns.Limits(threads, kibibytes << 10, maxOpen);
    assertThat(limits.fanIn()).isEqualTo(fanIn);
    assertThat(limits.bufferBytes(6) >> 10).isEqualTo(bufferOfSix);
  }

  /** Reads all terms, as often as there are threads that would. */
  private static int walk(OpenRuns runs, int times) throws IOException {
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    int terms = 0;
    for (int i = 0; i < times; i++) {
      try (MergingCursor merged = OpenRuns.cursor(runs.runs(), TermRange.ALL, runs.bufferBytes())) {
        for (; merged.nextTerm(); terms++) {
          merged.nextDocs(docs, freqs);
        }
      }
    }
    return terms;
  }

  private List<Path> writeRuns(int count) throws IOException {
    Random random = new Random(7);
    List<Path> files = new ArrayList<>();
    try (RunBuilder builder = new RunBuilder(SCHEMA, 2 << 20)) {
      for (int run = 0; run < count; run++) {
        for (int doc = 0; doc < TERMS; doc++) {
          byte[] id = new byte[DocumentAnalysis.MAX_TERM_BYTES];
          random.nextBytes(id);
          builder.startDocument();
          builder.add(0, id, 0, id.length - doc, 0);
          builder.finishDocument();
        }
        files.add(write(builder, run));
      }
    }
    return files;
  }

  private Path write(RunBuilder builder, int run) throws IOException {
    builder.sort(new RadixKeySorter());
    Path file = directory.resolve("run-%02d.postings".formatted(run));
    builder.writeRun(file);
    builder.reset();
    return file;
  }
}
