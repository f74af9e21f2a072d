package io.kmodel.indexer.build;

import io.kmodel.indexer.build.StageClock.Work;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.parse.DocumentAnalysis;
import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.HtmlCounts;
import io.kmodel.indexer.parse.HtmlMode;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.run.RunBuilder;
import io.kmodel.indexer.sort.KeySorter;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.Split;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * One thread's way from a split to its runs and stored documents: read, parse, analyze, and when
 * the run is full or the split ends, sort it and hand it on. Its memory is its run's; it is used
 * for one split after the other. Not thread-safe.
 */
final class SplitIndexer implements AutoCloseable {
  /** Documents are numbered by ints; the last number is a sentinel. */
  private static final int MAX_DOCUMENTS = Integer.MAX_VALUE - 1;

  /** What the threads of a build share. */
  record Shared(
      Schema schema,
      HtmlMode html,
      BuildOutput output,
      KeySorter sorter,
      SkipLog skips,
      StageClock clock,
      BuildProgress progress) {}

  private final Shared shared;
  private final DocumentParser parser;
  private final DocumentAnalysis analysis;
  private final RunBuilder run;
  private final DocumentGate.Lane lane;

  SplitIndexer(Shared shared, DocumentAnalysis analysis, DocumentGate.Lane lane, long runBytes) {
    this.shared = shared;
    this.analysis = analysis;
    this.lane = lane;
    this.parser = new DocumentParser(shared.html(), lane);
    this.run = new RunBuilder(shared.schema(), runBytes);
  }

  /** Indexes every document of a split. */
  void index(Split from) throws IOException, InterruptedException {
    run.reset();
    try (DocumentReader reader = from.open(shared.skips(), lane);
        SplitOutput output = shared.output().split(from.ordinal())) {
      long passed = 0;
      long start = System.nanoTime();
      for (RawDocument raw = reader.next(); raw != null; raw = reader.next()) {
        shared.clock().lap(Work.READ, start);
        index(raw, output);
        passed = progress(reader, passed);
        if (Thread.interrupted()) {
          throw new InterruptedException("indexing of split " + from.ordinal() + " was stopped");
        }
        start = System.nanoTime();
      }
      progress(reader, passed);
      sealRun(output);
      output.finish();
    }
  }

  /** Reports what the reader has passed since the last time. */
  private long progress(DocumentReader reader, long before) {
    long passed = reader.passedBytes();
    shared.progress().passed(passed - before);
    return passed;
  }

  private void index(RawDocument raw, SplitOutput output) throws IOException, InterruptedException {
    try {
      long start = System.nanoTime();
      ParsedDocument document = parser.parse(raw);
      shared.clock().produced(Work.READ, raw.length());
      shared
          .clock()
          .produced(Work.PARSE, document.titleLength() + (long) document.contentsLength());
      shared.clock().lap(Work.PARSE, start);
      if (addToRun(raw, document, output)) {
        start = System.nanoTime();
        store(raw.unit(), document, output);
        shared.clock().lap(Work.STORE, start);
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
  private boolean addToRun(RawDocument raw, ParsedDocument document, SplitOutput output)
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
        case AGAIN -> sealRun(output);
        case TOO_LARGE -> {
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

  /** Sorts the run and hands it on, if it has documents, and starts the next. */
  private void sealRun(SplitOutput output) throws IOException {
    if (shared.progress().documents() > MAX_DOCUMENTS) {
      throw new BuildException(
          "the crawl has more than %,d documents, which is all that one index holds; split it"
              .formatted(MAX_DOCUMENTS));
    }
    if (run.documentCount() > 0) {
      long start = System.nanoTime();
      run.sort(shared.sorter());
      run.checkOrder();
      shared.clock().produced(Work.ANALYZE, 8 * run.tokenCount());
      shared.clock().produced(Work.SORT, 8 * run.tokenCount());
      shared.clock().lap(Work.SORT, start);
      output.run(run);
      shared.progress().run();
    }
    run.reset();
  }

  private void store(long unit, ParsedDocument document, SplitOutput output) throws IOException {
    output.startDocument(unit);
    for (int field = 0; field < shared.schema().size(); field++) {
      if (shared.schema().field(field).stored()) {
        store(field, document, output);
      }
    }
    output.finishDocument();
  }

  private void store(int field, ParsedDocument document, SplitOutput output) throws IOException {
    switch (shared.schema().field(field).name()) {
      case Schema.ID -> {
        byte[] id = document.id().getBytes(StandardCharsets.UTF_8);
        output.value(field, id, 0, id.length);
      }
      case Schema.TITLE ->
          output.value(
              field, document.titleBytes(), document.titleOffset(), document.titleLength());
      case Schema.CONTENTS ->
          output.value(
              field,
              document.contentsBytes(),
              document.contentsOffset(),
              document.contentsLength());
      default ->
          throw new IllegalArgumentException(
              "documents have no field " + shared.schema().field(field).name());
    }
  }

  /** How the pages so far were parsed. */
  HtmlCounts htmlCounts() {
    return parser.counts();
  }

  @Override
  public void close() {
    run.close();
  }
}
