package io.kmodel.indexer.export.ciff;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.columns.ColumnReader;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.DeclaredStatistics;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.FieldStatistics;
import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.store.disk.NamingOutput;
import io.kmodel.indexer.store.disk.StagedFile;
import io.kmodel.indexer.store.disk.StagedOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a CIFF file of one field of an index. Terms come in byte order, documents in theirs. The
 * file is written in the directory {@code TARGET.exporting}, forced to the disk, read back and
 * checked as CIFF's reference reader checks it ({@link CiffCheck}), then moved in place (see {@link
 * StagedOutput}); on failure nothing is left. A second export into the same target is refused.
 * Every list is decoded twice, to be measured and to be written, because a message begins with its
 * size. Memory: a few buffers, whatever the lists' lengths. The same index gives the same bytes.
 */
public final class CiffExporter {
  /** Approximate size of a message; most postings take six bytes. */
  private static final long POSTING_BYTES = 8;

  private static final long TERM_BYTES = 32;
  private static final long DOCUMENT_BYTES = 128;

  /** Compressed files take less than this share of that: we measured shares from 4.4 to 5.8. */
  private static final int GZIP_SHARE = 4;

  private static final String GZIP_SUFFIX = ".gz";
  private static final int GZIP_BUFFER_BYTES = 1 << 16;

  /** Terms and documents between two progress reports. */
  private static final int REPORT_EVERY = 1 << 12;

  private final InvertedIndex index;
  private final CiffExportOptions options;
  private final int field;
  private final CiffHeader header;

  /** Lengths that the index cannot have; null without such. */
  private final @Nullable ColumnReader otherLengths;

  private final long maxMessageBytes;
  private final ProgressListener progress;
  private final long work;
  private long done;

  private CiffExporter(
      InvertedIndex index,
      CiffExportOptions options,
      long maxMessageBytes,
      ProgressListener progress)
      throws IOException {
    this.index = index;
    this.options = options;
    this.maxMessageBytes = maxMessageBytes;
    this.progress = progress;
    this.field = field(index, options.field());
    this.header = header();
    int column = index.schema().findColumn(DeclaredStatistics.LENGTHS);
    boolean isPartial = DeclaredStatistics.of(index.metadata().options()) != null;
    this.otherLengths = isPartial && column >= 0 ? index.columns().reader(column) : null;
    this.work = 2 * (index.statistics(field).postings() + index.documentCount());
  }

  /**
   * Exports an index.
   *
   * @param progress receives the number of postings and documents written, then read back
   * @throws FileAlreadyExistsException if the target exists and must not be replaced
   * @throws NoSuchFileException if the target's directory does not exist; it is not created
   * @throws IllegalArgumentException if there is no such field, or ids are not stored
   * @throws FormatLimitException if CIFF cannot hold the index
   */
  public static CiffExportResult export(
      InvertedIndex index, Path target, CiffExportOptions options, ProgressListener progress)
      throws IOException {
    return export(index, target, options, CiffWriter.MAX_MESSAGE_BYTES, progress);
  }

  /** The same with another limit for the size of messages. */
  static CiffExportResult export(
      InvertedIndex index,
      Path target,
      CiffExportOptions options,
      long maxMessageBytes,
      ProgressListener progress)
      throws IOException {
    try (StagedOutput output = target(target, options.overwrite())) {
      output.requireFree();
      // Before all that takes time, so that a second export into the same file fails at once.
      output.open();
      index.verifyChecksums();
      CiffExporter exporter = new CiffExporter(index, options, maxMessageBytes, progress);
      exporter.requireRoom(target);
      return exporter.export(output);
    }
  }

  /**
   * Whether a file starts as the one that an export with these options makes of an index: its
   * description names the index.
   */
  public static boolean isExport(InvertedIndex index, Path file, CiffExportOptions options)
      throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    CiffExporter exporter = of(index, options, ProgressListener.NONE);
    try (CiffReader reader = CiffReader.open(file)) {
      return reader.header().equals(exporter.header);
    } catch (MalformedCiffException e) {
      return false;
    }
  }

  /**
   * Reads and checks an export that is in place.
   *
   * @throws io.kmodel.indexer.store.CorruptIndexException if it is not as it should be
   */
  public static void check(
      InvertedIndex index, Path file, CiffExportOptions options, ProgressListener progress)
      throws IOException {
    CiffExporter exporter = of(index, options, progress);
    exporter.check(file);
  }

  private static CiffExporter of(
      InvertedIndex index, CiffExportOptions options, ProgressListener progress)
      throws IOException {
    return new CiffExporter(index, options, CiffWriter.MAX_MESSAGE_BYTES, progress);
  }

  private long check(Path file) throws IOException {
    return CiffCheck.check(
        file, header, index.statistics(field).tokens(), isExact(), this::advance);
  }

  private CiffExportResult export(StagedOutput output) throws IOException {
    Path made = output.made();
    long start = System.nanoTime();
    write(made, isGzipped(output.output()));
    long written = System.nanoTime();
    long postings = check(made);
    long checked = System.nanoTime();
    CiffExportResult result =
        new CiffExportResult(
            header,
            postings,
            Files.size(made),
            index.schema().columns().size() - (otherLengths == null ? 0 : 1),
            (written - start) * 1e-9,
            (checked - written) * 1e-9);
    output.publish();
    return result;
  }

  /** Requires space for the estimated size. */
  private void requireRoom(Path target) throws IOException {
    long postings = index.statistics(field).postings();
    long terms = index.statistics(field).terms();
    long documents = index.documentCount();
    long bytes = POSTING_BYTES * postings + TERM_BYTES * terms + DOCUMENT_BYTES * documents;
    options
        .space()
        .require(
            target,
            isGzipped(target) ? bytes / GZIP_SHARE : bytes,
            "the export (of %,d postings, %,d terms and %,d documents)"
                .formatted(postings, terms, documents));
  }

  private static boolean isGzipped(Path target) {
    return target.toString().endsWith(GZIP_SUFFIX);
  }

  private static int field(InvertedIndex index, String name) {
    Schema schema = index.schema();
    int ordinal = schema.find(name);
    if (ordinal < 0 || !schema.field(ordinal).tokenized()) {
      throw new IllegalArgumentException(
          "%s: CIFF requires a tokenized field, which '%s' is not; available: %s"
              .formatted(
                  index.directory(),
                  name,
                  schema.fields().stream()
                      .filter(Field::tokenized)
                      .map(Field::name)
                      .collect(Collectors.joining(", "))));
    }
    int id = schema.find(Schema.ID);
    if (id < 0 || !schema.field(id).stored()) {
      throw new IllegalArgumentException(
          index.directory()
              + " does not store ids, which CIFF requires as names of documents; build it with"
              + " --store=id or --store=contents");
    }
    return ordinal;
  }

  private CiffHeader header() throws IOException {
    FieldStatistics statistics = index.statistics(field);
    if (statistics.terms() > Integer.MAX_VALUE) {
      throw new FormatLimitException(
          "%s: CIFF holds at most %d postings lists; field '%s' has %d"
              .formatted(
                  index.directory(), Integer.MAX_VALUE, options.field(), statistics.terms()));
    }
    int terms = (int) statistics.terms();
    int documents = index.documentCount();
    DeclaredStatistics declared =
        options.field().equals(Schema.CONTENTS)
            ? DeclaredStatistics.of(index.metadata().options())
            : null;
    double average = documents == 0 ? 0 : (double) statistics.tokens() / documents;
    return new CiffHeader(
        terms,
        documents,
        declared == null ? terms : Math.max(terms, declared.terms()),
        declared == null ? documents : Math.max(documents, declared.documents()),
        declared == null ? statistics.tokens() : declared.tokens(),
        declared == null ? average : declared.averageLength(),
        "indexer: field %s, analyzer %s, %s lengths, index %s"
            .formatted(
                options.field(),
                index.metadata().options().getOrDefault("analyzer", "unknown"),
                lengths(),
                index.digest()));
  }

  /**
   * Whether lengths sum to the number of tokens. Rounded ones and another engine's do not; those of
   * vectors are 1.
   */
  private boolean isExact() {
    return options.lengths() == CiffLengths.EXACT
        && !index.metadata().hasGivenLengths()
        && !hasImpacts();
  }

  private boolean hasImpacts() {
    Schema schema = index.schema();
    return schema.field(schema.ordinal(options.field())).detail().hasImpacts();
  }

  private String lengths() {
    if (hasImpacts()) {
      return "constant";
    }
    boolean given = options.lengths() == CiffLengths.EXACT && !isExact();
    return given ? IndexMetadata.GIVEN_LENGTHS : options.lengths().name().toLowerCase(Locale.ROOT);
  }

  private void write(Path file, boolean gzipped) throws IOException {
    try (FileChannel channel =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
        OutputStream stream =
            compressed(gzipped, new NamingOutput(file, Channels.newOutputStream(channel)))) {
      CiffWriter out = new CiffWriter(stream);
      out.header(header);
      writeLists(out);
      writeDocuments(out);
      out.flush();
      if (stream instanceof GZIPOutputStream gzip) {
        gzip.finish();
      }
      channel.force(true);
    }
  }

  private static OutputStream compressed(boolean gzipped, OutputStream out) throws IOException {
    return gzipped ? new GZIPOutputStream(out, GZIP_BUFFER_BYTES) : out;
  }

  /** Walks the lists with two cursors in step: one measures, the other writes. */
  private void writeLists(CiffWriter out) throws IOException {
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    CiffWriter.Measure measure = new CiffWriter.Measure();
    try (PostingsCursor measured = index.cursor();
        PostingsCursor written = index.cursor()) {
      while (measured.nextTerm() && written.nextTerm()) {
        if ((measured.term()[0] & 0xFF) != field) {
          continue;
        }
        measure.start();
        for (int n; (n = measured.nextDocs(docs, freqs)) > 0; ) {
          measure.add(docs, freqs, n);
        }
        out.startList(written, listBytes(written, measure.bytes()));
        for (int n; (n = written.nextDocs(docs, freqs)) > 0; ) {
          out.postings(docs, freqs, n);
        }
        advance(written.docFreq());
      }
    }
  }

  private long listBytes(PostingsCursor term, long postings) {
    int length = term.termLength() - 1;
    long bytes = CiffWriter.listBytes(length, term.docFreq(), term.totalTermFreq(), postings);
    if (bytes > maxMessageBytes) {
      throw new FormatLimitException(
          ("%s: the list of '%s' (%d documents) takes %d bytes, but CIFF stores it as a protobuf"
                  + " message, which has at most %d")
              .formatted(
                  index.directory(),
                  new String(term.term(), 1, Math.min(length, 64), StandardCharsets.UTF_8),
                  term.docFreq(),
                  bytes,
                  maxMessageBytes));
    }
    return bytes;
  }

  private void writeDocuments(CiffWriter out) throws IOException {
    int id = index.schema().ordinal(Schema.ID);
    try (StoredTexts texts = index.documents()) {
      for (int docId = 0; docId < index.documentCount(); docId++) {
        int length = options.lengths().of(length(docId));
        out.document(docId, texts.text(docId, id), length);
        advance(1);
      }
    }
  }

  /** A document's length: that of the file that the index was imported from, if it is known. */
  private int length(int docId) throws IOException {
    return otherLengths != null && otherLengths.has(docId)
        ? Math.clamp(otherLengths.number(docId), 0, Integer.MAX_VALUE)
        : index.length(field, docId);
  }

  private void advance(long more) {
    long before = done;
    done += more;
    if (done / REPORT_EVERY != before / REPORT_EVERY || done == work) {
      progress.progress(done, work);
    }
  }

  /**
   * A file as the output of an export.
   *
   * @param overwrite whether a regular file that is there may be replaced
   */
  public static StagedOutput target(Path file, boolean overwrite) {
    return StagedFile.of(file, overwrite);
  }
}
