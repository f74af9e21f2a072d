package io.kmodel.indexer.build;

import io.kmodel.indexer.build.StageClock.Work;
import io.kmodel.indexer.index.Field;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.index.StoredDocumentsWriter;
import io.kmodel.indexer.parse.DocumentAnalysis;
import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.HtmlCounts;
import io.kmodel.indexer.parse.HtmlMode;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.run.RunBuilder;
import io.kmodel.indexer.sort.SortStage;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.Split;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thread's way from a split to its runs and stored documents: read, parse, analyze, and when
 * the run is full or the split ends, sort and write. Its memory is its runs'; it is used for one
 * split after the other, and the last runs are written by {@link #finish}. Not thread-safe.
 */
final class SplitIndexer implements AutoCloseable {
  /** Documents are numbered by ints; the last number is a sentinel. */
  private static final int MAX_DOCUMENTS = Integer.MAX_VALUE - 1;

  /** What the threads of a build share. */
  record Shared(
      Schema schema,
      HtmlMode html,
      Path directory,
      SortStage sorters,
      int buffers,
      SkipLog skips,
      StageClock clock,
      BuildProgress progress) {}

  /** What came of a split; its runs are all there after {@link #finish}. */
  record Result(List<SealedRun> runs, @Nullable Path documents) {}

  private final Shared shared;
  private final DocumentParser parser;
  private final DocumentAnalysis analysis;
  private final RunBuffers runs;
  private final boolean stores;
  private final DocumentGate.Lane lane;

  /** Runs of the split at hand; those whose sort goes on aside come last. */
  private List<SealedRun> sealed = new ArrayList<>();

  private int runOrdinal;
  private int split;

  SplitIndexer(Shared shared, DocumentAnalysis analysis, DocumentGate.Lane lane, long runBytes) {
    this.shared = shared;
    this.analysis = analysis;
    this.lane = lane;
    this.parser = new DocumentParser(shared.html(), lane);
    this.runs =
        new RunBuffers(
            shared.schema(), runBytes, shared.buffers(), shared.sorters(), shared.clock());
    this.stores = shared.schema().fields().stream().anyMatch(Field::stored);
  }

  /** Indexes every document of a split. */
  Result index(Split from) throws IOException, InterruptedException {
    split = from.ordinal();
    sealed = new ArrayList<>();
    runOrdinal = 0;
    runs.current().reset();
    Path documents =
        stores ? shared.directory().resolve("split-%06d.documents".formatted(split)) : null;
    try (DocumentReader reader = from.open(shared.skips(), lane);
        StoredDocumentsWriter writer =
            documents == null ? null : new StoredDocumentsWriter(documents, shared.schema())) {
      long passed = 0;
      long start = System.nanoTime();
      for (RawDocument raw = reader.next(); raw != null; raw = reader.next()) {
        shared.clock().lap(Work.READ, start);
        index(raw, writer);
        passed = progress(reader, passed);
        if (Thread.interrupted()) {
          throw new InterruptedException("indexing of split " + split + " was stopped");
        }
        start = System.nanoTime();
      }
      progress(reader, passed);
      sealRun();
      if (writer != null && documents != null) {
        start = System.nanoTime();
        writer.commit();
        shared.clock().lap(Work.STORE, start);
        shared.clock().produced(Work.STORE, Files.size(documents));
      }
    }
    return new Result(sealed, documents);
  }

  /** Reports what the reader has passed since the last time. */
  private long progress(DocumentReader reader, long before) {
    long passed = reader.passedBytes();
    shared.progress().passed(passed - before);
    return passed;
  }

  private void index(RawDocument raw, @Nullable StoredDocumentsWriter writer)
      throws IOException, InterruptedException {
    try {
      long start = System.nanoTime();
      ParsedDocument document = parser.parse(raw);
      shared.clock().produced(Work.READ, raw.length());
      shared
          .clock()
          .produced(Work.PARSE, document.titleLength() + (long) document.contentsLength());
      shared.clock().lap(Work.PARSE, start);
      if (addToRun(raw, document)) {
        if (writer != null) {
          start = System.nanoTime();
          store(raw.unit(), document, writer);
          shared.clock().lap(Work.STORE, start);
        }
        shared.progress().document(raw.length());
      }
    } catch (MalformedDocumentException e) {
      shared.skips().skipped(raw.place(), SkipReason.UNPARSABLE, String.valueOf(e.getMessage()));
    } finally {
      parser.dropLargeBuffers(raw.length());
      lane.release();
    }
  }

  /** Adds a document to the run, sealing the run first where the document does not fit. */
  private boolean addToRun(RawDocument raw, ParsedDocument document)
      throws IOException, MalformedDocumentException, InterruptedException {
    while (true) {
      long start = System.nanoTime();
      RunBuilder run = runs.current();
      run.startDocument();
      try {
        analysis.analyze(document, shared.schema(), run::add);
      } catch (MalformedDocumentException | RuntimeException e) {
        run.abandonDocument();
        throw e;
      }
      RunBuilder.Outcome outcome = run.finishDocument();
      shared.clock().lap(Work.ANALYZE, start);
      switch (outcome) {
        case ADDED -> {
          return true;
        }
        case AGAIN -> sealRun();
        case TOO_LARGE -> {
          if (runs.grow()) {
            continue;
          }
          shared
              .skips()
              .skipped(
                  raw.place(),
                  SkipReason.TOO_LARGE,
                  "its tokens fit no run; raise --memory or lower --threads");
          return false;
        }
      }
    }
  }

  /** Has the run sorted and written, if it has documents, and starts the next. */
  private void sealRun() throws IOException, InterruptedException {
    if (shared.progress().documents() > MAX_DOCUMENTS) {
      throw new BuildException(
          "the crawl has more than %,d documents, which is all that one index holds; split it"
              .formatted(MAX_DOCUMENTS));
    }
    if (runs.current().documentCount() == 0) {
      runs.current().reset();
      return;
    }
    shared.clock().produced(Work.ANALYZE, 8 * runs.current().tokenCount());
    int ofSplit = split;
    int ordinal = runOrdinal++;
    List<SealedRun> to = sealed;
    runs.seal(run -> to.add(write(run, ofSplit, ordinal)));
  }

  /** Writes a sorted run. */
  private SealedRun write(RunBuilder run, int ofSplit, int ordinal) throws IOException {
    long start = System.nanoTime();
    Path file = shared.directory().resolve("run-%06d-%03d.postings".formatted(ofSplit, ordinal));
    run.writeRun(file);
    shared.clock().lap(Work.WRITE_RUN, start);
    shared.clock().produced(Work.WRITE_RUN, Files.size(file));
    shared.progress().run();
    return new SealedRun(ofSplit, ordinal, file, run.documentCount());
  }

  /** Writes the runs that are still being sorted. */
  void finish() throws IOException, InterruptedException {
    runs.finish();
  }

  private void store(long unit, ParsedDocument document, StoredDocumentsWriter writer)
      throws IOException {
    writer.startDocument(unit);
    for (Field field : shared.schema().fields()) {
      if (field.stored()) {
        store(field.name(), document, writer);
      }
    }
    writer.finishDocument();
  }

  private static void store(String field, ParsedDocument document, StoredDocumentsWriter writer) {
    switch (field) {
      case Schema.ID -> {
        byte[] id = document.id().getBytes(StandardCharsets.UTF_8);
        writer.value(id, 0, id.length);
      }
      case Schema.TITLE ->
          writer.value(document.titleBytes(), document.titleOffset(), document.titleLength());
      case Schema.CONTENTS ->
          writer.value(
              document.contentsBytes(), document.contentsOffset(), document.contentsLength());
      default -> throw new IllegalArgumentException("documents have no field " + field);
    }
  }

  /** How the pages so far were parsed. */
  HtmlCounts htmlCounts() {
    return parser.counts();
  }

  @Override
  public void close() {
    runs.close();
  }
}
