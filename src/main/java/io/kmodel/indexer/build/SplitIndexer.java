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
import io.kmodel.indexer.sort.KeySorter;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.Split;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thread's way from a split to its runs and stored documents: read, parse, analyze, and when
 * the run is full or the split ends, sort and write. Its memory is its run's; it is used for one
 * split after the other. Not thread-safe.
 */
final class SplitIndexer implements AutoCloseable {
  /** Documents are numbered by ints; the last number is a sentinel. */
  private static final int MAX_DOCUMENTS = Integer.MAX_VALUE - 1;

  private static final BitSet NO_DOCUMENTS = new BitSet();

  /** What the threads of a build share. */
  record Shared(
      Schema schema,
      HtmlMode html,
      Path directory,
      KeySorter sorter,
      boolean hashesIds,
      StageClock clock,
      BuildProgress progress) {}

  /**
   * What came of a split.
   *
   * @param documents file of the stored documents
   * @param ids file of {@link IdHashes}
   * @param missedBorder whether this and the next split do not fit together
   * @param documentCount documents that were indexed, of {@code sourceBytes} bytes
   */
  record Result(
      List<SealedRun> runs,
      @Nullable Path documents,
      @Nullable Path ids,
      SkipLog skips,
      HtmlCounts html,
      boolean missedBorder,
      long documentCount,
      long sourceBytes) {
    /** Of a split that was not read. */
    static Result nothing() {
      return new Result(List.of(), null, null, new SkipLog(), new HtmlCounts(), false, 0, 0);
    }

    /** Deletes the files. */
    void delete() throws IOException {
      for (SealedRun run : runs) {
        Files.delete(run.file());
      }
      if (documents != null) {
        Files.delete(documents);
      }
      if (ids != null) {
        Files.delete(ids);
      }
    }
  }

  private final Shared shared;
  private DocumentParser parser;
  private final DocumentAnalysis analysis;
  private final RunBuilder run;
  private final boolean stores;
  private final DocumentGate.Lane lane;

  /** Runs of the split at hand. */
  private final List<SealedRun> sealed = new ArrayList<>();

  private int split;
  private SkipLog skips = new SkipLog();
  private long documentCount;
  private long sourceBytes;

  SplitIndexer(Shared shared, DocumentAnalysis analysis, DocumentGate.Lane lane, long runBytes) {
    this.shared = shared;
    this.analysis = analysis;
    this.lane = lane;
    this.parser = new DocumentParser(shared.html(), lane);
    this.run = new RunBuilder(shared.schema(), runBytes);
    this.stores = shared.schema().fields().stream().anyMatch(Field::stored);
  }

  /** Indexes every document of a split. */
  Result index(Split from) throws IOException, InterruptedException {
    return index(from, NO_DOCUMENTS);
  }

  /**
   * Indexes the documents of a split.
   *
   * @param duplicates which of those that the reader gives to leave out
   */
  Result index(Split from, BitSet duplicates) throws IOException, InterruptedException {
    split = from.ordinal();
    sealed.clear();
    run.reset();
    parser = new DocumentParser(shared.html(), lane);
    documentCount = 0;
    sourceBytes = 0;
    Path documents = stores ? file("documents") : null;
    Path ids = shared.hashesIds() ? file("ids") : null;
    boolean missedBorder;
    try (SkipLog log = new SkipLog(file("skipped"));
        DocumentReader reader = from.open(log, lane);
        StoredDocumentsWriter writer =
            documents == null ? null : new StoredDocumentsWriter(documents, shared.schema());
        IdHashes hashes = ids == null ? null : new IdHashes(ids)) {
      skips = log;
      indexAll(reader, writer, hashes, duplicates);
      sealRun();
      missedBorder = reader.missedBorder();
      if (writer != null && documents != null) {
        long start = System.nanoTime();
        writer.commit();
        shared.clock().lap(Work.STORE, start);
        shared.clock().produced(Work.STORE, Files.size(documents));
      }
    }
    return new Result(
        List.copyOf(sealed),
        documents,
        ids,
        skips,
        parser.counts(),
        missedBorder,
        documentCount,
        sourceBytes);
  }

  private Path file(String kind) {
    return shared.directory().resolve("split-%06d.%s".formatted(split, kind));
  }

  private void indexAll(
      DocumentReader reader,
      @Nullable StoredDocumentsWriter writer,
      @Nullable IdHashes hashes,
      BitSet duplicates)
      throws IOException, InterruptedException {
    long passed = 0;
    int number = 0;
    long start = System.nanoTime();
    for (RawDocument raw = reader.next(); raw != null; raw = reader.next()) {
      shared.clock().lap(Work.READ, start);
      boolean indexed = false;
      if (duplicates.get(number++)) {
        skips.skipped(raw.origin(), SkipReason.DUPLICATE, "an earlier document has this id");
        lane.release();
      } else {
        indexed = index(raw, writer);
      }
      if (hashes != null) {
        record(raw, indexed, hashes);
      }
      passed = progress(reader, passed);
      if (Thread.interrupted()) {
        throw new InterruptedException("indexing of split " + split + " was stopped");
      }
      start = System.nanoTime();
    }
    progress(reader, passed);
  }

  private static void record(RawDocument raw, boolean indexed, IdHashes hashes) throws IOException {
    if (indexed) {
      hashes.indexed(raw.id());
    } else {
      hashes.leftOut();
    }
  }

  /** Reports what the reader has passed since the last time. */
  private long progress(DocumentReader reader, long before) {
    long passed = reader.passedBytes();
    shared.progress().passed(passed - before);
    return passed;
  }

  /** Whether the document is in the index now. */
  private boolean index(RawDocument raw, @Nullable StoredDocumentsWriter writer)
      throws IOException, InterruptedException {
    boolean indexed = false;
    try {
      long start = System.nanoTime();
      ParsedDocument document = parser.parse(raw);
      shared.clock().produced(Work.READ, raw.length());
      shared
          .clock()
          .produced(Work.PARSE, document.titleLength() + (long) document.contentsLength());
      shared.clock().lap(Work.PARSE, start);
      indexed = addToRun(raw, document);
      if (indexed) {
        if (writer != null) {
          start = System.nanoTime();
          store(raw.unit(), document, writer);
          shared.clock().lap(Work.STORE, start);
        }
        shared.progress().document(raw.length());
        documentCount++;
        sourceBytes += raw.length();
      }
    } catch (MalformedDocumentException e) {
      skips.skipped(raw.origin(), SkipReason.UNPARSABLE, String.valueOf(e.getMessage()));
    } finally {
      parser.dropLargeBuffers(raw.length());
      lane.release();
    }
    return indexed;
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
          skips.skipped(
              raw.origin(),
              SkipReason.TOO_LARGE,
              "its tokens fit no run; raise --memory or lower --threads");
          return false;
        }
      }
    }
  }

  /** Sorts and writes the run, if it has documents, and starts the next. */
  private void sealRun() throws IOException {
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

  @Override
  public void close() {
    run.close();
  }
}
