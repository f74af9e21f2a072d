package io.kmodel.indexer.inversion;

import io.kmodel.indexer.store.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;

/**
 * Reads encoded lists that came from a device, by way of an array, which is faster than memory byte
 * by byte. Every method throws an IndexOutOfBoundsException at the end. Memory: 17 KiB. Not
 * thread-safe.
 */
final class PackedBytes {
  private static final int BUFFER = 1 << 14;

  /** So many bytes are present after {@link #prepare}, or all that are left. */
  private static final int AHEAD = 1 << 11;

  /** Masks for the bytes of a number in a group. */
  private static final int[] MASKS = {0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF};

  private final MemorySegment memory;

  /** With room for a long behind the last byte. */
  private final byte[] buffer = new byte[BUFFER + Long.BYTES];

  private final int[] packed = new int[BlockUnpacking.SIZE];

  /** Where the buffer starts in memory, how many bytes it has, and the next one. */
  private long start;

  private int count;
  private int at;

  PackedBytes(MemorySegment memory) {
    this.memory = memory;
  }

  long place() {
    return start + at;
  }

  boolean isAtEnd() {
    return place() == memory.byteSize();
  }

  /** Call it before reading up to {@link #AHEAD} bytes. */
  void prepare() {
    if (count - at < AHEAD) {
      refill();
    }
  }

  private void refill() {
    start += at;
    at = 0;
    count = (int) Math.min(BUFFER, Math.max(0, memory.byteSize() - start));
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, count == 0 ? 0 : start, buffer, 0, count);
  }

  int next() {
    if (at == count) {
      refill();
      if (count == 0) {
        throw new IndexOutOfBoundsException();
      }
    }
    return buffer[at++] & 0xFF;
  }

  int nextShort() {
    return next() | next() << Byte.SIZE;
  }

  int nextInt() {
    int low = next();
    return low < 0x80 ? low : (int) rest(low);
  }

  long nextVariable() {
    int low = next();
    return low < 0x80 ? low : rest(low);
  }

  private long rest(int low) {
    long value = low & 0x7F;
    for (int shift = 7; ; shift += 7) {
      int seven = next();
      value |= (long) (seven & 0x7F) << shift;
      if (seven < 0x80) {
        return value;
      }
    }
  }

  /** A number of two bytes, or more if their highest bit is set. */
  long nextVariable15() {
    int low = nextShort();
    return low < 1 << 15 ? low : (low & 0x7FFF) | nextVariable() << 15;
  }

  void pass(long bytes) {
    if (bytes < 0 || bytes > memory.byteSize() - place()) {
      throw new IndexOutOfBoundsException();
    }
    if (bytes <= count - at) {
      at += (int) bytes;
    } else {
      start += at + bytes;
      at = 0;
      count = 0;
    }
  }

  void nextInts(int[] to, int ints) {
    prepare();
    Objects.checkFromIndexSize(at, Integer.BYTES * ints, count);
    for (int i = 0; i < ints; i++) {
      to[i] = LittleEndian.getInt(buffer, at + Integer.BYTES * i);
    }
    at += Integer.BYTES * ints;
  }

  /** Reads numbers of seven bits a byte, at most a block of them. */
  void nextVariables(int[] to, int ints) {
    prepare();
    int place = at;
    for (int i = 0; i < ints; i++) {
      int value = buffer[place++];
      if (value < 0) {
        value &= 0x7F;
        for (int shift = 7; ; shift += 7) {
          int seven = buffer[place++];
          value |= (seven & 0x7F) << shift;
          if (seven >= 0) {
            break;
          }
        }
      }
      to[i] = value;
    }
    moveTo(place);
  }

  /**
   * Reads numbers in groups of four behind their lengths, at most a block; the last few one by one.
   */
  void nextGroups(int[] to, int ints) {
    prepare();
    int place = at;
    int i = 0;
    for (; ints - i >= 4; i += 4) {
      int lengths = buffer[place++];
      for (int k = 0; k < 4; k++) {
        int length = (lengths >>> (6 - 2 * k)) & 3;
        to[i + k] = LittleEndian.getInt(buffer, place) & MASKS[length];
        place += length + 1;
      }
    }
    moveTo(place);
    for (; i < ints; i++) {
      to[i] = nextInt();
    }
  }

  /** Marks the buffer as read up to a place in it. */
  private void moveTo(int place) {
    Objects.checkFromToIndex(at, place, count);
    at = place;
  }

  /** Reads a block of numbers, a few of which may have more bits than the others. */
  void nextPatched(BlockUnpacking unpacking, int[] to) {
    int head = next();
    int bits = head & 31;
    if (bits == 0) {
      Arrays.fill(to, (int) nextVariable());
    } else {
      nextInts(packed, BlockUnpacking.packedWords(bits));
      unpacking.unpack(packed, bits, to);
    }
    for (int outlier = head >>> 5; outlier > 0; outlier--) {
      int number = next();
      to[number] |= next() << bits;
    }
  }

  long nextLong() {
    prepare();
    Objects.checkFromIndexSize(at, Long.BYTES, count);
    long value = LittleEndian.getLong(buffer, at);
    at += Long.BYTES;
    return value;
  }
}
