package io.kmodel.indexer.source.parquet;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.DecoderMemoryException;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.ExpansionException;
import io.kmodel.indexer.source.JsonPart;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.parquet.ParquetColumns.Leaf;
import io.kmodel.indexer.source.record.DamagedRecordException;
import io.kmodel.indexer.source.record.RecordFile;
import io.kmodel.indexer.source.record.Records;
import io.kmodel.indexer.source.unpack.Compression;
import io.kmodel.indexer.source.unpack.DecoderMemory;
import io.kmodel.indexer.source.unpack.DocumentBuffer;
import io.kmodel.indexer.source.unpack.InputBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Documents that are rows of a Parquet file, or of those of its row groups that start in a piece of
 * it. Only the columns that are needed are read. Damage, or a page that needs too much memory,
 * costs the rest of its row group, which is reported with the number of rows.
 *
 * <p>Memory: the footer, and what {@link ColumnValues} takes for each column that is read. Not
 * thread-safe.
 */
public final class ParquetRecords implements Records {
  /** Rows between two notes of how far the file was read. */
  private static final int NOTED_ROWS = 256;

  private final RecordFile file;
  private final InputBytes raw;
  private final SourceOptions options;
  private final DecoderGuard decoders;
  private final DecoderMemory memory;
  private final ParquetFooter footer;

  /** Null for a file without rows, whose columns do not matter. */
  private final @Nullable ParquetColumns columns;

  /** The current row group; the next one if none is open. */
  private int group;

  private final List<ColumnValues> values = new ArrayList<>();
  private @Nullable ParquetRow open;
  private long row;

  /** Documents of the current row group. */
  private long documents;

  /**
   * Opens a file.
   *
   * @param raw the same file, uncompressed
   * @param from the first offset of the piece
   * @throws UnreadableParquetException if no row can be read
   */
  public ParquetRecords(
      RecordFile file, InputBytes raw, long from, SourceOptions options, DecoderGuard decoders)
      throws IOException {
    this.file = file;
    this.raw = raw;
    this.options = options;
    this.decoders = decoders;
    this.memory = newMemory();
    try {
      this.footer = ParquetFooter.read(raw, memory);
      this.columns = footer.rows() == 0 ? null : new ParquetColumns(footer.schema(), options);
      this.group = footer.firstFrom(from);
      if (footer.isSummary()) {
        file.skip(file.place(-1, ""), SkipReason.METADATA, "only describes other Parquet files");
      }
    } catch (IOException | RuntimeException e) {
      memory.close();
      throw e;
    }
  }

  private DecoderMemory newMemory() {
    return new DecoderMemory(decoders, DecoderGuard.Memory.HEAP);
  }

  /**
   * Rejects a compressed file, whose end is not known before all of it is decompressed.
   *
   * @throws UnreadableParquetException if it is compressed
   */
  public static void requirePlain(Compression compression) throws UnreadableParquetException {
    if (compression != Compression.NONE) {
      throw new UnreadableParquetException(
          "a Parquet file in %s: decompress it, because it is read from its end"
              .formatted(compression.label()));
    }
  }

  /**
   * Bytes of the columns with titles and texts, for estimates: unpacked, but repeated values may
   * count once.
   *
   * @throws UnreadableParquetException if no row can be read
   */
  public static long textBytes(InputBytes raw, SourceOptions options, DecoderGuard decoders)
      throws IOException {
    try (DecoderMemory memory = new DecoderMemory(decoders, DecoderGuard.Memory.HEAP)) {
      ParquetFooter footer = ParquetFooter.read(raw, memory);
      return footer.rows() == 0
          ? 0
          : footer.unpackedBytes(new ParquetColumns(footer.schema(), options).texts());
    }
  }

  @Override
  public @Nullable RawDocument next() throws IOException, InterruptedException {
    while (open != null || openGroup()) {
      ParquetRow current = open;
      if (current != null && row == footer.rows(group)) {
        endGroup();
      } else if (current != null) {
        RawDocument document = document(current);
        if (document != null) {
          documents++;
          return document;
        }
      }
    }
    return null;
  }

  /** Opens the next row group, or reports it; returns false if none is left in this piece. */
  private boolean openGroup() throws IOException {
    if (columns == null || group == footer.groups() || file.isInNextPiece(footer.start(group))) {
      return false;
    }
    row = 0;
    documents = 0;
    noteProgress();
    if (group == 0 && !columns.missing().isEmpty()) {
      file.skip(file.place(-1, ""), SkipReason.MISSING_COLUMN, columns.missing());
    }
    try {
      boolean hasRows = footer.rows(group) > 0;
      for (ParquetColumns.Leaf leaf : hasRows ? columns.leaves() : List.<Leaf>of()) {
        values.add(
            new ColumnValues(
                raw,
                footer.chunk(group, leaf.column(), leaf.text(), raw.size()),
                options,
                newMemory()));
      }
      open = new ParquetRow(columns, values);
    } catch (DamagedRecordException e) {
      skipRest(e);
    }
    return true;
  }

  private void endGroup() {
    if (!values.stream().allMatch(ColumnValues::isAtEnd)) {
      report(SkipReason.DAMAGED_RECORD, ": more rows than the footer says; these were skipped", 1);
    }
    leaveGroup();
  }

  /** Counts the columns that were not read, releases memory, and goes to the next row group. */
  private void leaveGroup() {
    if (documents > 0 && columns != null) {
      Map<String, Long> unread = new HashMap<>();
      columns.unread().forEach(name -> unread.put(name, documents));
      file.unused(unread);
    }
    closeGroup();
    group++;
  }

  private void closeGroup() {
    values.forEach(ColumnValues::close);
    values.clear();
    open = null;
  }

  /** The document of the next row; null if it was reported. */
  private @Nullable RawDocument document(ParquetRow current)
      throws IOException, InterruptedException {
    file.buffer().start();
    try {
      for (ColumnValues column : values) {
        column.next();
      }
    } catch (DamagedRecordException | DecoderMemoryException | ExpansionException e) {
      skipRest(e);
      return null;
    }
    if (row % NOTED_ROWS == 0) {
      noteProgress();
    }
    row++;
    try {
      return assembled(current);
    } catch (DamagedRecordException e) {
      reportRow(SkipReason.DAMAGED_RECORD, SkipReason.detail(e));
      return null;
    }
  }

  private @Nullable RawDocument assembled(ParquetRow current)
      throws DamagedRecordException, InterruptedException {
    for (ColumnValues column : values) {
      ColumnValues.Problem problem = column.problem();
      if (problem != null) {
        reportRow(problem.reason(), problem.detail());
        return null;
      }
    }
    DocumentBuffer buffer = file.buffer();
    if (!buffer.allows(values.stream().mapToLong(ColumnValues::rowBytes).sum())) {
      reportRow(SkipReason.TOO_LARGE, buffer.problem());
      return null;
    }
    current.start();
    String uri = current.name(JsonPart.URI);
    String id = id(current, uri);
    List<byte[]> pieces = current.pieces(JsonPart.TEXT);
    if (!buffer.reserve(pieces.stream().mapToLong(piece -> piece.length).sum())) {
      reportRow(SkipReason.TOO_LARGE, buffer.problem());
      return null;
    }
    for (byte[] piece : pieces) {
      System.arraycopy(piece, 0, buffer.bytes, buffer.length, piece.length);
      buffer.length += piece.length;
    }
    String title = current.text(JsonPart.TITLE);
    String headings = current.text(JsonPart.HEADINGS);
    long start = footer.start(group);
    return RawDocument.of(
            file.place(start, "row group " + group + ", row " + (row - 1), id),
            ContentType.PLAIN_TEXT,
            buffer.bytes,
            buffer.length,
            file.unitAt(start))
        .withTitle(title, current.isUtf8())
        .withCharset("utf-8")
        .withUrl(uri)
        .withHeadings(headings)
        .withMetadata(current.metadata());
  }

  private String id(ParquetRow current, String uri) throws DamagedRecordException {
    if (options.docno().isPath()) {
      return file.recordId(group + "+" + (row - 1));
    }
    if (options.docno() == Docno.URI && !uri.isEmpty()) {
      return uri;
    }
    String id = current.name(JsonPart.ID);
    if (id.isEmpty() && columns != null) {
      throw new DamagedRecordException("row has no id; expected one of " + columns.ids());
    }
    return id;
  }

  /** Reports a failure and the rows that it costs: those of the row group that are left. */
  private void skipRest(IOException e) {
    long left = footer.rows(group) - row;
    String rows = left == 1 ? "1 row was" : left + " rows were";
    report(reason(e), ": %s; %s skipped".formatted(SkipReason.detail(e), rows), left);
    leaveGroup();
  }

  private static SkipReason reason(IOException e) {
    return e instanceof DamagedRecordException ? SkipReason.DAMAGED_RECORD : SkipReason.of(e);
  }

  private void reportRow(SkipReason reason, String detail) {
    report(reason, ", row %d: %s".formatted(row - 1, detail), 1);
  }

  private void report(SkipReason reason, String detail, long rows) {
    String what = "row group %d%s".formatted(group, detail);
    file.skip(file.place(footer.start(group), ""), reason, what, rows);
  }

  /** Moves the input to where the current row may be, so that progress is seen. */
  private void noteProgress() throws IOException {
    long start = footer.start(group);
    long end = group + 1 < footer.groups() ? footer.start(group + 1) : raw.size();
    double share = (double) row / Math.max(1, footer.rows(group));
    file.input().restart(start + (long) (share * (end - start)));
  }

  @Override
  public void close() {
    closeGroup();
    memory.close();
  }
}
