package io.kmodel.indexer.index.columns;

import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnStatistics;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.InputFile;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * The mapped values of a column; see {@link ColumnWriter} for the grammar. Any document can be
 * read; documents in order are faster, because the last block's header stays decoded. Memory: 100
 * bytes. Not thread-safe.
 */
public final class ColumnReader {
  /** Documents of a block, except the last one. */
  public static final int BLOCK = ColumnWriter.BLOCK;

  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final int NUMBERS_HEADER = 2 + 1 + 8;
  private static final int STRINGS_HEADER = 2 + 1 + 2;

  private final InputFile file;
  private final Column column;
  private final int documents;
  private final int blocks;

  /** Where the offsets of the blocks start. */
  private final long offsets;

  /** The block that is decoded, or -1. */
  private int block = -1;

  private MemorySegment bytes = MemorySegment.NULL;
  private int count;
  private int present;
  private int width;
  private long least;
  private int distinct;
  private long presence;
  private long packed;
  private long ends;
  private long utf8;
  private long blockEnd;

  ColumnReader(InputFile file, Column column, int documents) throws IOException {
    this.file = file;
    this.column = column;
    this.documents = documents;
    this.blocks = Math.ceilDiv(documents, BLOCK);
    this.offsets = file.bodyEnd() - (blocks + 1L) * Long.BYTES;
    if (offsets < file.bodyStart() || offset(0) != 0 || start(blocks) != offsets) {
      throw file.corrupt(
          "%d bytes are no column of %d documents"
              .formatted(file.bodyEnd() - file.bodyStart(), documents));
    }
  }

  public Column column() {
    return column;
  }

  public int documents() {
    return documents;
  }

  public int blocks() {
    return blocks;
  }

  private long offset(int of) throws IOException {
    long at = offsets + (long) of * Long.BYTES;
    return file.mapped(at, Long.BYTES).get(LONG, at);
  }

  private long start(int of) throws IOException {
    return file.bodyStart() + offset(of);
  }

  /** Whether a document has a value. */
  public boolean has(int doc) throws IOException {
    loadBlockOf(doc);
    return present == count || (present > 0 && isPresent(doc % BLOCK));
  }

  private boolean isPresent(int inBlock) {
    byte eight = bytes.get(ValueLayout.JAVA_BYTE, presence + inBlock / Byte.SIZE);
    return (eight >> inBlock % Byte.SIZE & 1) != 0;
  }

  /** The number of a document that has one. */
  public long number(int doc) throws IOException {
    loadBlockOf(doc);
    return least + value(doc % BLOCK);
  }

  /** The UTF-8 of the string of a document that has one. */
  public byte[] string(int doc) throws IOException {
    return distinct(place(doc));
  }

  /** The string of a document; empty if it has none. */
  public String text(int doc) throws IOException {
    return has(doc) ? new String(string(doc), StandardCharsets.UTF_8) : "";
  }

  /**
   * The place of a document's string among the distinct ones of its block, by {@link #distinct}.
   */
  public int place(int doc) throws IOException {
    loadBlockOf(doc);
    long place = value(doc % BLOCK);
    if (place >= distinct) {
      throw file.corrupt(
          "document %d has string %d of %d in block %d".formatted(doc, place, distinct, block));
    }
    return (int) place;
  }

  /** Decodes a block's header and returns the number of its distinct strings. */
  public int load(int of) throws IOException {
    loadBlockOf(of * BLOCK);
    return distinct;
  }

  /** The UTF-8 of a distinct string of the last block; they are in order of their bytes. */
  public byte[] distinct(int place) throws IOException {
    Objects.checkIndex(place, distinct);
    long from = utf8 + (place == 0 ? 0 : end(place - 1));
    long to = utf8 + end(place);
    if (from < utf8 || from > to || to > blockEnd) {
      throw file.corrupt(
          "string %d of block %d is at %d to %d, expected %d to %d"
              .formatted(place, block, from, to, utf8, blockEnd));
    }
    byte[] string = new byte[(int) (to - from)];
    if (string.length > 0) {
      MemorySegment.copy(
          file.mapped(from, string.length), ValueLayout.JAVA_BYTE, from, string, 0, string.length);
    }
    return string;
  }

  private int end(int place) {
    return bytes.get(INT, ends + (long) place * Integer.BYTES);
  }

  /** Eight bytes may reach beyond those that were checked; their bits are cut off. */
  private long value(int inBlock) {
    if (width == 0) {
      return 0;
    }
    long at = packed + (long) inBlock * width / Byte.SIZE;
    return BitPacking.number(bytes.get(LONG, at), inBlock, width);
  }

  private void loadBlockOf(int doc) throws IOException {
    Objects.checkIndex(doc, documents);
    int wanted = doc / BLOCK;
    if (wanted != block) {
      block = -1;
      load(wanted, start(wanted), start(wanted + 1));
      block = wanted;
    }
  }

  private void load(int wanted, long from, long to) throws IOException {
    boolean areStrings = column.type() == ColumnType.STRING;
    int header = areStrings ? STRINGS_HEADER : NUMBERS_HEADER;
    if (from < file.bodyStart() || to > offsets || to - from < header) {
      throw file.corrupt("block %d is at %d to %d".formatted(wanted, from, to));
    }
    bytes = file.mapped(from, header);
    count = Math.min(BLOCK, documents - wanted * BLOCK);
    present = bytes.get(SHORT, from) & 0xFFFF;
    width = bytes.get(ValueLayout.JAVA_BYTE, from + 2) & 0xFF;
    least = areStrings ? 0 : bytes.get(LONG, from + 3);
    distinct = areStrings ? bytes.get(SHORT, from + 3) & 0xFFFF : 0;
    if (present > count || distinct > present || !BitPacking.isWidth(width)) {
      throw file.corrupt(
          "block %d has %d values of %d bits, %d distinct, in %d documents"
              .formatted(wanted, present, width, distinct, count));
    }
    presence = from + header;
    packed = presence + (present > 0 && present < count ? BitPacking.bytes(count, 1) : 0);
    ends = packed + BitPacking.bytes(count, width);
    utf8 = ends + (long) distinct * Integer.BYTES;
    blockEnd = to;
    if (areStrings ? utf8 > to : utf8 != to) {
      throw file.corrupt("block %d ends at %d, expected %d".formatted(wanted, to, utf8));
    }
    bytes = file.mapped(from, utf8 - from);
  }

  /**
   * Decodes everything, and compares it with its statistics.
   *
   * @throws CorruptIndexException if no {@link ColumnWriter} writes such a file
   */
  public void verify(ColumnStatistics expected) throws IOException {
    int values = 0;
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    for (int of = 0; of < blocks; of++) {
      Interruption.requireNone();
      loadBlockOf(of * BLOCK);
      long least = Long.MAX_VALUE;
      long greatest = Long.MIN_VALUE;
      int found = 0;
      boolean[] used = new boolean[distinct];
      for (int doc = of * BLOCK; doc < of * BLOCK + count; doc++) {
        boolean has = has(doc);
        if (!has && value(doc % BLOCK) != 0) {
          throw file.corrupt("document %d has a value and is said to have none".formatted(doc));
        }
        if (has && column.type() == ColumnType.STRING) {
          used[place(doc)] = true;
        } else if (has) {
          least = Math.min(least, number(doc));
          greatest = Math.max(greatest, number(doc));
        }
        found += has ? 1 : 0;
      }
      if (found != present) {
        throw file.corrupt("block %d has %d values, expected %d".formatted(of, found, present));
      }
      if (column.type() == ColumnType.STRING) {
        verifyStrings(used);
      } else if (found > 0) {
        requireWidth(greatest - least, least == this.least);
        low = Math.min(low, least);
        high = Math.max(high, greatest);
      } else {
        requireWidth(0, this.least == 0);
      }
      values += found;
    }
    ColumnStatistics all =
        low > high ? new ColumnStatistics(values, 0, 0) : new ColumnStatistics(values, low, high);
    if (!all.equals(expected)) {
      throw file.corrupt("has %s, expected %s".formatted(all, expected));
    }
  }

  private void verifyStrings(boolean[] used) throws IOException {
    requireWidth(Math.max(0, distinct - 1), true);
    byte[] before = null;
    int end = 0;
    for (int place = 0; place < distinct; place++) {
      byte[] string = distinct(place);
      if (!used[place] || (before != null && Arrays.compareUnsigned(before, string) >= 0)) {
        throw file.corrupt(
            "string %d of block %d is out of order or not used".formatted(place, block));
      }
      requireText(string, place);
      before = string;
      end = end(place);
    }
    if (utf8 + end != blockEnd) {
      throw file.corrupt("block %d ends at %d, expected %d".formatted(block, blockEnd, utf8 + end));
    }
  }

  private void requireText(byte[] string, int place) throws CorruptIndexException {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(string));
    } catch (CharacterCodingException e) {
      throw file.corrupt("string %d of block %d is not UTF-8".formatted(place, block));
    }
    if (string.length > Column.MAX_STRING_BYTES) {
      throw file.corrupt(
          "string %d of block %d has %d bytes, expected at most %d"
              .formatted(place, block, string.length, Column.MAX_STRING_BYTES));
    }
  }

  private void requireWidth(long range, boolean isLeastExact) throws CorruptIndexException {
    if (!isLeastExact || width != BitPacking.width(range)) {
      throw file.corrupt(
          "block %d has values of %d bits from %d, expected %d bits for a range of %d"
              .formatted(block, width, least, BitPacking.width(range), range));
    }
  }
}
