package io.kmodel.indexer.source;

import java.util.Arrays;

/**
 * Writes blocks of bzip2 as a stream of their own, for a decoder that knows nothing of the rest of
 * the file. Memory: what was written, and as much again at most. Not thread-safe.
 */
final class Bzip2Stream {
  /** What blocks start with, and where a stream's checksum follows: digits of pi and its root. */
  static final long BLOCK = 0x314159265359L;

  static final long END = 0x177245385090L;
  static final int MAGIC_BITS = 48;
  static final int CHECKSUM_BITS = 32;

  private byte[] bytes = new byte[1 << 10];

  /** Bits that were written; what lies behind them in their byte may be anything. */
  private long length;

  /** Of the blocks of the stream so far. */
  private int checksum;

  /** The checksum of a stream that has one block more. */
  static int withBlock(int checksum, int blockChecksum) {
    return Integer.rotateLeft(checksum, 1) ^ blockChecksum;
  }

  /**
   * Begins a stream.
   *
   * @param level the digit that its header ends with, which says how large blocks are
   */
  Bzip2Stream(byte level) {
    put(('B' << 16 | 'Z' << 8 | 'h') << 8 | level, Integer.SIZE);
  }

  /**
   * Adds a block.
   *
   * @param from where the block is, and a byte behind it
   * @param bit at which it starts, with its magic
   */
  void add(int blockChecksum, byte[] from, long bit, int bits) {
    reserve(bits);
    int filling = Math.min((int) -length & 7, bits);
    put(get(from, bit, filling), filling);
    copy(from, bit + filling, bits - filling);
    checksum = withBlock(checksum, blockChecksum);
  }

  /** Bytes that were written, to the last whole one. */
  int size() {
    return (int) (length / Byte.SIZE);
  }

  /** The whole stream, which is ended so. */
  byte[] end() {
    reserve(MAGIC_BITS + CHECKSUM_BITS);
    put(END, MAGIC_BITS);
    put(checksum, CHECKSUM_BITS);
    put(0, (int) -length & 7);
    return Arrays.copyOf(bytes, size());
  }

  /** So many bits, 64 at most. */
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

  /** Copies bits to where a byte begins. */
  private void copy(byte[] from, long bit, int bits) {
    int at = (int) (bit >>> 3);
    int right = Byte.SIZE - (int) (bit & 7);
    int to = size();
    // Up to a byte of which only some bits belong to it.
    for (int i = 0; i <= bits / Byte.SIZE; i++) {
      int two = (from[at + i] & 0xFF) << Byte.SIZE | (from[at + i + 1] & 0xFF);
      bytes[to + i] = (byte) (two >>> right);
    }
    length += bits;
  }
}
