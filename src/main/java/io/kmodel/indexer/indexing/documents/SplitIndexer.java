package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.analysis.DocumentAnalysis;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.journal.Reading;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.report.Activity;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.indexing.report.SourceCounts;
import io.kmodel.indexer.indexing.report.SplitResult;
import io.kmodel.indexer.indexing.report.StageClock;
import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.field.FieldText;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.run.Outcome;
import io.kmodel.indexer.run.RunBuilder;
import io.kmodel.indexer.sort.SortStage;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * One thread's way from a split to its runs and stored documents: read, parse, analyze, and when
 * the run is full or the split ends, have it sorted and hand it on. Its memory is its runs'; it is
 * used for one split after the other, and {@link #finish} hands on the last runs. Not thread-safe.
 */
final class SplitIndexer implements AutoCloseable {
  /** Documents are numbered by ints; the last number is a sentinel. */
  private static final int MAX_DOCUMENTS = Integer.MAX_VALUE - 1;

  /**
   * What the threads of a build share.
   *
   * @param directory for lists of what is skipped, and of ids
   * @param hashesIds whether {@link IdHashes} are written
   */
  record Shared(
      Schema schema,
      HtmlMode html,
      int maxNesting,
      FieldPlan fields,
      BuildOutput output,
      SortStage sorters,
      int buffers,
      Path directory,
      boolean hashesIds,
      StageClock clock,
      BuildProgress progress) {}

  private final Shared shared;
  private DocumentParser parser;
  private final DocumentAnalysis analysis;
  private final boolean offsets;
  private final RunBuffers runs;
  private final DocumentGate.ThreadGuard guard;

  /** Of the split at hand. */
  private SkipLog skips = new SkipLog();

  private SourceCounts sources = new SourceCounts();

  SplitIndexer(
      Shared shared, DocumentAnalysis analysis, DocumentGate.ThreadGuard guard, long runBytes) {
    this.shared = shared;
    this.analysis = analysis;
    this.offsets = shared.schema().hasOffsets();
    this.guard = guard;
    this.parser = newParser();
    this.runs =
        new RunBuffers(
            shared.schema(), runBytes, shared.buffers(), shared.sorters(), shared.clock());
  }

  /**
   * Indexes the documents of a split.
   *
   * @param task says which of those that the reader gives to leave out, too
   */
  SplitResult index(SplitReading.Task task) throws IOException, InterruptedException {
    runs.current().reset();
    parser = newParser();
    sources = new SourceCounts();
    Path ids = shared.hashesIds() ? file(task.reading(), "ids") : null;
    boolean missedBorder;
    try (SkipLog log = new SkipLog(file(task.reading(), "skipped"), shared.progress().listener());
        DocumentReader reader = task.split().open(log, guard);
        IdHashes hashes = ids == null ? null : new IdHashes(ids);
        SplitOutput output = shared.output().split(task.reading())) {
      skips = log;
      indexAll(reader, task.leftOut(), hashes, output);
      sealRun(output);
      runs.shrink();
      output.finish();
      missedBorder = reader.missedBorder();
    }
    if (!missedBorder || !task.isMended()) {
      requireSame(task, ids);
    }
    SplitResult result = new SplitResult(ids, skips, parser.counts(), missedBorder, sources);
    shared.output().read(task.reading(), result);
    return result;
  }

  /**
   * Numbers say which documents to leave out: where the reader gave others than before, these would
   * be the wrong ones, and a duplicate might be of a document that is gone.
   */
  private static void requireSame(SplitReading.Task task, @Nullable Path ids) throws IOException {
    Path before = task.before();
    if (before != null && ids != null && Files.mismatch(before, ids) >= 0) {
      throw new IOException(
          "files with duplicates gave other documents when they were read again to leave these out:"
              + " they have changed, or the build goes on with other memory than it began with, in"
              + " which other documents fit; go on with the same --memory and --threads, or"
              + " --restart");
    }
  }

  private DocumentParser newParser() {
    DocumentParser made = new DocumentParser(shared.html(), guard, shared.fields());
    made.limitNesting(shared.maxNesting());
    return made;
  }

  private Path file(Reading reading, String kind) {
    return shared.directory().resolve(RunFiles.name(reading, kind));
  }

  private void indexAll(
      DocumentReader reader, BitSet duplicates, @Nullable IdHashes hashes, SplitOutput output)
      throws IOException, InterruptedException {
    long passed = 0;
    int number = 0;
    long start = System.nanoTime();
    for (RawDocument raw = reader.next(); raw != null; raw = reader.next()) {
      shared.clock().lap(Activity.READ, start);
      boolean duplicate = duplicates.get(number++);
      boolean indexed = false;
      if (duplicate) {
        skips.skipped(raw.place(), SkipReason.DUPLICATE, "an earlier document has this id");
        guard.release();
      } else {
        indexed = index(raw, output);
        if (indexed) {
          sources.add(reader.format(), raw.length());
        }
      }
      if (hashes != null) {
        hashes.add(duplicate || indexed ? raw.id() : null);
      }
      passed = progress(reader, passed);
      if (Thread.interrupted()) {
        throw new InterruptedException("indexing was stopped at " + raw.place());
      }
      start = System.nanoTime();
    }
    progress(reader, passed);
  }

  /** Reports what the reader has passed since the last time. */
  private long progress(DocumentReader reader, long before) {
    long passed = reader.passedBytes();
    shared.progress().passed(passed - before);
    return passed;
  }

  /** Whether the document is in the index now. */
  private boolean index(RawDocument raw, SplitOutput output)
      throws IOException, InterruptedException {
    boolean indexed = false;
    try {
      long start = System.nanoTime();
      ParsedDocument document = parser.parse(raw);
      shared.clock().produced(Activity.READ, raw.length());
      shared.clock().produced(Activity.PARSE, document.textLength());
      shared.clock().lap(Activity.PARSE, start);
      indexed = addToRun(raw, document, output);
      if (indexed) {
        note(raw);
        start = System.nanoTime();
        store(raw.unit(), document, output);
        shared.clock().lap(Activity.STORE, start);
        shared.progress().document(raw.length());
      }
    } catch (MalformedDocumentException e) {
      skips.skipped(raw.place(), e.reason(), String.valueOf(e.getMessage()));
    } finally {
      parser.dropLargeBuffers(raw.length());
      guard.release();
    }
    return indexed;
  }

  /** Notes what is odd about the document that was added last. */
  private void note(RawDocument raw) {
    if (parser.cameToNestingLimit()) {
      skips.skipped(
          raw.place(),
          SkipReason.NESTED,
          "at most %d elements are open at a time".formatted(shared.maxNesting()));
    }
    String undecodable = parser.undecodable();
    if (undecodable != null) {
      skips.skipped(raw.place(), SkipReason.UNDECODABLE, undecodable);
    }
  }

  /** Adds a document to the run, sealing the run first where the document does not fit. */
  private boolean addToRun(RawDocument raw, ParsedDocument document, SplitOutput output)
      throws IOException, MalformedDocumentException, InterruptedException {
    if (runs.hasGrown()) {
      // That was for the document before, whatever came of it.
      sealRun(output);
      runs.shrink();
    }
    while (true) {
      long start = System.nanoTime();
      RunBuilder run = runs.current();
      run.startDocument();
      try {
        if (offsets) {
          analysis.analyzeWithOffsets(document, shared.schema(), run::add);
        } else {
          analysis.analyze(document, shared.schema(), run::add);
        }
      } catch (MalformedDocumentException | RuntimeException e) {
        run.abandonDocument();
        throw e;
      }
      Outcome outcome = run.finishDocument();
      shared.clock().lap(Activity.ANALYZE, start);
      switch (outcome) {
        case ADDED -> {
          return true;
        }
        case RUN_FULL -> sealRun(output);
        case TOO_LARGE -> {
          if (runs.grow()) {
            continue;
          }
          skips.skipped(
              raw.place(),
              SkipReason.TOO_LARGE,
              "its tokens fit no run; raise --memory or lower --threads");
          return false;
        }
      }
    }
  }

  /** Has the run sorted and handed on, if it has documents, and starts the next. */
  private void sealRun(SplitOutput output) throws IOException, InterruptedException {
    if (shared.progress().documents() > MAX_DOCUMENTS) {
      throw new BuildException(
          "the crawl has more than %,d documents, which is all that one index holds; split it"
              .formatted(MAX_DOCUMENTS));
    }
    RunBuilder run = runs.current();
    if (run.documentCount() == 0) {
      run.reset();
      return;
    }
    shared.clock().produced(Activity.ANALYZE, 8 * run.tokenCount());
    runs.seal(output);
    shared.progress().run();
  }

  /** Hands on the runs that are still being sorted. */
  void finish() throws IOException, InterruptedException {
    runs.finish();
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
    String name = shared.schema().field(field).name();
    if (name.equals(Schema.ID)) {
      byte[] id = document.id().getBytes(StandardCharsets.UTF_8);
      output.value(field, id, 0, id.length);
    } else {
      FieldText text = document.text(name);
      output.value(field, text.bytes(), text.offset(), text.length());
    }
  }

  @Override
  public void close() throws IOException {
    runs.close();
  }
}
