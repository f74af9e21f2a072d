package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.index.columns.ColumnPartWriter;
import io.kmodel.indexer.index.documents.StoredDocumentsWriter;
import io.kmodel.indexer.index.model.ColumnValues;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.Checkpoints.SavedSplit;
import io.kmodel.indexer.indexing.journal.CrashPoint;
import io.kmodel.indexer.indexing.journal.FinishedRun;
import io.kmodel.indexer.indexing.journal.Reading;
import io.kmodel.indexer.indexing.journal.StoredFiles;
import io.kmodel.indexer.indexing.report.Activity;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.SplitResult;
import io.kmodel.indexer.indexing.report.StageClock;
import io.kmodel.indexer.indexing.report.Timeline;
import io.kmodel.indexer.run.MemoryRun;
import io.kmodel.indexer.run.OrderedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/**
 * Runs, in files or in memory, and files of stored documents and columns, for a later merge. The
 * runs of a split are saved together when the last one is complete. Saved runs of an interrupted
 * build count as if they were made now.
 */
public final class RunFiles implements BuildOutput {
  /** Stands for the file size of a run without a file. */
  private static final long IN_MEMORY = -1;

  /**
   * Where runs go.
   *
   * @param directory for the files
   * @param kept runs that need no file before they are saved
   */
  public record Place(Path directory, Schema schema, Checkpoints saved, InMemoryRuns kept) {}

  private final Path directory;
  private final Schema schema;
  private final Checkpoints saved;
  private final InMemoryRuns kept;
  private final StageClock clock;
  private final BuildProgress progress;
  private final boolean stores;

  private final Set<FinishedRun> runs = new ConcurrentSkipListSet<>();

  /** Files of stored documents and of columns, by split. */
  private final Map<Integer, StoredFiles> stored = new ConcurrentSkipListMap<>();

  /** Readings whose runs are not complete. */
  private final Map<Reading, OfSplit> open = new ConcurrentHashMap<>();

  /** The last reading of each split. */
  private final Map<Integer, Reading> readings = new ConcurrentSkipListMap<>();

  public RunFiles(Place place, StageClock clock, BuildProgress progress) {
    this.directory = place.directory();
    this.schema = place.schema();
    this.saved = place.saved();
    this.kept = place.kept();
    this.clock = clock;
    this.progress = progress;
    this.stores = schema.fields().stream().anyMatch(Field::stored);
  }

  /** Name of a file of a reading. */
  static String name(Reading reading, String kind) {
    return "split-%06d-%d.%s".formatted(reading.split(), reading.pass(), kind);
  }

  /** In document order. */
  public List<FinishedRun> runs() {
    return List.copyOf(runs);
  }

  /** Files of stored documents, in document order. */
  public List<Path> documents() {
    return stored.values().stream().map(StoredFiles::documents).filter(Objects::nonNull).toList();
  }

  /** Files of columns, in document order. */
  public List<Path> columns() {
    return stored.values().stream().map(StoredFiles::columns).filter(Objects::nonNull).toList();
  }

  /** What an interrupted build has saved of these runs and their merge. */
  public Checkpoints saved() {
    return saved;
  }

  public BuildProgress progress() {
    return progress;
  }

  @Override
  public SplitOutput split(Reading reading) throws IOException {
    OfSplit output = new OfSplit(reading);
    readings.put(reading.split(), reading);
    open.put(reading, output);
    return output;
  }

  @Override
  public void read(Reading reading, SplitResult result) throws IOException {
    OfSplit output = open.get(reading);
    if (output != null) {
      output.result = result;
      output.sealIfComplete();
    }
  }

  /** Takes over a reading that an interrupted build has saved; null if there is none. */
  @Nullable
  public SplitResult restore(Reading reading) {
    SavedSplit split = saved.split(reading);
    if (split == null) {
      return null;
    }
    if (!split.isDropped()) {
      readings.put(reading.split(), reading);
      runs.addAll(split.runs());
      stored.put(reading.split(), split.stored());
    }
    return split.result();
  }

  @Override
  public void drop(int split) throws IOException {
    Reading reading = readings.remove(split);
    if (reading == null) {
      return;
    }
    List<Path> files = new ArrayList<>();
    for (FinishedRun run : runs()) {
      if (run.split() == split) {
        runs.remove(run);
        files.add(run.file());
      }
    }
    clock.timeline().forgetRuns(split);
    StoredFiles ofSplit = stored.remove(split);
    if (ofSplit != null) {
      files.addAll(ofSplit.all());
    }
    saved.splitDropped(reading, files);
  }

  private final class OfSplit implements SplitOutput {
    private final Reading reading;
    private final StoredFiles files;
    private final @Nullable StoredDocumentsWriter writer;
    private final @Nullable ColumnPartWriter columns;
    private final List<FinishedRun> finished = new ArrayList<>();
    private int ended;

    /** Result of the reading; null until all of the split was read. */
    private @Nullable SplitResult result;

    OfSplit(Reading reading) throws IOException {
      this.reading = reading;
      Path documentsFile = stores ? directory.resolve(name(reading, "documents")) : null;
      Path columnsFile =
          schema.columns().isEmpty() ? null : directory.resolve(name(reading, "columns"));
      this.files = new StoredFiles(documentsFile, columnsFile);
      this.writer = documentsFile == null ? null : new StoredDocumentsWriter(documentsFile, schema);
      try {
        this.columns = columnsFile == null ? null : new ColumnPartWriter(columnsFile);
      } catch (IOException | RuntimeException e) {
        try (writer) {
          throw e;
        }
      }
    }

    @Override
    public void startDocument(long unit) throws IOException {
      if (writer != null) {
        writer.startDocument(unit);
      }
    }

    @Override
    public void value(int field, byte[] utf8, int offset, int length) {
      if (writer != null) {
        writer.value(utf8, offset, length);
      }
    }

    @Override
    public void values(ColumnValues values) throws IOException {
      if (columns != null) {
        columns.add(values);
      }
    }

    @Override
    public void finishDocument() throws IOException {
      if (writer != null) {
        writer.finishDocument();
      }
    }

    @Override
    public Run endRun() {
      return new OfRun(this, ended++);
    }

    @Override
    public void finish() throws IOException {
      if (writer != null) {
        clock.time(Activity.STORE, writer::commit);
      }
      if (columns != null) {
        clock.time(Activity.STORE, columns::commit);
      }
      for (Path file : files.all()) {
        clock.produced(Activity.STORE, Files.size(file));
      }
      stored.put(reading.split(), files);
    }

    /** Saves the reading once the split was read and all its runs are finished. */
    void sealIfComplete() throws IOException {
      SplitResult complete = result;
      if (complete == null || finished.size() < ended) {
        return;
      }
      open.remove(reading);
      CrashPoint.SPLIT_READ.reached();
      saved.splitRead(reading, complete, finished, files, RunFiles.this::writeKept);
    }

    @Override
    public void close() throws IOException {
      try (writer;
          columns) {
        // Closing deletes uncommitted files.
      }
    }
  }

  /** Writes a run that is in memory, so that it survives the process. */
  private void writeKept(FinishedRun run) throws IOException {
    MemoryRun inMemory = run.kept();
    if (inMemory != null) {
      clock.time(Activity.WRITE_RUN, () -> inMemory.write(run.file()));
      clock.produced(Activity.WRITE_RUN, Files.size(run.file()));
      CrashPoint.KEPT_WRITTEN.reached();
    }
  }

  /** A run that waits for its postings. */
  private final class OfRun implements SplitOutput.Run {
    private final OfSplit of;
    private final int ordinal;

    OfRun(OfSplit of, int ordinal) {
      this.of = of;
      this.ordinal = ordinal;
    }

    @Override
    public void postings(OrderedRun sorted) throws IOException {
      Path file = directory.resolve(name(of.reading, "%03d.postings".formatted(ordinal)));
      MemoryRun copy = keep(sorted);
      long bytes = copy == null ? write(sorted, file) : IN_MEMORY;
      int split = of.reading.split();
      clock
          .timeline()
          .run(
              new Timeline.Run(split, ordinal, sorted.documentCount(), sorted.tokenCount(), bytes));
      FinishedRun run = new FinishedRun(split, ordinal, file, sorted.documentCount(), copy);
      runs.add(run);
      of.finished.add(run);
      of.sealIfComplete();
    }

    /** Keeps the run in memory; null if it must be written. */
    private @Nullable MemoryRun keep(OrderedRun sorted) {
      if (saved.wantsFiles()) {
        return null;
      }
      long start = System.nanoTime();
      MemoryRun copy = kept.keep(sorted, progress.share());
      if (copy != null) {
        clock.lap(Activity.KEEP_RUN, start);
        clock.produced(Activity.KEEP_RUN, copy.usedBytes());
      }
      return copy;
    }

    /** Writes the run and returns the size of its file. */
    private long write(OrderedRun sorted, Path file) throws IOException {
      clock.time(Activity.WRITE_RUN, () -> sorted.writeRun(file));
      long bytes = Files.size(file);
      clock.produced(Activity.WRITE_RUN, bytes);
      return bytes;
    }

    @Override
    public void close() {}
  }
}
