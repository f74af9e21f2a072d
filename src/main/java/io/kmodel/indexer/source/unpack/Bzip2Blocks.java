package io.kmodel.indexer.source.unpack;

import static io.kmodel.indexer.source.unpack.Bzip2Stream.BLOCK;
import static io.kmodel.indexer.source.unpack.Bzip2Stream.CHECKSUM_BITS;
import static io.kmodel.indexer.source.unpack.Bzip2Stream.END;
import static io.kmodel.indexer.source.unpack.Bzip2Stream.MAGIC_BITS;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a bzip2 file into its blocks without decoding them. A block may start at any bit and is
 * found by its 48-bit magic number. Blocks are returned as complete bzip2 streams, for decoders
 * that see nothing else of the file. Creating a decoder takes 0.1 ms, so small blocks are grouped,
 * also across streams, until a group has {@value #LEAST_BYTES} compressed bytes or, as far as that
 * is known, {@value #LEAST_FULL} decompressed ones.
 *
 * <p>A false match of the magic number, expected once in some ten terabytes, splits a block, and
 * its decoder then reports damage. A failure here or in a decoder therefore only means that the
 * file must be decoded from front to back. Failure: an {@link IOException} if anything follows but
 * a block, an end marker with the stream's checksum, another stream or the end of the file; also if
 * a block is too long for the window to hold it and the start of the next one, which takes at least
 * {@value #MOST_BYTES} bytes. Blocks before the failure may be lost. Memory: a window of 2 MiB, and
 * the blocks. Not thread-safe.
 */
final class Bzip2Blocks {
  private static final int LEAST_BYTES = 1 << 16;
  private static final int LEAST_FULL = 900_000;

  /** Decompressed bytes of a full block, per level of its stream. */
  private static final int LEVEL_BYTES = 100_000;

  /**
   * More than common compressors write for one block, even of incompressible data. The window holds
   * this much before a block is cut, unless the file ends.
   */
  private static final int MOST_BYTES = 1 << 20;

  /** "BZh" and a digit for the block size. */
  private static final int HEADER_BYTES = 4;

  private static final VarHandle BIG_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /**
   * The shifts at which a magic number may start within a byte, indexed by the value of the byte
   * two after it; {@link #FOURTH} is indexed by the byte three after it. The lowest eight bits are
   * for blocks, the next eight for end markers.
   */
  private static final int[] THIRD = shiftsOf(2);

  private static final int[] FOURTH = shiftsOf(3);

  private final InputBytes in;
  private byte level;
  private boolean inStream;
  private boolean first = true;

  /** Whether the window holds the rest of the file. */
  private boolean endsInWindow;

  /** Offset in bits at which a block, an end marker or a stream should start. */
  private long bit;

  /** Checksum of the current stream's blocks so far. */
  private int checksum;

  /** Cuts the file of {@code file} from its current position, which does not change. */
  Bzip2Blocks(InputBytes file) {
    long start = file.position();
    this.in = file.fork(start, 2 * MOST_BYTES);
    this.bit = start << 3;
  }

  /** The next blocks, as a bzip2 stream; null at the end of the file. */
  byte @Nullable [] next() throws IOException {
    Bzip2Stream blocks = null;
    byte blocksLevel = 0;
    int full = 0;
    boolean another = false;
    while (inStream || startStream()) {
      in.seek(bit >>> 3);
      // Once the window holds the end of the file, filling would only move its contents.
      endsInWindow = endsInWindow || !in.fill(MOST_BYTES);
      if (magic() != BLOCK) {
        endStream();
        another = false;
        continue;
      }
      // A block that is followed by another one in its stream is full.
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

  /** Byte offset in the file at which the remaining input starts. */
  long end() {
    return bit >>> 3;
  }

  /** Reads a stream header; returns false at the end of the file. */
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
    // The last byte is padded.
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

  /**
   * The bits at the current position, which should be a magic number; -1 if the file ends there.
   */
  private long magic() {
    return bits(0, MAGIC_BITS);
  }

  private int checksumHere() {
    return (int) bits(MAGIC_BITS, CHECKSUM_BITS);
  }

  /** Bits after the current position; -1 unless a magic number and a checksum are available. */
  private long bits(int behind, int count) {
    int shift = (int) bit & 7;
    if (in.available() * (long) Byte.SIZE - shift < MAGIC_BITS + CHECKSUM_BITS) {
      return -1;
    }
    return Bzip2Stream.get(in.array(), ((long) in.at() << 3) + shift + behind, count);
  }

  /**
   * Finds the next block or end marker.
   *
   * @return its bit offset in the window; -1 if not found
   */
  private long nextMagic(int from, int to) {
    byte[] window = in.array();
    // A checksum follows an end marker, so eight bytes are always available.
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

  /**
   * For each byte value, the shifts at which a magic number has that byte at {@code place}, one bit
   * each.
   */
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
