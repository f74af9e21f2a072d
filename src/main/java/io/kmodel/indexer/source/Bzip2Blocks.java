package io.kmodel.indexer.source;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a file of bzip2 into its blocks without decoding them: a block starts at any bit, with 48
 * bits by which it is found. Each comes as a stream of its own, with a header before it and an end
 * behind, for a decoder that knows nothing of the others.
 *
 * <p>What only looks like a block's start, once in some ten terabytes, cuts the block that it is
 * in, which its decoder then finds damaged. So what fails here or there says no more than that the
 * file has to be decoded from front to back. Failure: an {@link IOException} where anything else
 * follows than a block, an end with the streams' checksum, another stream, or the end of the file;
 * and where a block has more than {@value #MOST_BYTES} bytes. Memory: a window of twice as many,
 * and the blocks. Not thread-safe.
 */
final class Bzip2Blocks {
  /** More than what is in the largest block takes, even where nothing in it could be packed. */
  private static final int MOST_BYTES = 1 << 20;

  /** What blocks start with, and where a stream's checksum follows: digits of pi and its root. */
  private static final long BLOCK = 0x314159265359L;

  private static final long END = 0x177245385090L;
  private static final int MAGIC_BITS = 48;
  private static final int CHECKSUM_BITS = 32;

  /** "BZh" and a digit that says how large blocks are. */
  private static final int HEADER_BYTES = 4;

  private static final VarHandle BIG_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /**
   * By the value of the byte two behind it: at which bits of a byte a magic may start, in the
   * lowest eight those of a block's, above them those of an end's. The other by the byte three
   * behind it.
   */
  private static final int[] THIRD = shiftsOf(2);

  private static final int[] FOURTH = shiftsOf(3);

  private final InputBytes in;
  private byte level;
  private boolean inStream;
  private boolean first = true;

  /** Whether what is left of the file is in the window. */
  private boolean endsInWindow;

  /** The bit of the file at which a block or a stream's end should start; or a stream. */
  private long bit;

  /** Of the blocks of the stream so far. */
  private int checksum;

  /** Cuts the file that the input is from, from where that is; it is not read. */
  Bzip2Blocks(InputBytes file) {
    long start = file.position();
    this.in = file.fork(start, 2 * MOST_BYTES);
    this.bit = start << 3;
  }

  /** The next block, as a stream; null at the end of the file. */
  byte @Nullable [] next() throws IOException {
    while (inStream || startStream()) {
      in.seek(bit >>> 3);
      // Once, as that moves what is left of the window.
      endsInWindow = endsInWindow || !in.fill(MOST_BYTES);
      if (magic() == BLOCK) {
        return block();
      }
      endStream();
    }
    return null;
  }

  /** Offset in the file of the byte in which what follows starts. */
  long end() {
    return bit >>> 3;
  }

  /** Reads a stream's header; false at the end of the file. */
  private boolean startStream() throws IOException {
    in.seek(bit >>> 3);
    if (!in.fill(HEADER_BYTES)) {
      if (first || in.available() > 0) {
        throw unexpected("a stream");
      }
      return false;
    }
    if (Compression.of(in.array(), in.at(), HEADER_BYTES) != Compression.BZIP2) {
      throw unexpected("a stream");
    }
    level = in.array()[in.at() + HEADER_BYTES - 1];
    bit += HEADER_BYTES * Byte.SIZE;
    first = false;
    inStream = true;
    checksum = 0;
    return true;
  }

  private void endStream() throws IOException {
    if (magic() != END || checksumHere() != checksum) {
      throw unexpected("a block or a stream's end");
    }
    inStream = false;
    // The last byte is filled up.
    bit = (bit + MAGIC_BITS + CHECKSUM_BITS + Byte.SIZE - 1) & -Byte.SIZE;
  }

  private byte[] block() throws IOException {
    int blockChecksum = checksumHere();
    int from = in.at();
    long end = nextMagic(from + (MAGIC_BITS + CHECKSUM_BITS) / Byte.SIZE, from + in.available());
    if (end < 0) {
      throw unexpected("another block");
    }
    int shift = (int) bit & 7;
    int length = (int) (end - ((long) from << 3) - shift);
    byte[] stream = new byte[HEADER_BYTES + (length + MAGIC_BITS + CHECKSUM_BITS + 7) / Byte.SIZE];
    stream[0] = 'B';
    stream[1] = 'Z';
    stream[2] = 'h';
    stream[3] = level;
    byte[] window = in.array();
    // Up to a byte that has only some of its bits; what follows these is written over.
    for (int i = 0; i <= length / Byte.SIZE; i++) {
      int two = (window[from + i] & 0xFF) << Byte.SIZE | (window[from + i + 1] & 0xFF);
      stream[HEADER_BYTES + i] = (byte) (two >>> (Byte.SIZE - shift));
    }
    int at = HEADER_BYTES * Byte.SIZE + length;
    put(stream, at, END, MAGIC_BITS);
    put(stream, at + MAGIC_BITS, blockChecksum, CHECKSUM_BITS);
    bit += length;
    checksum = Integer.rotateLeft(checksum, 1) ^ blockChecksum;
    return stream;
  }

  /** The bits at hand that should be a block's or an end's magic; -1 where the file ends. */
  private long magic() {
    return bits(0, MAGIC_BITS);
  }

  private int checksumHere() {
    return (int) bits(MAGIC_BITS, CHECKSUM_BITS);
  }

  /** Some bits behind the one at hand, if a magic and a checksum are there. */
  private long bits(int from, int count) {
    int shift = (int) bit & 7;
    if (in.available() * (long) Byte.SIZE - shift < MAGIC_BITS + CHECKSUM_BITS) {
      return -1;
    }
    long value = 0;
    for (int i = shift + from; i < shift + from + count; i++) {
      int b = in.array()[in.at() + (i >>> 3)];
      value = value << 1 | ((b >>> (7 - (i & 7))) & 1);
    }
    return value;
  }

  /**
   * Finds the next start of a block or end of a stream.
   *
   * @return its bit in the window; -1 if there is none
   */
  private long nextMagic(int from, int to) {
    byte[] window = in.array();
    // An end has a checksum behind it, so eight bytes are always there.
    for (int i = from; i <= to - Long.BYTES; i++) {
      int shifts = THIRD[window[i + 2] & 0xFF] & FOURTH[window[i + 3] & 0xFF];
      if (shifts != 0) {
        long eight = (long) BIG_LONG.get(window, i);
        for (int shift = 0; shift < Byte.SIZE; shift++) {
          long magic = eight << shift >>> (Long.SIZE - MAGIC_BITS);
          if (magic == BLOCK || magic == END) {
            return ((long) i << 3) + shift;
          }
        }
      }
    }
    return -1;
  }

  /** Of each value of a byte, the shifts at which a magic has it at that place, a bit for each. */
  private static int[] shiftsOf(int place) {
    int[] shifts = new int[1 << Byte.SIZE];
    for (int shift = 0; shift < Byte.SIZE; shift++) {
      int right = MAGIC_BITS + shift - (place + 1) * Byte.SIZE;
      shifts[(int) (BLOCK >>> right) & 0xFF] |= 1 << shift;
      shifts[(int) (END >>> right) & 0xFF] |= 1 << (Byte.SIZE + shift);
    }
    return shifts;
  }

  /** Writes the lowest bits of a value. */
  private static void put(byte[] to, int at, long value, int count) {
    for (int i = 0; i < count; i++) {
      int place = at + i;
      int mask = 0x80 >>> (place & 7);
      boolean set = (value >>> (count - 1 - i) & 1) != 0;
      to[place >>> 3] = (byte) (set ? to[place >>> 3] | mask : to[place >>> 3] & ~mask);
    }
  }

  private IOException unexpected(String expected) {
    return new IOException("bzip2: " + expected + " expected at bit " + bit);
  }
}
