package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.store.LittleEndian;
import io.kmodel.indexer.store.VariableLength;
import java.io.IOException;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ArrayUtil;

/**
 * A growing buffer of encoded postings or terms before they are written, in the encodings of
 * Lucene's {@link DataOutput}. Our encoders call the put methods; as a {@link DataOutput}, the
 * buffer also receives bytes from Lucene's encoders. Memory: the largest content so far plus an
 * eighth. Not thread-safe.
 */
final class EncodedBytes extends DataOutput {
  private static final int FIRST_BYTES = 1 << 12;

  private static final int MUCH_BYTES = 1 << 14;

  /** Maximum size of a group of four numbers: a byte with their lengths, and four bytes each. */
  private static final int MAX_GROUP_BYTES = 1 + 4 * Integer.BYTES;

  private byte[] bytes;
  private int size;

  /** A buffer with room for a few postings or terms. */
  EncodedBytes() {
    this(FIRST_BYTES);
  }

  /** A buffer with room for the given number of bytes. */
  EncodedBytes(int capacity) {
    this.bytes = new byte[capacity];
  }

  int size() {
    return size;
  }

  /** The content, in the first {@link #size} bytes; valid until the buffer changes. */
  byte[] array() {
    return bytes;
  }

  void clear() {
    size = 0;
  }

  /** Whether the content is large enough to be written. */
  boolean isMuch() {
    return size >= MUCH_BYTES;
  }

  /** Writes the content and clears the buffer. */
  void moveTo(DataOutput out) throws IOException {
    out.writeBytes(bytes, 0, size);
    size = 0;
  }

  /** Returns the file pointer of the next byte to be added. Writes the content if it is large. */
  long positionIn(IndexOutput out) throws IOException {
    if (isMuch()) {
      moveTo(out);
    }
    return out.getFilePointer() + size;
  }

  /** Appends the content to another buffer and clears this one. */
  void moveTo(EncodedBytes other) {
    other.append(this);
    size = 0;
  }

  /** Adds another buffer's content, which stays there. */
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

  /** Adds the lowest 1 to 8 bytes in little-endian order. */
  void putLowest(long value, int count) {
    reserve(Long.BYTES);
    LittleEndian.putLong(bytes, size, value);
    size += count;
  }

  /** Adds the lower 16 bits. */
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

  /** Adds a zigzag-encoded number; short for small numbers of either sign. */
  void putZLong(long value) {
    putVLong((value >> (Long.SIZE - 1)) ^ (value << 1));
  }

  /** Adds two bytes if below 2^15, else two with the lowest 15 bits, then {@link #putVLong}. */
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
   * Adds groups of four numbers: a byte with their lengths, then their bytes. Up to three remaining
   * numbers are added by {@link #putVInt}.
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
