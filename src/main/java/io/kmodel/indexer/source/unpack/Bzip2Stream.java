package io.kmodel.indexer.source.unpack;

import java.util.Arrays;

/**
 * Writes bzip2 blocks as a separate stream, for a decoder that sees nothing else of the file.
 * Memory: up to twice the bytes written. Not thread-safe.
 */
final class Bzip2Stream {
  /**
   * Magic numbers of a block and of the end marker before a stream's checksum: digits of pi and of
   * its square root.
   */
  static final long BLOCK = 0x314159265359L;

  static final long END = 0x177245385090L;
  static final int MAGIC_BITS = 48;
  static final int CHECKSUM_BITS = 32;

  private byte[] bytes = new byte[1 << 10];

  /** Bits written; the rest of the last byte is undefined. */
  private long length;

  /** Checksum of the stream's blocks so far. */
  private int checksum;

  /** The checksum of a stream after another block. */
  static int withBlock(int checksum, int blockChecksum) {
    return Integer.rotateLeft(checksum, 1) ^ blockChecksum;
  }

  /**
   * Starts a stream.
   *
   * @param level last digit of the header, which gives the block size
   */
  Bzip2Stream(byte level) {
    put(('B' << 16 | 'Z' << 8 | 'h') << 8 | level, Integer.SIZE);
  }

  /**
   * Adds a block.
   *
   * @param from holds the block and a byte after it
   * @param bit at which the block starts, with its magic number
   */
  void add(int blockChecksum, byte[] from, long bit, int bits) {
    reserve(bits);
    int filling = Math.min((int) -length & 7, bits);
    put(get(from, bit, filling), filling);
    copy(from, bit + filling, bits - filling);
    checksum = withBlock(checksum, blockChecksum);
  }

  /** Complete bytes written so far. */
  int size() {
    return (int) (length / Byte.SIZE);
  }

  /** Ends the stream and returns all of it. */
  byte[] end() {
    reserve(MAGIC_BITS + CHECKSUM_BITS);
    put(END, MAGIC_BITS);
    put(checksum, CHECKSUM_BITS);
    put(0, (int) -length & 7);
    return Arrays.copyOf(bytes, size());
  }

  /** Reads {@code count} bits, at most 64. */
  static long get(byte[] from, long bit, int count) {
    long value = 0;
    for (long i = bit; i < bit + count; i++) {
      value = value << 1 | (from[(int) (i >>> 3)] >>> (7 - (i & 7)) & 1);
    }
    return value;
  }

  private void reserve(int bits) {
    long needed = (length + bits) / Byte.SIZE + 2;
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.max(needed, 2L * bytes.length));
    }
  }

  /** Writes the lowest bits of a value. */
  private void put(long value, int count) {
    for (int i = count - 1; i >= 0; i--) {
      int mask = 0x80 >>> (length & 7);
      int place = (int) (length >>> 3);
      boolean set = (value >>> i & 1) != 0;
      bytes[place] = (byte) (set ? bytes[place] | mask : bytes[place] & ~mask);
      length++;
    }
  }

  /** Copies bits to a byte boundary. */
  private void copy(byte[] from, long bit, int bits) {
    int at = (int) (bit >>> 3);
    int right = Byte.SIZE - (int) (bit & 7);
    int to = size();
    // The last byte may belong to the block only in part.
    for (int i = 0; i <= bits / Byte.SIZE; i++) {
      int two = (from[at + i] & 0xFF) << Byte.SIZE | (from[at + i + 1] & 0xFF);
      bytes[to + i] = (byte) (two >>> right);
    }
    length += bits;
  }
}
