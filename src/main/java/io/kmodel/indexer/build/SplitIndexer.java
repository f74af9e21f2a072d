package io.kmodel.indexer.build;

import io.kmodel.indexer.build.StageClock.Work;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.index.StoredDocumentsWriter;
import io.kmodel.indexer.parse.DocumentAnalysis;
import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.run.RunBuilder;
import io.kmodel.indexer.sort.KeySorter;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.Split;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thread's way from a split to its runs and stored documents: read, parse, analyze, and when
 * the run is full or the split ends, sort and write. Its memory is its run's; it is used for one
 * split after the other. Not thread-safe.
 */
final class SplitIndexer implements AutoCloseable {
  /** What the threads of a build share. */
  record Shared(
      Schema schema,
      Path directory,
      KeySorter sorter,
      DocumentGate gate,
      SkipLog skips,
      StageClock clock,
      BuildProgress progress) {}

  /** What came of a split. */
  record Result(List<SealedRun> runs, @Nullable Path documents) {}

  private final Shared shared;
  private final DocumentParser parser;
  private final DocumentAnalysis analysis;
  private final RunBuilder run;
  private final boolean stores;
  private final String[] storedTexts;

  /** Runs of the split at hand. */
  private final List<SealedRun> sealed = new ArrayList<>();

  private int split;

  SplitIndexer(Shared shared, DocumentParser parser, DocumentAnalysis analysis, long runBytes) {
    this.shared = shared;
    this.parser = parser;
    this.analysis = analysis;
    this.run = new RunBuilder(shared.schema(), runBytes);
    int stored = (int) shared.schema().fields().stream().filter(f -> f.stored()).count();
    this.stores = stored > 0;
    this.storedTexts = new String[stored];
  }

  /** Indexes every document of a split. */
  Result index(Split from) throws IOException, InterruptedException {
    split = from.ordinal();
    sealed.clear();
    run.reset();
    Path documents =
        stores ? shared.directory().resolve("split-%06d.documents".formatted(split)) : null;
    try (DocumentReader reader = from.open(shared.skips());
        StoredDocumentsWriter writer =
            documents == null ? null : new StoredDocumentsWriter(documents, shared.schema())) {
      long start = System.nanoTime();
      for (RawDocument raw = reader.next(); raw != null; raw = reader.next()) {
        shared.clock().lap(Work.READ, start);
        index(raw, writer);
        if (Thread.interrupted()) {
          throw new InterruptedException("indexing of split " + split + " was stopped");
        }
        start = System.nanoTime();
      }
      sealRun();
      if (writer != null && documents != null) {
        start = System.nanoTime();
        writer.commit();
        shared.clock().lap(Work.STORE, start);
        shared.clock().produced(Work.STORE, Files.size(documents));
      }
    }
    return new Result(List.copyOf(sealed), documents);
  }

  private void index(RawDocument raw, @Nullable StoredDocumentsWriter writer)
      throws IOException, InterruptedException {
    if (raw.length() > shared.gate().maxBytes(raw.type())) {
      shared
          .skips()
          .skipped(
              raw.place(),
              SkipReason.TOO_LARGE,
              "%d bytes of %s, at most %d fit the heap; raise --memory"
                  .formatted(raw.length(), raw.type(), shared.gate().maxBytes(raw.type())));
      return;
    }
    int entered = shared.gate().enter(raw.type(), raw.length());
    try {
      long start = System.nanoTime();
      ParsedDocument document = parser.parse(raw);
      shared.clock().produced(Work.READ, raw.length());
      shared
          .clock()
          .produced(Work.PARSE, document.title().length() + (long) document.contents().length());
      shared.clock().lap(Work.PARSE, start);
      if (addToRun(raw, document) && writer != null) {
        start = System.nanoTime();
        writer.add(raw.unit(), storedTexts(document));
        shared.clock().lap(Work.STORE, start);
      }
      shared.progress().document(raw.length());
    } catch (MalformedDocumentException e) {
      shared.skips().skipped(raw.place(), SkipReason.UNPARSABLE, String.valueOf(e.getMessage()));
    } finally {
      shared.gate().leave(entered);
    }
  }

  /** Adds a document to the run, sealing the run first where the document does not fit. */
  private boolean addToRun(RawDocument raw, ParsedDocument document)
      throws IOException, MalformedDocumentException {
    while (true) {
      long start = System.nanoTime();
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
          shared
              .skips()
              .skipped(
                  raw.place(),
                  SkipReason.TOO_LARGE,
                  "its tokens fit no run of this memory budget; raise --memory");
          return false;
        }
      }
    }
  }

  /** Sorts and writes the run, if it has documents, and starts the next. */
  private void sealRun() throws IOException {
    if (run.documentCount() > 0) {
      long start = System.nanoTime();
      run.sort(shared.sorter());
      run.checkOrder();
      shared.clock().produced(Work.SORT, 8 * run.tokenCount());
      start = shared.clock().lap(Work.SORT, start);
      Path file =
          shared.directory().resolve("run-%06d-%03d.postings".formatted(split, sealed.size()));
      run.writeRun(file);
      shared.clock().lap(Work.WRITE_RUN, start);
      shared.clock().produced(Work.WRITE_RUN, Files.size(file));
      sealed.add(new SealedRun(split, sealed.size(), file, run.documentCount()));
      shared.progress().run();
    }
    run.reset();
  }

  /** The texts of the stored fields, in order of their ordinals. */
  private String[] storedTexts(ParsedDocument document) {
    int next = 0;
    for (int field = 0; field < shared.schema().size(); field++) {
      if (shared.schema().field(field).stored()) {
        storedTexts[next++] = text(document, shared.schema().field(field).name());
      }
    }
    return storedTexts;
  }

  private static String text(ParsedDocument document, String field) {
    return switch (field) {
      case Schema.ID -> document.id();
      case Schema.TITLE -> document.title();
      case Schema.CONTENTS -> document.contents();
      default -> throw new IllegalArgumentException("documents have no field " + field);
    };
  }

  @Override
  public void close() {
    run.close();
  }
}
