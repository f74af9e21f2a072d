package io.kmodel.indexer.build;

import io.kmodel.indexer.build.StageClock.Work;
import io.kmodel.indexer.index.Field;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.index.StoredDocumentsWriter;
import io.kmodel.indexer.run.RunBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** Files of runs and of stored documents, for a merge to come. */
final class RunFiles implements BuildOutput {
  private final Path directory;
  private final Schema schema;
  private final StageClock clock;
  private final boolean stores;

  private final Map<SealedRun, SealedRun> runs = new ConcurrentSkipListMap<>();

  /** Files of stored documents by split. */
  private final Map<Integer, Path> documents = new ConcurrentSkipListMap<>();

  RunFiles(Path directory, Schema schema, StageClock clock) {
    this.directory = directory;
    this.schema = schema;
    this.clock = clock;
    this.stores = schema.fields().stream().anyMatch(Field::stored);
  }

  /** In document order. */
  List<SealedRun> runs() {
    return List.copyOf(runs.keySet());
  }

  /** Files of stored documents, in document order. */
  Collection<Path> documents() {
    return documents.values();
  }

  @Override
  public SplitOutput split(int ordinal) throws IOException {
    return new OfSplit(ordinal);
  }

  @Override
  public void drop(int ordinal) throws IOException {
    for (SealedRun run : runs()) {
      if (run.split() == ordinal) {
        runs.remove(run);
        Files.delete(run.file());
      }
    }
    clock.timeline().forgetRuns(ordinal);
    Path stored = documents.remove(ordinal);
    if (stored != null) {
      Files.delete(stored);
    }
  }

  private final class OfSplit implements SplitOutput {
    private final int split;
    private final Path documentsFile;
    private final @Nullable StoredDocumentsWriter writer;
    private int sealed;

    OfSplit(int split) throws IOException {
      this.split = split;
      this.documentsFile = directory.resolve("split-%06d.documents".formatted(split));
      this.writer = stores ? new StoredDocumentsWriter(documentsFile, schema) : null;
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
    public void finishDocument() throws IOException {
      if (writer != null) {
        writer.finishDocument();
      }
    }

    @Override
    public Run endRun() {
      return new OfRun(split, sealed++);
    }

    @Override
    public void finish() throws IOException {
      if (writer != null) {
        long start = System.nanoTime();
        writer.commit();
        clock.lap(Work.STORE, start);
        clock.produced(Work.STORE, Files.size(documentsFile));
        documents.put(split, documentsFile);
      }
    }

    @Override
    public void close() throws IOException {
      if (writer != null) {
        writer.close();
      }
    }
  }

  /** A run that is to be written. */
  private final class OfRun implements SplitOutput.Run {
    private final int split;
    private final int ordinal;

    OfRun(int split, int ordinal) {
      this.split = split;
      this.ordinal = ordinal;
    }

    @Override
    public void postings(RunBuilder sorted) throws IOException {
      long start = System.nanoTime();
      Path file = directory.resolve("run-%06d-%03d.postings".formatted(split, ordinal));
      sorted.writeRun(file);
      clock.lap(Work.WRITE_RUN, start);
      long bytes = Files.size(file);
      clock.produced(Work.WRITE_RUN, bytes);
      clock
          .timeline()
          .run(
              new Timeline.Run(split, ordinal, sorted.documentCount(), sorted.tokenCount(), bytes));
      SealedRun run = new SealedRun(split, ordinal, file, sorted.documentCount());
      runs.put(run, run);
    }

    @Override
    public void close() {}
  }
}
