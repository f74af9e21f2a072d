package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.store.LittleEndian;
import io.kmodel.indexer.store.VariableLength;
import java.io.IOException;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ArrayUtil;

/**
 * Bytes of encoded postings or terms that wait to be written, in the encodings of Lucene's {@link
 * DataOutput}: an array that grows, so that a number costs no call. It is such an output for
 * Lucene's own encoders, which write a byte at a time; ours put. Memory: the most that was in it,
 * and an eighth more. Not thread-safe.
 */
final class EncodedBytes extends DataOutput {
  private static final int FIRST_BYTES = 1 << 12;

  private static final int MUCH_BYTES = 1 << 14;

  /** The most that four numbers take in a group: their lengths, and four bytes each. */
  private static final int MAX_GROUP_BYTES = 1 + 4 * Integer.BYTES;

  private byte[] bytes;
  private int size;

  /** With room for a few postings or terms. */
  EncodedBytes() {
    this(FIRST_BYTES);
  }

  /** With room for so many bytes. */
  EncodedBytes(int capacity) {
    this.bytes = new byte[capacity];
  }

  int size() {
    return size;
  }

  /** Its bytes are the first ones, until more are put in. */
  byte[] array() {
    return bytes;
  }

  void clear() {
    size = 0;
  }

  /** Whether it should be written. */
  boolean isMuch() {
    return size >= MUCH_BYTES;
  }

  /** Writes all of it, and is empty then. */
  void moveTo(DataOutput out) throws IOException {
    out.writeBytes(bytes, 0, size);
    size = 0;
  }

  /** Where what is put in next will lie; writes all of it, if it is much. */
  long placeIn(IndexOutput out) throws IOException {
    if (isMuch()) {
      moveTo(out);
    }
    return out.getFilePointer() + size;
  }

  /** Appends all of it to another, and is empty then. */
  void moveTo(EncodedBytes other) {
    other.append(this);
    size = 0;
  }

  void append(EncodedBytes other) {
    writeBytes(other.bytes, 0, other.size);
  }

  @Override
  public void writeBytes(byte[] from, int offset, int length) {
    reserve(length);
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
  }

  @Override
  public void writeByte(byte value) {
    put(value);
  }

  void put(byte value) {
    reserve(1);
    bytes[size++] = value;
  }

  /** The lowest so many bytes, 1 to 8, lowest first. */
  void putLowest(long value, int count) {
    reserve(Long.BYTES);
    LittleEndian.putLong(bytes, size, value);
    size += count;
  }

  /** The lower 16 bits. */
  void putShort(int value) {
    reserve(Short.BYTES);
    bytes[size++] = (byte) value;
    bytes[size++] = (byte) (value >>> Byte.SIZE);
  }

  void putInts(int[] values, int count) {
    reserve(Integer.BYTES * count);
    for (int i = 0; i < count; i++) {
      LittleEndian.putInt(bytes, size + Integer.BYTES * i, values[i]);
    }
    size += Integer.BYTES * count;
  }

  void putLongs(long[] values, int count) {
    reserve(Long.BYTES * count);
    for (int i = 0; i < count; i++) {
      LittleEndian.putLong(bytes, size + Long.BYTES * i, values[i]);
    }
    size += Long.BYTES * count;
  }

  void putVInt(int value) {
    reserve(VariableLength.MAX_INT_BYTES);
    size = VariableLength.putInt(bytes, size, value);
  }

  void putVInts(int[] values, int count) {
    reserve(VariableLength.MAX_INT_BYTES * count);
    int at = size;
    for (int i = 0; i < count; i++) {
      at = VariableLength.putInt(bytes, at, values[i]);
    }
    size = at;
  }

  void putVLong(long value) {
    reserve(VariableLength.MAX_LONG_BYTES);
    size = VariableLength.putLong(bytes, size, value);
  }

  /** Small numbers of either sign are short. */
  void putZLong(long value) {
    putVLong((value >> (Long.SIZE - 1)) ^ (value << 1));
  }

  /** Two bytes below 2^15, else two with the lowest 15 bits, and the rest as {@link #putVLong}. */
  void putVLong15(long value) {
    long rest = value >>> 15;
    if (rest == 0) {
      putShort((int) value);
    } else {
      putShort((int) value | (1 << 15));
      putVLong(rest);
    }
  }

  /**
   * Four at a time: a byte with their lengths, then their bytes; up to three at the end as ints.
   */
  void putGroups(int[] values, int count) {
    reserve(MAX_GROUP_BYTES * (count / 4 + 1));
    int from = 0;
    for (; from + 4 <= count; from += 4) {
      int lengths = size++;
      int noted = 0;
      for (int i = from; i < from + 4; i++) {
        int length = (Integer.SIZE + 7 - Integer.numberOfLeadingZeros(values[i] | 1)) >>> 3;
        noted = (noted << 2) | (length - 1);
        LittleEndian.putInt(bytes, size, values[i]);
        size += length;
      }
      bytes[lengths] = (byte) noted;
    }
    for (; from < count; from++) {
      size = VariableLength.putInt(bytes, size, values[from]);
    }
  }

  private void reserve(int more) {
    if (more > bytes.length - size) {
      bytes = ArrayUtil.grow(bytes, Math.addExact(size, more));
    }
  }
}
