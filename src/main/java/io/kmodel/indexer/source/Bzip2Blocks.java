package io.kmodel.indexer.source;

import static io.kmodel.indexer.source.Bzip2Stream.BLOCK;
import static io.kmodel.indexer.source.Bzip2Stream.CHECKSUM_BITS;
import static io.kmodel.indexer.source.Bzip2Stream.END;
import static io.kmodel.indexer.source.Bzip2Stream.MAGIC_BITS;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a file of bzip2 into its blocks without decoding them: a block starts at any bit, with 48
 * bits by which it is found. They come as streams of their own, for a decoder that knows nothing of
 * the others. Small ones come a few together, also of several streams, since a decoder takes 0.1 ms
 * to make: as many as have {@value #LEAST_BYTES} bytes, or {@value #LEAST_FULL} before they were
 * packed, as far as that is known.
 *
 * <p>What only looks like a block's start, once in some ten terabytes, cuts the block that it is
 * in, which its decoder then finds damaged. So what fails here or there says no more than that the
 * file has to be decoded from front to back. Failure: an {@link IOException} where anything else
 * follows than a block, an end with the streams' checksum, another stream, or the end of the file,
 * and where a block has so many bytes that it does not lie in the window with the start of the
 * next, {@value #MOST_BYTES} at least; blocks before that may come no more. Memory: a window of 2
 * MiB, and the blocks. Not thread-safe.
 */
final class Bzip2Blocks {
  private static final int LEAST_BYTES = 1 << 16;
  private static final int LEAST_FULL = 900_000;

  /** By a stream's level: what a block has before it is packed. */
  private static final int LEVEL_BYTES = 100_000;

  /**
   * More than a block of the usual compressors takes, even where nothing in it can be packed; so is
   * what the window has before it is filled again.
   */
  private static final int MOST_BYTES = 1 << 20;

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

  /** The next blocks, as a stream; null at the end of the file. */
  byte @Nullable [] next() throws IOException {
    Bzip2Stream blocks = null;
    byte blocksLevel = 0;
    int full = 0;
    boolean another = false;
    while (inStream || startStream()) {
      in.seek(bit >>> 3);
      // Once, as that moves what is left of the window.
      endsInWindow = endsInWindow || !in.fill(MOST_BYTES);
      if (magic() != BLOCK) {
        endStream();
        another = false;
        continue;
      }
      // The one before it in its stream has as much as there may be.
      full += another ? (level - '0') * LEVEL_BYTES : 0;
      if (blocks == null) {
        blocks = new Bzip2Stream(level);
        blocksLevel = level;
      } else if (blocks.size() >= LEAST_BYTES || full >= LEAST_FULL || blocksLevel != level) {
        break;
      }
      cut(blocks);
      another = true;
    }
    return blocks == null ? null : blocks.end();
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

  private void cut(Bzip2Stream blocks) throws IOException {
    int blockChecksum = checksumHere();
    int from = in.at();
    long end = nextMagic(from + (MAGIC_BITS + CHECKSUM_BITS) / Byte.SIZE, from + in.available());
    if (end < 0) {
      throw unexpected("another block");
    }
    long start = ((long) from << 3) + (bit & 7);
    int length = (int) (end - start);
    blocks.add(blockChecksum, in.array(), start, length);
    checksum = Bzip2Stream.withBlock(checksum, blockChecksum);
    bit += length;
  }

  /** The bits at hand that should be a block's or an end's magic; -1 where the file ends. */
  private long magic() {
    return bits(0, MAGIC_BITS);
  }

  private int checksumHere() {
    return (int) bits(MAGIC_BITS, CHECKSUM_BITS);
  }

  /** Bits behind the one at hand; -1 unless a magic and a checksum are there. */
  private long bits(int behind, int count) {
    int shift = (int) bit & 7;
    if (in.available() * (long) Byte.SIZE - shift < MAGIC_BITS + CHECKSUM_BITS) {
      return -1;
    }
    return Bzip2Stream.get(in.array(), ((long) in.at() << 3) + shift + behind, count);
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

  private IOException unexpected(String expected) {
    return new IOException("bzip2: " + expected + " expected at bit " + bit);
  }
}
