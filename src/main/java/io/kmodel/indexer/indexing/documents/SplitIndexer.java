package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.journal.Reading;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.report.Activity;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.indexing.report.SourceCounts;
import io.kmodel.indexer.indexing.report.SplitResult;
import io.kmodel.indexer.indexing.report.StageClock;
import io.kmodel.indexer.indexing.similar.SignatureWriter;
import io.kmodel.indexer.indexing.similar.SimilarFinder;
import io.kmodel.indexer.indexing.similar.TextSignature;
import io.kmodel.indexer.parse.CharsetDamage;
import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.field.FieldText;
import io.kmodel.indexer.parse.field.MetadataPlan;
import io.kmodel.indexer.parse.field.TextPart;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns splits into runs and stored documents, in one thread: reads, parses and analyzes documents,
 * and when the run is full or the split ends, sorts it and passes it on. Used for one split after
 * the other; {@link #finish} passes on the last runs. Memory: that of its runs. Not thread-safe.
 */
final class SplitIndexer implements AutoCloseable {
  /** Documents have int numbers; the largest int is a sentinel. */
  private static final int MAX_DOCUMENTS = Integer.MAX_VALUE - 1;

  /** Fields of nothing else are not compared: they are no words, or have those of other fields. */
  private static final Set<TextPart> NOT_COMPARED =
      Set.copyOf(EnumSet.of(TextPart.URL, TextPart.RAW));

  /**
   * Shared by the threads of a build.
   *
   * @param directory for lists of skipped documents and hashes of ids
   * @param readsStrings whether a field is analyzed as a String
   * @param hashesIds whether {@link IdHashes} are written
   * @param finder compares documents later, by signatures that are written; null if none are
   */
  record Shared(
      Schema schema,
      HtmlMode html,
      int maxNesting,
      FieldPlan fields,
      MetadataPlan metadata,
      BuildOutput output,
      Path directory,
      boolean readsStrings,
      boolean hashesIds,
      @Nullable SimilarFinder finder,
      StageClock clock,
      BuildProgress progress) {}

  private final Shared shared;
  private DocumentParser parser;
  private final DocumentRuns runs;
  private final DocumentGate.ThreadGuard guard;

  /** Skipped documents of the current split. */
  private SkipLog skips = new SkipLog();

  private SourceCounts sources = new SourceCounts();

  /** Computes the signatures of the current split's documents; null if they get none. */
  private @Nullable TextSignature signature;

  /** The fields whose texts are compared. */
  private final List<String> compared;

  /** Indexes into these runs, which it closes. */
  SplitIndexer(Shared shared, DocumentRuns runs, DocumentGate.ThreadGuard guard) {
    this.shared = shared;
    this.guard = guard;
    this.parser = newParser();
    this.runs = runs;
    this.compared =
        shared.fields().parts().entrySet().stream()
            .filter(field -> !NOT_COMPARED.containsAll(field.getValue()))
            .map(Map.Entry::getKey)
            .toList();
  }

  /**
   * Indexes the documents of a split.
   *
   * @param task also says which documents of the reader to leave out
   */
  SplitResult index(SplitReading.Task task) throws IOException, InterruptedException {
    runs.clear();
    parser = newParser();
    sources = new SourceCounts();
    Path ids = shared.hashesIds() ? file(task.reading(), "ids") : null;
    Path signatures =
        shared.finder() != null && task.before() == null
            ? file(task.reading(), "signatures")
            : null;
    boolean missedBorder;
    try (SkipLog log = new SkipLog(file(task.reading(), "skipped"), shared.progress().listener());
        DocumentReader reader = task.split().open(log, guard);
        IdHashes hashes = ids == null ? null : new IdHashes(ids);
        SignatureWriter signed = signatures == null ? null : new SignatureWriter(signatures);
        SplitOutput output = shared.output().split(task.reading())) {
      skips = log;
      signature = signed == null ? null : signed.signature();
      indexAll(reader, task, new Listed(hashes, signed), output);
      sealRun(output);
      runs.shrink();
      output.finish();
      missedBorder = reader.missedBorder();
    }
    if (!missedBorder || !task.isMended()) {
      requireSame(task, ids);
    }
    SplitResult result =
        new SplitResult(ids, signatures, skips, parser.counts(), missedBorder, sources);
    shared.output().read(task.reading(), result);
    return result;
  }

  /**
   * Documents to leave out are identified by number. If the reader returned other documents than
   * before, these would be wrong, and a document could be dropped as the duplicate of one that is
   * gone.
   */
  private static void requireSame(SplitReading.Task task, @Nullable Path ids) throws IOException {
    Path before = task.before();
    if (before != null && ids != null && Files.mismatch(before, ids) >= 0) {
      throw new IOException(
          "files with duplicates returned other documents when they were read again: they have changed,"
              + " or the build was resumed with other memory, in which other documents fit; resume it"
              + " with the same --memory and --threads, or start over with --restart");
    }
  }

  private DocumentParser newParser() {
    DocumentParser made =
        new DocumentParser(shared.html(), guard, shared.fields(), shared.metadata());
    made.limitNesting(shared.maxNesting());
    made.readAsStrings(shared.readsStrings());
    return made;
  }

  private Path file(Reading reading, String kind) {
    return shared.directory().resolve(RunFiles.name(reading, kind));
  }

  /** Records all documents of a reader, in files. */
  private record Listed(@Nullable IdHashes hashes, @Nullable SignatureWriter signed) {
    /** Adds a document, whose texts were the last to be signed if it is indexed. */
    void add(RawDocument raw, boolean isIndexed, boolean isLeftOut) throws IOException {
      if (hashes != null) {
        hashes.add(isIndexed || isLeftOut ? raw.id() : null);
      }
      if (signed != null && isIndexed) {
        signed.add(raw.place());
      } else if (signed != null) {
        signed.addNone();
      }
    }
  }

  private void indexAll(
      DocumentReader reader, SplitReading.Task task, Listed listed, SplitOutput output)
      throws IOException, InterruptedException {
    long passed = 0;
    int number = 0;
    long start = System.nanoTime();
    for (RawDocument raw = reader.next(); raw != null; raw = reader.next()) {
      shared.clock().lap(Activity.READ, start);
      boolean isLeftOut = task.leftOut().get(number);
      boolean indexed = false;
      if (isLeftOut) {
        // SimilarFinder has listed near duplicates, with the documents that they are similar to.
        if (!task.similar().get(number)) {
          skips.skipped(raw.place(), SkipReason.DUPLICATE, "an earlier document has this id");
        }
        guard.release();
      } else {
        indexed = index(raw, output);
        if (indexed) {
          sources.add(reader.format(), raw.contentBytes());
        }
      }
      number++;
      listed.add(raw, indexed, isLeftOut);
      passed = progress(reader, passed);
      if (Thread.interrupted()) {
        throw new InterruptedException("indexing was stopped at " + raw.place());
      }
      start = System.nanoTime();
    }
    progress(reader, passed);
  }

  /** Reports the bytes that the reader has passed since the last call. */
  private long progress(DocumentReader reader, long before) {
    long passed = reader.passedBytes();
    shared.progress().passed(passed - before);
    return passed;
  }

  /** Indexes a document; returns whether it is in the index now. */
  private boolean index(RawDocument raw, SplitOutput output)
      throws IOException, InterruptedException {
    boolean indexed = false;
    try {
      long start = System.nanoTime();
      ParsedDocument document = parser.parse(raw);
      shared.clock().produced(Activity.READ, raw.contentBytes());
      shared.clock().produced(Activity.PARSE, document.textLength());
      shared.clock().lap(Activity.PARSE, start);
      indexed = addToRun(raw, document, output);
      if (indexed) {
        note(raw, document);
        sign(document);
        shared.clock().time(Activity.STORE, () -> store(raw.unit(), document, output));
        shared.progress().document(raw.contentBytes());
      }
    } catch (MalformedDocumentException e) {
      skips.skipped(raw.place(), e.reason(), String.valueOf(e.getMessage()));
    } finally {
      parser.dropLargeBuffers(raw.length());
      guard.release();
    }
    return indexed;
  }

  /** Computes the signature of a document's texts. */
  private void sign(ParsedDocument document) {
    TextSignature computed = signature;
    if (computed != null) {
      long start = System.nanoTime();
      computed.start();
      for (String field : compared) {
        FieldText text = document.text(field);
        computed.add(text.bytes(), text.offset(), text.length());
      }
      shared.clock().lap(Activity.ANALYZE, start);
    }
  }

  /** Notes what is unusual about the last document. */
  private void note(RawDocument raw, ParsedDocument document) {
    if (parser.cameToNestingLimit()) {
      skips.skipped(
          raw.place(),
          SkipReason.NESTED,
          "at most %d elements are open at a time".formatted(shared.maxNesting()));
    }
    String undecodable = parser.undecodable();
    if (undecodable != null) {
      String damage = CharsetDamage.advice(raw, document);
      if (damage == null) {
        skips.skipped(raw.place(), SkipReason.UNDECODABLE, undecodable);
      } else {
        skips.skipped(
            raw.place(), SkipReason.DAMAGED_CHARSET, "%s; %s".formatted(undecodable, damage));
      }
    }
    parser.unreadValues().forEach(value -> skips.unread(raw.place(), value));
  }

  /** Adds a document to the run. If it does not fit, the run is completed first. */
  private boolean addToRun(RawDocument raw, ParsedDocument document, SplitOutput output)
      throws IOException, MalformedDocumentException, InterruptedException {
    if (runs.hasGrown()) {
      // The run has grown for the previous document, which was added or not.
      sealRun(output);
      runs.shrink();
    }
    while (true) {
      switch (shared.clock().timed(Activity.ANALYZE, () -> runs.add(document))) {
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
              "too many tokens for one run; " + guard.adviceForRun(runs.neededBytes()));
          return false;
        }
      }
    }
  }

  /** Sorts the run and passes it on, if it has documents, and starts the next one. */
  private void sealRun(SplitOutput output) throws IOException, InterruptedException {
    if (shared.progress().documents() > MAX_DOCUMENTS) {
      throw new BuildException(
          "the crawl has more than %,d documents, which is all that one index holds; split it"
              .formatted(MAX_DOCUMENTS));
    }
    SimilarFinder finder = shared.finder();
    if (finder != null) {
      finder.require(shared.progress().documents());
    }
    if (runs.documentCount() == 0) {
      runs.clear();
      return;
    }
    runs.seal(output);
    shared.progress().run();
  }

  /** Passes on the runs that are still being sorted. */
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
    if (!shared.schema().columns().isEmpty()) {
      output.values(document.values());
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
