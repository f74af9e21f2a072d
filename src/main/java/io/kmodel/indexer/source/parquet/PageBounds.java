package io.kmodel.indexer.source.parquet;

import dev.hardwood.internal.encoding.DeltaBinaryPackedDecoder;
import dev.hardwood.internal.encoding.RleBitPackingHybridDecoder;
import dev.hardwood.internal.metadata.DataPageHeaderV2;
import dev.hardwood.internal.metadata.PageHeader;
import dev.hardwood.metadata.Encoding;
import dev.hardwood.schema.ColumnSchema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Bounds the memory that Hardwood takes for a data page. Its decoders believe some counts and
 * lengths in a page before they compare them with the page, and damage can make these any number.
 * In the encoding DELTA_BYTE_ARRAY values share their starts, so an intact page can also decode to
 * many times its size.
 *
 * <p>Memory: for a page of shared starts, the levels and lengths of its values, until they were
 * added up. Failure: an IOException or RuntimeException, after which the page must not be decoded.
 */
final class PageBounds {
  /** Writers make 4; each takes 4 bytes. */
  private static final int MOST_MINIBLOCKS = 1 << 16;

  private final ColumnSchema column;
  private final boolean isV2;
  private final int values;
  private final Encoding encoding;
  private final byte[] page;
  private final int from;
  private final int repetitionBytes;
  private final int definitionBytes;
  private final boolean isUnpacked;

  /**
   * A data page as it is in the file.
   *
   * @param from where it starts in the array, after its header
   */
  PageBounds(ColumnSchema column, PageHeader header, byte[] page, int from) throws IOException {
    this.column = column;
    this.page = page;
    this.from = from;
    this.isV2 = header.type() == PageHeader.PageType.DATA_PAGE_V2;
    if (isV2) {
      DataPageHeaderV2 data = header.dataPageHeaderV2();
      this.values = data.numValues();
      this.encoding = data.encoding();
      this.repetitionBytes = data.repetitionLevelsByteLength();
      this.definitionBytes = data.definitionLevelsByteLength();
      int packed = page.length - from;
      if ((long) repetitionBytes + definitionBytes > packed) {
        throw new IOException("more levels than the page has bytes");
      }
      this.isUnpacked = !data.isCompressed() || repetitionBytes + definitionBytes == packed;
    } else {
      this.values = header.dataPageHeader().numValues();
      this.encoding = header.dataPageHeader().encoding();
      this.repetitionBytes = 0;
      this.definitionBytes = 0;
      this.isUnpacked = false;
    }
  }

  /** Whether no part of the page is decompressed, so {@link #sharedBytes()} applies. */
  boolean isUnpacked() {
    return isUnpacked;
  }

  /** The same as {@link #sharedBytes(byte[])} for a page that is not compressed. */
  long sharedBytes() throws IOException {
    return sharedBytes(page, from + repetitionBytes + definitionBytes, from + repetitionBytes);
  }

  /**
   * Checks the counts and lengths of a page's values.
   *
   * @param unpacked the decompressed part of the page: of version 2 the values, of others all
   * @return bytes of all values with their shared starts; 0 for other encodings, whose values have
   *     no more bytes than the page
   */
  long sharedBytes(byte[] unpacked) throws IOException {
    if (isV2) {
      return sharedBytes(unpacked, 0, from + repetitionBytes);
    }
    int at = 0;
    if (column.maxRepetitionLevel() > 0) {
      at += Integer.BYTES + length(unpacked, at);
    }
    int levels = at;
    if (column.maxDefinitionLevel() > 0) {
      at += Integer.BYTES + length(unpacked, at);
    }
    return sharedBytes(unpacked, at, levels);
  }

  private static int length(byte[] bytes, int at) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
  }

  private long sharedBytes(byte[] data, int at, int levels) throws IOException {
    return switch (encoding) {
      case DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY -> {
        numbers(data, at);
        yield 0;
      }
      case DELTA_BYTE_ARRAY -> sum(data, at, present(data, levels));
      default -> 0;
    };
  }

  /** Number of values that are not null, as Hardwood counts them. */
  private int present(byte[] data, int at) {
    int most = column.maxDefinitionLevel();
    if (most == 0 || (isV2 && definitionBytes == 0)) {
      return values;
    }
    int width = Integer.SIZE - Integer.numberOfLeadingZeros(most);
    RleBitPackingHybridDecoder decoder =
        isV2
            ? new RleBitPackingHybridDecoder(page, at, definitionBytes, width)
            : new RleBitPackingHybridDecoder(data, at + Integer.BYTES, length(data, at), width);
    int[] levels = new int[values];
    decoder.readInts(levels, 0, values);
    int present = 0;
    for (int level : levels) {
      present += level == most ? 1 : 0;
    }
    return present;
  }

  private static long sum(byte[] data, int at, int present) throws IOException {
    if (present == 0) {
      return 0;
    }
    DeltaBinaryPackedDecoder starts = numbers(data, at);
    int[] shared = new int[present];
    for (int i = 0; i < present; i++) {
      shared[i] = starts.readInt();
    }
    DeltaBinaryPackedDecoder rests = numbers(data, starts.getPos());
    long sum = 0;
    long length = 0;
    for (int start : shared) {
      int rest = rests.readInt();
      if (start < 0 || start > length || rest < 0 || rest > data.length) {
        throw new IOException("a value of an impossible length");
      }
      length = (long) start + rest;
      sum += length;
    }
    return sum;
  }

  /** Numbers in the encoding DELTA_BINARY_PACKED. */
  private static DeltaBinaryPackedDecoder numbers(byte[] data, int at) throws IOException {
    int[] position = {at};
    unsigned(data, position);
    int miniblocks = unsigned(data, position);
    if (miniblocks < 0 || miniblocks > MOST_MINIBLOCKS) {
      throw new IOException("%d parts of a block".formatted(miniblocks));
    }
    return new DeltaBinaryPackedDecoder(data, at);
  }

  /** A number in LEB128, as Hardwood reads it; the decoder reports an early end. */
  private static int unsigned(byte[] data, int[] position) {
    int number = 0;
    for (int shift = 0; position[0] < data.length; shift += 7) {
      byte next = data[position[0]++];
      number |= (next & 0x7F) << shift;
      if (next >= 0) {
        break;
      }
    }
    return number;
  }
}
