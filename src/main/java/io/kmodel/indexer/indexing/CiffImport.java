package io.kmodel.indexer.indexing;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.export.ciff.CiffHeader;
import io.kmodel.indexer.export.ciff.CiffReader;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.PostingsPart;
import io.kmodel.indexer.index.columns.ColumnPartWriter;
import io.kmodel.indexer.index.documents.StoredDocumentsWriter;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.ColumnValues;
import io.kmodel.indexer.index.model.DeclaredStatistics;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.index.model.ForwardingConsumer;
import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.index.model.PostingsConsumer;
import io.kmodel.indexer.index.model.PostingsCopier;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.journal.OutputPlace;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.merge.OpenRuns;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.merge.MergingCursor;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.store.disk.StagedOutput.Replaceable;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.util.SparseFixedBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Builds an index of a CIFF file of another engine, in one pass over it: the postings lists become
 * the field {@value Schema#CONTENTS}, with frequencies and without positions; the names of
 * documents become the stored field {@value Schema#ID}, inverted by sorting as in every build;
 * lengths are kept. In our index a document without postings has length 0, and one with postings at
 * least 1; the result counts the lengths that were changed for that.
 *
 * <p>If the file has the lists of some terms or documents only, the index keeps what the header
 * says of all, and the lengths that were changed: see {@link DeclaredStatistics}.
 *
 * <p>Memory: a run of {@value #RUN_BYTES} bytes off the heap, buffers, and a bit per document. The
 * index appears under its name when it is complete; after a failure nothing is left.
 */
public final class CiffImport {
  /** Size of a run of names. */
  private static final long RUN_BYTES = 64 << 20;

  private static final long MERGE_BYTES = 16 << 20;

  /** Lists and documents between two reports of progress. */
  private static final int REPORT_EVERY = 1 << 12;

  /** Documents whose lengths are appended at a time. */
  private static final int PIECE = 4096;

  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field(Schema.CONTENTS, Detail.FREQUENCIES, true, false),
              new Field(Schema.ID, Detail.DOCUMENTS, false, true)));

  /** For lengths that the index cannot have. */
  private static final ImmutableList<Column> LENGTHS =
      ImmutableList.of(new Column(DeclaredStatistics.LENGTHS, ColumnType.INT));

  private static final int CONTENTS = SCHEMA.ordinal(Schema.CONTENTS);

  /**
   * What to import.
   *
   * @param analyzer our analyzer that is closest to the other engine's; queries are analyzed by it
   * @param overwrite whether an existing index may be replaced
   */
  public record Options(Path file, Path output, AnalysisDefinition analyzer, boolean overwrite) {}

  /**
   * What was imported.
   *
   * @param header as the file has it
   * @param totalFrequency sum of all frequencies
   * @param totalLength sum of all lengths in the file
   * @param withoutPostings documents with a length in the file, but no postings: their length is 0
   *     here; not of a file with some lists, whose lengths are kept
   * @param withoutLength documents with postings whose length is 0 in the file: it is 1 here
   * @param declared what the header of a file with some lists says of all; null for others
   */
  public record Result(
      CiffHeader header,
      long postings,
      long totalFrequency,
      long totalLength,
      long withoutPostings,
      long withoutLength,
      @Nullable DeclaredStatistics declared) {}

  private final Options options;
  private final ProgressListener progress;

  /** The documents that have postings. It grows as they come, because the header may claim many. */
  private SparseFixedBitSet present = new SparseFixedBitSet(1);

  /** What the header of a file with some lists says of all; null for others. */
  private @Nullable DeclaredStatistics declared;

  private final int[] lengths = new int[PIECE];
  private int pending;
  private long withoutPostings;
  private long withoutLength;
  private long done;
  private long work;

  /**
   * Prepares an import.
   *
   * @param progress gets the number of postings lists and documents
   * @throws IllegalArgumentException if the analyzer cannot be created
   */
  public CiffImport(Options options, ProgressListener progress) {
    this.options = options;
    this.progress = progress;
    if (options.analyzer().isByLanguage()) {
      throw new IllegalArgumentException(
          "a CIFF file does not say in which languages its documents are; choose another analyzer than '%s'"
              .formatted(options.analyzer()));
    }
    options.analyzer().newAnalyzer().close();
  }

  /**
   * Imports the file.
   *
   * @throws io.kmodel.indexer.export.ciff.MalformedCiffException if it violates the CIFF format
   * @throws FormatLimitException if it has more documents than an index can hold
   * @throws BuildException if the output cannot be written
   */
  public Result run() throws IOException, InterruptedException {
    @Nullable Replaceable replaceable = options.overwrite() ? Target.ownIndex()::isIndex : null;
    OutputPlace.requireApart(List.of(options.file()), options.output(), replaceable);
    try (CiffReader reader = CiffReader.open(options.file());
        WorkDirectory directory = WorkDirectory.create(options.output(), replaceable)) {
      requireDocuments(reader.header());
      declared = declared(reader.header());
      present = new SparseFixedBitSet(Math.max(1, reader.header().documents()));
      work = (long) reader.header().postingsLists() + reader.header().documents();
      try (InvertedIndexWriter index = new InvertedIndexWriter(directory.index(), schema())) {
        copyLists(reader, index);
        copyDocuments(reader, index, directory);
        index.finish(reader.header().documents(), contentOptions());
      }
      directory.publish();
      progress.progress(work, work);
      return new Result(
          reader.header(),
          reader.postings(),
          reader.totalFrequency(),
          reader.totalLength(),
          withoutPostings,
          withoutLength,
          declared);
    }
  }

  /** What the header says of all terms and documents, if the file has some of them only. */
  private static @Nullable DeclaredStatistics declared(CiffHeader header) {
    boolean isWhole =
        header.totalPostingsLists() == header.postingsLists()
            && header.totalDocuments() == header.documents();
    double average =
        header.averageLength() > 0
            ? header.averageLength()
            : (double) header.totalTerms() / Math.max(1, header.totalDocuments());
    return isWhole || header.totalDocuments() == 0 || !(average > 0) || average > Integer.MAX_VALUE
        ? null
        : new DeclaredStatistics(
            header.totalDocuments(), header.totalTerms(), header.totalPostingsLists(), average);
  }

  private Schema schema() {
    return declared == null ? SCHEMA : SCHEMA.withColumns(LENGTHS);
  }

  private void requireDocuments(CiffHeader header) {
    if (header.documents() == Integer.MAX_VALUE) {
      throw new FormatLimitException(
          "%s has %d documents; an index holds one less"
              .formatted(options.file(), header.documents()));
    }
  }

  private Map<String, String> contentOptions() {
    Map<String, String> content = new TreeMap<>();
    IndexAnalysis.of(options.analyzer()).addTo(content);
    content.put("positions", "false");
    content.put("store", "id");
    content.put("source", "ciff");
    content.put(IndexMetadata.LENGTHS_OPTION, IndexMetadata.GIVEN_LENGTHS);
    if (declared != null) {
      declared.addTo(content);
    }
    return content;
  }

  private void copyLists(CiffReader reader, InvertedIndexWriter index) throws IOException {
    try (PostingsPart part = index.newPart();
        PostingsCursor lists = reader.lists(CONTENTS)) {
      new PostingsCopier().copy(lists, new Noting(part));
      index.append(part);
    }
  }

  private void copyDocuments(CiffReader reader, InvertedIndexWriter index, WorkDirectory directory)
      throws IOException, InterruptedException {
    Path stored = directory.runs().resolve("names.documents");
    Path given = directory.runs().resolve("lengths.columns");
    ColumnValues values = new ColumnValues(LENGTHS);
    try (NameRuns names = new NameRuns(options.file(), SCHEMA, directory.runs(), RUN_BYTES)) {
      try (StoredDocumentsWriter documents = new StoredDocumentsWriter(stored, SCHEMA);
          ColumnPartWriter columns = declared == null ? null : new ColumnPartWriter(given)) {
        for (int docId = 0; reader.nextDocument(); docId++) {
          byte[] name = reader.documentName();
          names.add(name);
          documents.startDocument(0);
          documents.value(name, 0, name.length);
          documents.finishDocument();
          int length = length(docId, reader.documentLength());
          if (columns != null) {
            values.clear();
            if (length != reader.documentLength()) {
              values.set(0, reader.documentLength());
            }
            columns.add(values);
          }
          addLength(length, index);
          advance();
        }
        documents.commit();
        if (columns != null) {
          columns.commit();
        }
      }
      if (declared != null) {
        index.appendColumns(given);
      }
      flushLengths(index);
      index.appendDocuments(stored);
      appendNames(names.seal(), index);
    }
  }

  /** Merges the names; their field comes after the contents. */
  private static void appendNames(List<Path> runs, InvertedIndexWriter index)
      throws IOException, InterruptedException {
    try (Workers workers = Workers.givingWay("merge", 1);
        OpenRuns open = OpenRuns.open(runs, SCHEMA, workers, OpenRuns.Limits.of(1, MERGE_BYTES));
        PostingsPart part = index.newPart();
        MergingCursor names = OpenRuns.cursor(open.runs(), TermRange.ALL, open.bufferBytes())) {
      new PostingsCopier().copy(names, part);
      index.append(part);
    }
  }

  /**
   * A document has a length if and only if it has postings: Lucene and our own files require that.
   */
  private int length(int docId, int given) {
    if (!present.get(docId)) {
      withoutPostings += given > 0 && declared == null ? 1 : 0;
      return 0;
    }
    withoutLength += given == 0 ? 1 : 0;
    return Math.max(1, given);
  }

  private void addLength(int length, InvertedIndexWriter index) throws IOException {
    lengths[pending++] = length;
    if (pending == PIECE) {
      flushLengths(index);
    }
  }

  private void flushLengths(InvertedIndexWriter index) throws IOException {
    index.appendLengths(CONTENTS, lengths, pending);
    pending = 0;
  }

  private void advance() {
    done++;
    if (done % REPORT_EVERY == 0) {
      progress.progress(done, work);
    }
  }

  /** Passes postings to the index, and records which documents have any. */
  private final class Noting extends ForwardingConsumer {
    Noting(PostingsConsumer to) {
      super(to);
    }

    @Override
    public void startTerm(byte[] term, int length) throws IOException {
      super.startTerm(term, length);
      advance();
    }

    @Override
    public void docs(int[] docs, int[] freqs, int count) throws IOException {
      for (int i = 0; i < count; i++) {
        present.set(docs[i]);
      }
      super.docs(docs, freqs, count);
    }
  }
}
