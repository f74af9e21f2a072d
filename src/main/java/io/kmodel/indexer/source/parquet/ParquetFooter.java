package io.kmodel.indexer.source.parquet;

import dev.hardwood.internal.EncryptedParquetException;
import dev.hardwood.internal.thrift.FileMetaDataReader;
import dev.hardwood.metadata.ColumnChunk;
import dev.hardwood.metadata.ColumnMetaData;
import dev.hardwood.metadata.FileMetaData;
import dev.hardwood.metadata.RowGroup;
import dev.hardwood.schema.ColumnSchema;
import dev.hardwood.schema.FileSchema;
import io.kmodel.indexer.source.record.DamagedRecordException;
import io.kmodel.indexer.source.unpack.DecoderMemory;
import io.kmodel.indexer.source.unpack.InputBytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The footer of a Parquet file: its columns, and where its row groups are. The file ends with it,
 * its length in four bytes, and {@code PAR1}. Immutable.
 *
 * <p>Memory: about {@value #HEAP_PER_BYTE} bytes of heap for each byte of the footer, which are
 * asked for before they are taken.
 */
public final class ParquetFooter {
  private static final String MAGIC = "PAR1";
  private static final String ENCRYPTED = "PARE";
  private static final int MAGIC_BYTES = 4;
  private static final int END_BYTES = Integer.BYTES + MAGIC_BYTES;
  private static final int HEAP_PER_BYTE = 8;

  private final FileSchema schema;
  private final List<RowGroup> groups;
  private final boolean isSummary;

  /** Where each row group starts, or a later one that comes before it in the list. */
  private final long[] starts;

  /**
   * The part of a column in a row group.
   *
   * @param text of its values
   */
  record Chunk(ColumnSchema column, ColumnMetaData metadata, LeafText text, long start) {}

  private ParquetFooter(FileSchema schema, List<RowGroup> groups, boolean isSummary) {
    this.schema = schema;
    this.groups = groups;
    this.isSummary = isSummary;
    this.starts = new long[groups.size()];
    long last = 0;
    for (int group = 0; group < starts.length; group++) {
      last = Math.max(last, start(groups.get(group)));
      starts[group] = last;
    }
  }

  /** Whether a file that starts with these bytes may be a Parquet file. */
  public static boolean startsLike(byte[] bytes, int from, int length) {
    if (length < MAGIC_BYTES) {
      return false;
    }
    String start = new String(bytes, from, MAGIC_BYTES, StandardCharsets.ISO_8859_1);
    return start.equals(MAGIC) || start.equals(ENCRYPTED);
  }

  /**
   * Reads the footer of a file.
   *
   * @param file its position does not change
   * @param memory for the footer; the caller closes it
   * @throws UnreadableParquetException if it is missing, damaged or encrypted
   * @throws IOException if the file cannot be read, or there is not enough memory
   */
  public static ParquetFooter read(InputBytes file, DecoderMemory memory) throws IOException {
    long size = file.size();
    if (size < MAGIC_BYTES + END_BYTES) {
      throw new UnreadableParquetException("%d bytes are not a Parquet file".formatted(size));
    }
    byte[] end = bytes(file, size - END_BYTES, END_BYTES);
    String magic = new String(end, Integer.BYTES, MAGIC_BYTES, StandardCharsets.ISO_8859_1);
    if (magic.equals(ENCRYPTED)) {
      throw encrypted();
    }
    if (!magic.equals(MAGIC)) {
      byte[] start = bytes(file, 0, MAGIC_BYTES);
      throw new UnreadableParquetException(
          startsLike(start, 0, MAGIC_BYTES)
              ? "a Parquet file without its footer, which is at its end (truncated?)"
              : "not a Parquet file: PAR1 is missing at its start and its end");
    }
    int length = (end[0] & 0xFF) | (end[1] & 0xFF) << 8 | (end[2] & 0xFF) << 16 | end[3] << 24;
    if (length <= 0 || length > size - END_BYTES - MAGIC_BYTES) {
      throw damaged("a length of %d bytes".formatted(length));
    }
    memory.reserve((1L + HEAP_PER_BYTE) * length);
    boolean hasData = size > MAGIC_BYTES + length + END_BYTES;
    ParquetFooter footer = parsed(bytes(file, size - END_BYTES - length, length), hasData);
    if (footer.groups.isEmpty() && hasData) {
      throw damaged("no row groups, but the file has data");
    }
    return footer;
  }

  private static byte[] bytes(InputBytes file, long at, int length) throws IOException {
    byte[] bytes = new byte[length];
    if (file.fork(at).readNBytes(bytes, 0, length) < length) {
      throw new UnreadableParquetException("the file has become shorter");
    }
    return bytes;
  }

  private static ParquetFooter parsed(byte[] footer, boolean hasData)
      throws UnreadableParquetException {
    try {
      CheckedThrift thrift = new CheckedThrift(footer, 0, footer.length);
      FileMetaData metadata = FileMetaDataReader.read(thrift);
      int after = footer.length - thrift.getBytesRead();
      if (after > 0) {
        throw damaged(
            "%d of %d bytes after its end, so bytes of the file are missing or altered"
                .formatted(after, footer.length));
      }
      FileSchema schema = FileSchema.fromSchemaElements(metadata.schema());
      requireSame(schema, metadata);
      if (!hasData && metadata.numRows() > 0) {
        return new ParquetFooter(schema, List.of(), /* isSummary= */ true);
      }
      requireApart(metadata.rowGroups());
      return new ParquetFooter(schema, metadata.rowGroups(), /* isSummary= */ false);
    } catch (EncryptedParquetException e) {
      throw encrypted();
    } catch (UnreadableParquetException e) {
      throw e;
    } catch (IOException | RuntimeException | StackOverflowError e) {
      throw damaged("data that cannot be decoded");
    }
  }

  /** The footer says some things twice, which tells damage: it has no checksum. */
  private static void requireSame(FileSchema schema, FileMetaData metadata)
      throws UnreadableParquetException {
    long rows = 0;
    for (RowGroup group : metadata.rowGroups()) {
      if (group.numRows() < 0 || group.columns().size() != schema.getColumnCount()) {
        throw damaged("row groups with other columns than the file");
      }
      for (ColumnSchema column : schema.getColumns()) {
        ColumnMetaData chunk = group.columns().get(column.columnIndex()).metaData();
        if (chunk != null
            && (!chunk.pathInSchema().equals(column.fieldPath())
                || chunk.type() != column.type())) {
          throw damaged("two descriptions of column '%s'".formatted(column.fieldPath()));
        }
      }
      rows += group.numRows();
    }
    if (rows != metadata.numRows()) {
      throw damaged("%d rows in row groups and %d in all".formatted(rows, metadata.numRows()));
    }
  }

  /** No two columns share bytes, in any row group. */
  private static void requireApart(List<RowGroup> groups) throws UnreadableParquetException {
    List<ColumnMetaData> chunks =
        groups.stream()
            .flatMap(group -> group.columns().stream())
            .map(ColumnChunk::metaData)
            .filter(Objects::nonNull)
            // Without values, the offset of the data may be 0.
            .filter(chunk -> chunk.numValues() > 0)
            .sorted(Comparator.comparingLong(ParquetFooter::start))
            .toList();
    long end = 0;
    for (ColumnMetaData chunk : chunks) {
      if (start(chunk) < end) {
        throw damaged("columns that overlap");
      }
      end = start(chunk) + chunk.totalCompressedSize();
    }
  }

  private static UnreadableParquetException encrypted() {
    return new UnreadableParquetException(
        "an encrypted Parquet file; decrypt it, since encryption is not supported");
  }

  private static UnreadableParquetException damaged(String by) {
    return new UnreadableParquetException("a Parquet file whose footer is damaged: it has " + by);
  }

  /** The first byte of a row group; 0 if all of its columns are encrypted. */
  private static long start(RowGroup group) {
    return group.columns().stream()
        .filter(chunk -> chunk.metaData() != null)
        .mapToLong(chunk -> start(chunk.metaData()))
        .min()
        .orElse(0);
  }

  /** The first byte of a column in a row group: a dictionary comes before the data. */
  private static long start(ColumnMetaData chunk) {
    Long dictionary = chunk.dictionaryPageOffset();
    return dictionary == null || dictionary <= 0
        ? chunk.dataPageOffset()
        : Math.min(dictionary, chunk.dataPageOffset());
  }

  FileSchema schema() {
    return schema;
  }

  /**
   * Whether the file is nothing but a footer that describes the row groups of other files, as the
   * {@code _metadata} of a data set; it has no row groups then.
   */
  boolean isSummary() {
    return isSummary;
  }

  /** Number of row groups. */
  public int groups() {
    return groups.size();
  }

  /** Number of rows in a row group. */
  long rows(int group) {
    return groups.get(group).numRows();
  }

  /** Number of rows in all row groups. */
  long rows() {
    return groups.stream().mapToLong(RowGroup::numRows).sum();
  }

  /** Bytes of columns in all row groups, as their pages unpack. */
  long unpackedBytes(List<ColumnSchema> columns) {
    return groups.stream()
        .flatMap(group -> columns.stream().map(c -> group.columns().get(c.columnIndex())))
        .map(ColumnChunk::metaData)
        .filter(Objects::nonNull)
        .mapToLong(ColumnMetaData::totalUncompressedSize)
        .sum();
  }

  /**
   * The offset that decides which piece of the file a row group belongs to: of its first byte. They
   * ascend, as the row groups should.
   */
  long start(int group) {
    return starts[group];
  }

  /** Whether row groups start in a part of the file, and others after it. */
  public boolean isBorder(long from, long to) {
    int first = firstFrom(to);
    return first < starts.length && firstFrom(from) < first;
  }

  /** The first row group that starts at an offset or after it. */
  int firstFrom(long offset) {
    int found = Arrays.binarySearch(starts, offset);
    int group = found < 0 ? ~found : found;
    while (group > 0 && starts[group - 1] == offset) {
      group--;
    }
    return group;
  }

  /**
   * The part of a column in a row group.
   *
   * @param fileBytes size of the file
   * @throws DamagedRecordException if it cannot be read
   */
  Chunk chunk(int group, ColumnSchema column, LeafText text, long fileBytes)
      throws DamagedRecordException {
    ColumnChunk chunk = groups.get(group).columns().get(column.columnIndex());
    ColumnMetaData metadata = chunk.metaData();
    String problem = problem(metadata, group, column, fileBytes);
    if (metadata == null || problem != null) {
      throw new DamagedRecordException("column '%s' %s".formatted(column.fieldPath(), problem));
    }
    return new Chunk(column, metadata, text, start(metadata));
  }

  private @Nullable String problem(
      @Nullable ColumnMetaData chunk, int group, ColumnSchema column, long fileBytes) {
    if (chunk == null) {
      return "has no metadata (encrypted?)";
    }
    if (chunk.codec() == null) {
      return "has no codec";
    }
    if (!PageCodecs.knows(chunk.codec())) {
      return "is compressed with %s, which is not supported".formatted(chunk.codec());
    }
    long bytes = chunk.totalCompressedSize();
    if (start(chunk) < MAGIC_BYTES || bytes > fileBytes || start(chunk) > fileBytes - bytes) {
      return "lies outside of the file";
    }
    boolean isFlat = column.maxRepetitionLevel() == 0;
    return isFlat && chunk.numValues() != rows(group)
        ? "has %d values for %d rows".formatted(chunk.numValues(), rows(group))
        : null;
  }
}
