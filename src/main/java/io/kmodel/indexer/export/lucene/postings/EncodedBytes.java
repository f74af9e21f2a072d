package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.store.LittleEndian;
import io.kmodel.indexer.store.VariableLength;
import java.io.IOException;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.util.ArrayUtil;

/**
 * A growing buffer of encoded postings before they are written, in the encodings of Lucene's {@link
 * DataOutput}. Memory: the largest content so far plus an eighth. Not thread-safe.
 */
final class EncodedBytes {
  private static final int FIRST_BYTES = 1 << 12;

  private static final int MUCH_BYTES = 1 << 14;

  /** Maximum size of a group of four numbers: a byte with their lengths, and four bytes each. */
  private static final int MAX_GROUP_BYTES = 1 + 4 * Integer.BYTES;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int size;

  int size() {
    return size;
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

  /** Appends the content to another buffer and clears this one. */
  void moveTo(EncodedBytes other) {
    other.reserve(size);
    System.arraycopy(bytes, 0, other.bytes, other.size, size);
    other.size += size;
    size = 0;
  }

  void put(byte value) {
    reserve(1);
    bytes[size++] = value;
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
