package io.kmodel.indexer.index.columns;

import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnStatistics;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Writes {@code columns.<name>}: a value or none for each document, in blocks of {@value #BLOCK}
 * documents, of which the last may have fewer.
 *
 * <pre>
 * body     := block* offset:u64{blocks + 1}     where blocks start and the last one ends, counted
 *                                               from the body's start
 * block    := present:u16 width:u8 least:u64 [presence] packed               of numbers
 *           | present:u16 width:u8 distinct:u16 [presence] packed end:u32{distinct} utf8
 * presence := bit{documents}                    whether each document has a value; left out if
 *                                               all or none have one
 * packed   := bit{width}{documents}             number - least, or the place of the string among
 *                                               the distinct ones; 0 without a value
 * end      := where each distinct string ends in utf8, where they follow each other in byte order
 * </pre>
 *
 * Bits fill bytes from the low ones. A width is the least that suffices, or 64 if that is above 56.
 *
 * <p>Example: the strings "b", none and "a" are {@code 02 00 01 02 00 05 01 01 00 00 00 02 00 00 00
 * 61 62}: the presence is 101, and the places are 1, 0 and 0.
 *
 * <p>Memory: 250 KiB, 8 to 20 bytes for every block of 4,096 documents, and the distinct strings of
 * the current block: usually less than 250 KiB, at most 24 MiB if all strings are as long as they
 * may be. Not thread-safe. Closing without a commit deletes the file.
 */
final class ColumnWriter implements AutoCloseable {
  static final int BLOCK = 1 << 12;

  private final Column column;
  private final OutputFile out;
  private final long bodyStart;
  private final BlockStrings strings = new BlockStrings();

  /** Numbers, or the numbers of strings. */
  private final long[] values = new long[BLOCK];

  private final byte[] presence = new byte[BLOCK / Byte.SIZE];
  private final byte[] packed = new byte[BLOCK * Long.BYTES + Long.BYTES];
  private long[] offsets = new long[16];
  private int blocks;

  /** Documents of the block, and those of them with a value. */
  private int count;

  private int present;
  private int documents;
  private int allPresent;
  private long least = Long.MAX_VALUE;
  private long greatest = Long.MIN_VALUE;

  ColumnWriter(Path directory, Column column) throws IOException {
    this.column = column;
    this.out =
        OutputFile.create(
            directory.resolve(IndexFiles.column(column)), IndexFiles.COLUMNS, IndexFiles.VERSION);
    this.bodyStart = out.position();
  }

  /** Adds a document without a value. */
  void addNone() throws IOException {
    values[count++] = 0;
    finishDocument();
  }

  /** Adds a document of a column of numbers. */
  void add(long number) throws IOException {
    addPresent(number);
  }

  /** Adds a document of a column of strings. */
  void add(byte[] utf8, int offset, int length) throws IOException {
    addPresent(strings.add(utf8, offset, length));
  }

  private void addPresent(long value) throws IOException {
    presence[count / Byte.SIZE] |= (byte) (1 << count % Byte.SIZE);
    present++;
    values[count++] = value;
    finishDocument();
  }

  private void finishDocument() throws IOException {
    documents = Math.addExact(documents, 1);
    if (count == BLOCK) {
      writeBlock();
    }
  }

  private boolean isPresent(int document) {
    return (presence[document / Byte.SIZE] >> document % Byte.SIZE & 1) != 0;
  }

  private void writeBlock() throws IOException {
    startBlock();
    out.writeByte(present);
    out.writeByte(present >>> Byte.SIZE);
    if (column.type() == ColumnType.STRING) {
      writeStrings();
    } else {
      writeNumbers();
    }
    allPresent += present;
    count = 0;
    present = 0;
    Arrays.fill(presence, (byte) 0);
  }

  private void startBlock() {
    if (blocks + 1 == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * offsets.length);
    }
    offsets[blocks++] = out.position() - bodyStart;
  }

  private void writeNumbers() throws IOException {
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    for (int i = 0; i < count; i++) {
      if (isPresent(i)) {
        low = Math.min(low, values[i]);
        high = Math.max(high, values[i]);
      }
    }
    if (present == 0) {
      low = 0;
      high = 0;
    } else {
      least = Math.min(least, low);
      greatest = Math.max(greatest, high);
    }
    for (int i = 0; i < count; i++) {
      values[i] = isPresent(i) ? values[i] - low : 0;
    }
    int width = BitPacking.width(high - low);
    out.writeByte(width);
    out.writeLong(low);
    writeValues(width);
  }

  private void writeStrings() throws IOException {
    int[] order = strings.sorted();
    int[] places = new int[order.length];
    for (int place = 0; place < order.length; place++) {
      places[order[place]] = place;
    }
    for (int i = 0; i < count; i++) {
      values[i] = isPresent(i) ? places[(int) values[i]] : 0;
    }
    int width = BitPacking.width(Math.max(0, order.length - 1));
    out.writeByte(width);
    out.writeByte(order.length);
    out.writeByte(order.length >>> Byte.SIZE);
    writeValues(width);
    strings.write(order, out);
    strings.clear();
  }

  private void writeValues(int width) throws IOException {
    if (present > 0 && present < count) {
      out.writeBytes(presence, 0, BitPacking.bytes(count, 1));
    }
    BitPacking.pack(values, count, width, packed);
    out.writeBytes(packed, 0, BitPacking.bytes(count, width));
  }

  /** Documents added so far. */
  int documents() {
    return documents;
  }

  /** Completes the file. */
  ColumnStatistics commit(boolean isForced) throws IOException {
    if (count > 0) {
      writeBlock();
    }
    offsets[blocks] = out.position() - bodyStart;
    for (int i = 0; i <= blocks; i++) {
      out.writeLong(offsets[i]);
    }
    if (isForced) {
      out.commit();
    } else {
      out.commitUnforced();
    }
    return allPresent == 0 || column.type() == ColumnType.STRING
        ? new ColumnStatistics(allPresent, 0, 0)
        : new ColumnStatistics(allPresent, least, greatest);
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
