package io.kmodel.indexer.source.parquet;

import dev.hardwood.internal.metadata.DataPageHeader;
import dev.hardwood.internal.metadata.PageHeader;
import dev.hardwood.internal.reader.Dictionary;
import dev.hardwood.internal.reader.Page;
import dev.hardwood.internal.reader.PageDecoder;
import dev.hardwood.internal.thrift.PageHeaderReader;
import dev.hardwood.metadata.ColumnMetaData;
import dev.hardwood.metadata.Encoding;
import dev.hardwood.schema.ColumnSchema;
import io.kmodel.indexer.source.DecoderMemoryException;
import io.kmodel.indexer.source.ExpansionException;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.record.DamagedRecordException;
import io.kmodel.indexer.source.unpack.DecoderMemory;
import io.kmodel.indexer.source.unpack.InputBytes;
import io.kmodel.indexer.source.unpack.RecordInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The values of one column in a row group, row after row. Pages are read and decoded by the calling
 * thread, one at a time, so the rows before damage depend on the file alone. (Hardwood's own
 * readers decode pages ahead in other threads, without a bound in bytes.)
 *
 * <p>Memory: a window of 64 KiB; and a page, packed, unpacked and as values, with the column's
 * dictionary, and a row's values of earlier pages, which are asked for before they are taken.
 * Failure: a {@link DamagedRecordException}, {@link ExpansionException} or {@link
 * io.kmodel.indexer.source.DecoderMemoryException}; no further row can be read then. Not
 * thread-safe.
 */
final class ColumnValues implements AutoCloseable {
  /** The first guess of a page header's size; statistics may make it larger. */
  private static final int HEADER_BYTES = InputBytes.WINDOW_BYTES / 2;

  private static final int MOST_HEADER_BYTES = 1 << 24;

  /** Heap of a value besides its bytes: an array's header, a reference, two levels. */
  private static final int VALUE_BYTES = 40;

  private final ColumnSchema column;
  private final ColumnMetaData metadata;
  private final LeafText text;
  private final SourceOptions options;
  private final PageDecoder decoder;
  private final PageCodecs codecs = new PageCodecs(this::boundPage);
  private final DecoderMemory memory;
  private final long end;

  private InputBytes in;
  private long valuesLeft;
  private @Nullable Dictionary dictionary;
  private long dictionaryBytes;
  private @Nullable Page page;
  private int index;

  /** Of the data page that is being decoded. */
  private @Nullable PageBounds bounds;

  /** Memory for the page that is being read. */
  private long pageBytes;

  /** The texts of the current row's values, without nulls; empty if it has a {@link #problem}. */
  final List<byte[]> row = new ArrayList<>();

  private long rowBytes;
  private @Nullable Problem problem;

  /** Why the current row has no values. */
  record Problem(SkipReason reason, String detail) {}

  /**
   * Starts at the first row.
   *
   * @param raw the file
   * @param options how many times its size a page may unpack to, beyond 64 MiB, and how large a row
   *     may be
   * @param memory for pages; closed with this
   */
  ColumnValues(
      InputBytes raw, ParquetFooter.Chunk chunk, SourceOptions options, DecoderMemory memory) {
    this.column = chunk.column();
    this.metadata = chunk.metadata();
    this.text = chunk.text();
    this.options = options;
    this.memory = memory;
    this.decoder = new PageDecoder(metadata, column, codecs);
    this.in = raw.fork(chunk.start());
    this.end = chunk.start() + metadata.totalCompressedSize();
    this.valuesLeft = metadata.numValues();
  }

  /** The column's name in messages. */
  String name() {
    return column.fieldPath().toString();
  }

  /** Reads the values of the next row, which may have a {@link #problem}. */
  void next() throws IOException {
    row.clear();
    rowBytes = 0;
    problem = null;
    if (!hasValue()) {
      throw damage("has fewer values than the row group has rows");
    }
    if (level() > 0) {
      throw damage("starts within a row");
    }
    do {
      take();
    } while (column.maxRepetitionLevel() > 0 && hasValue() && level() > 0);
  }

  /** Bytes of the row's values, with a line feed after each. */
  long rowBytes() {
    return rowBytes;
  }

  /** Why the row has no values although the column has; null if there is no such reason. */
  @Nullable Problem problem() {
    return problem;
  }

  /** Whether all values were read. */
  boolean isAtEnd() {
    return valuesLeft == 0 && isPageRead();
  }

  private boolean isPageRead() {
    return page == null || index == page.size();
  }

  /** Makes the next value available, in the next page if necessary; returns false at the end. */
  private boolean hasValue() throws IOException {
    while (isPageRead()) {
      if (valuesLeft == 0) {
        return false;
      }
      readPage();
    }
    return true;
  }

  private int level() {
    int[] levels = page == null ? null : page.repetitionLevels();
    return levels == null ? 0 : levels[index];
  }

  private void take() {
    Page current = page;
    if (problem == null && current != null && !current.isNull(index)) {
      try {
        byte[] value = text.of(current, index);
        if (value != null) {
          row.add(value);
          rowBytes += value.length + 1L;
        }
      } catch (RuntimeException e) {
        // For example a time of 25 hours.
        giveUpRow(SkipReason.DAMAGED_RECORD, "has a value that its type does not allow");
      }
      if (rowBytes > options.maxDocumentBytes() + 1L) {
        giveUpRow(
            SkipReason.TOO_LARGE,
            "has more than the limit of %d bytes".formatted(options.maxDocumentBytes()));
      }
    }
    index++;
  }

  private void giveUpRow(SkipReason reason, String detail) {
    row.clear();
    rowBytes = 0;
    problem = new Problem(reason, "column '%s' %s".formatted(name(), detail));
  }

  /** Reads a page; the one after a dictionary has values. */
  private void readPage() throws IOException {
    page = null;
    index = 0;
    long at = in.position();
    if (at >= end) {
      throw damage("ends before its last value");
    }
    PageStart start = start(at);
    PageHeader header = start.header();
    int packed = header.compressedPageSize();
    if (packed > end - at - start.bytes()) {
      throw damage("extends beyond the column", at);
    }
    int values = values(header);
    if (values > valuesLeft) {
      throw damage("more values than the footer says", at);
    }
    if (RecordInput.isTooMuch(packed, header.uncompressedPageSize(), options.maxExpansion())) {
      throw new ExpansionException(
          "column '%s', page at byte %d: %d bytes unpack to %d, over %d times as much; see --max-expansion"
              .formatted(
                  name(), at, packed, header.uncompressedPageSize(), options.maxExpansion()));
    }
    pageBytes = 0;
    reserve(packed + 2L * header.uncompressedPageSize() + (long) VALUE_BYTES * values);
    byte[] bytes = new byte[start.bytes() + packed];
    read(at, bytes);
    requireChecksum(header, bytes, start.bytes(), at);
    decode(header, bytes, start.bytes(), at);
  }

  private void reserve(long more) throws IOException {
    pageBytes += more;
    try {
      memory.reserve(dictionaryBytes + pageBytes + earlierPages());
    } catch (DecoderMemoryException e) {
      if (row.isEmpty()) {
        throw e.of("column '%s'".formatted(name()));
      }
      // A list over many pages; the rows after it may fit.
      giveUpRow(SkipReason.TOO_LARGE, SkipReason.detail(e));
      reserve(0);
    }
  }

  /** Heap of the row's values, which belong to earlier pages when a page is read. */
  private long earlierPages() {
    return rowBytes + (long) VALUE_BYTES * row.size();
  }

  /** Checks a page before it is decoded, and reserves memory for shared starts of its values. */
  private void boundPage(byte[] unpacked) throws IOException {
    PageBounds current = bounds;
    if (current != null) {
      reserve(current.sharedBytes(unpacked));
    }
  }

  /** A page's header and its size. */
  private record PageStart(PageHeader header, int bytes) {}

  private PageStart start(long at) throws IOException {
    long left = end - at;
    in.fill((int) Math.min(HEADER_BYTES, left));
    byte[] bytes = in.array();
    int from = in.at();
    int length = (int) Math.min(in.available(), left);
    if (length == 0) {
      throw damage("the file ends before it", at);
    }
    while (true) {
      CheckedThrift thrift = new CheckedThrift(bytes, from, length);
      try {
        PageHeader header = PageHeaderReader.read(thrift);
        if (!isComplete(header)) {
          throw damage("damaged header", at);
        }
        return new PageStart(header, thrift.getBytesRead());
      } catch (EOFException e) {
        if (length >= Math.min(left, MOST_HEADER_BYTES)) {
          throw damage("damaged header", at);
        }
      } catch (DamagedRecordException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        throw damage("damaged header", at);
      }
      bytes = new byte[(int) Math.min(Math.min(4L * length, left), MOST_HEADER_BYTES)];
      from = 0;
      length = bytes.length;
      read(at, bytes);
    }
  }

  private static boolean isComplete(PageHeader header) {
    return switch (header.type()) {
      case DATA_PAGE ->
          header.dataPageHeader() != null && header.dataPageHeader().encoding() != null;
      case DATA_PAGE_V2 ->
          header.dataPageHeaderV2() != null && header.dataPageHeaderV2().encoding() != null;
      case DICTIONARY_PAGE -> header.dictionaryPageHeader() != null;
      case INDEX_PAGE -> true;
    };
  }

  /** Number of values, or of a dictionary's entries. */
  private static int values(PageHeader header) {
    return switch (header.type()) {
      case DATA_PAGE -> header.dataPageHeader().numValues();
      case DATA_PAGE_V2 -> header.dataPageHeaderV2().numValues();
      case DICTIONARY_PAGE -> header.dictionaryPageHeader().numValues();
      case INDEX_PAGE -> 0;
    };
  }

  private void read(long at, byte[] bytes) throws IOException {
    in.seek(at);
    if (in.readNBytes(bytes, 0, bytes.length) < bytes.length) {
      throw damage("the file ends within it", at);
    }
  }

  private void requireChecksum(PageHeader header, byte[] bytes, int from, long at)
      throws DamagedRecordException {
    if (header.crc() != null) {
      CRC32 checksum = new CRC32();
      checksum.update(bytes, from, bytes.length - from);
      if ((int) checksum.getValue() != header.crc()) {
        throw damage("wrong checksum", at);
      }
    }
  }

  private void decode(PageHeader header, byte[] bytes, int from, long at) throws IOException {
    requireSupported(header, at);
    int packed = bytes.length - from;
    bounds = null;
    try {
      switch (header.type()) {
        case DICTIONARY_PAGE -> {
          byte[] entries =
              codecs
                  .getDecompressor(metadata.codec())
                  .decompress(ByteBuffer.wrap(bytes, from, packed), header.uncompressedPageSize());
          dictionary =
              Dictionary.parse(entries, values(header), column.type(), column.typeLength());
          dictionaryBytes = pageBytes - packed;
          pageBytes = 0;
        }
        case DATA_PAGE, DATA_PAGE_V2 -> {
          PageBounds current = new PageBounds(column, header, bytes, from);
          bounds = current;
          if (current.isUnpacked()) {
            reserve(current.sharedBytes());
          }
          page = decoder.decodePage(ByteBuffer.wrap(bytes), dictionary);
          valuesLeft -= page.size();
        }
        case INDEX_PAGE -> {}
      }
    } catch (DecoderMemoryException | ClosedByInterruptException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      page = null;
      throw damage("cannot be decoded (damaged?)", at);
    }
    memory.keep(dictionaryBytes + (page == null ? 0 : pageBytes - packed) + earlierPages());
  }

  private void requireSupported(PageHeader header, long at) throws DamagedRecordException {
    DataPageHeader data = header.dataPageHeader();
    Encoding encoding =
        header.type() == PageHeader.PageType.DATA_PAGE
            ? data.encoding()
            : header.type() == PageHeader.PageType.DATA_PAGE_V2
                ? header.dataPageHeaderV2().encoding()
                : Encoding.PLAIN;
    if (encoding == Encoding.UNKNOWN || encoding == Encoding.BIT_PACKED) {
      throw damage("an encoding that is not supported", at);
    }
    boolean isOld =
        header.type() == PageHeader.PageType.DATA_PAGE
            && ((column.maxDefinitionLevel() > 0
                    && data.definitionLevelEncoding() == Encoding.BIT_PACKED)
                || (column.maxRepetitionLevel() > 0
                    && data.repetitionLevelEncoding() == Encoding.BIT_PACKED));
    if (isOld) {
      throw damage("levels in the old encoding BIT_PACKED are not supported", at);
    }
  }

  private DamagedRecordException damage(String what) {
    return new DamagedRecordException("column '%s' %s".formatted(name(), what));
  }

  private DamagedRecordException damage(String what, long at) {
    return new DamagedRecordException(
        "column '%s', page at byte %d: %s".formatted(name(), at, what));
  }

  @Override
  public void close() {
    memory.close();
  }
}
