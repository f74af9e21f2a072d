package io.kmodel.indexer.index.postings;

import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.LittleEndian;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.util.Arrays;

/**
 * Encodes blocks of {@value PostingsCursor#BLOCK} non-negative ints. Values are bit-packed at a
 * width that fits nearly all of them; the high bits of the others are patched in. The width chosen
 * gives the smallest block.
 *
 * <pre>
 * block     := bits:u8 exceptions:u8 packed exception*
 * packed    := 8·bits words of u32: value i occupies bits (i/8)·bits … of the bit string that the
 *              words of lane i mod 8 (word w of lane l is word 8·w + l) form, low bits first
 * exception := index:u8 high:vint          value = low | high &lt;&lt; bits
 * </pre>
 *
 * The eight lanes let the compiler turn the inner loops into SIMD code. At most 31 · 32 + 2 bytes.
 * Memory: 4 KiB. Not thread-safe.
 */
public final class IntBlock {
  private static final int SIZE = PostingsCursor.BLOCK;
  private static final int LANES = 8;
  private static final int ROWS = SIZE / LANES;

  /** More would slow decoding down; a block with more outliers uses a larger width. */
  private static final int MAX_EXCEPTIONS = 31;

  private final int[] low = new int[SIZE];
  private final int[] words = new int[LANES * Integer.SIZE];
  private final byte[] bytes = new byte[LANES * Integer.SIZE * 4];

  /** Indexes of the values that do not fit; has room for one extra. */
  private final int[] outliers = new int[MAX_EXCEPTIONS + 1];

  /** Number of values that need more bits than the index, filled while choosing the width. */
  private final int[] longer = new int[Integer.SIZE + 1];

  /** Bytes of the values at the width chosen last. */
  private int chosenBytes;

  /** Writes the first {@value PostingsCursor#BLOCK} values. */
  public void write(int[] values, OutputFile out) throws IOException {
    int bits = chooseBits(values);
    int exceptions = longer[bits];
    if (exceptions > 0) {
      findOutliers(values, bits);
    }
    int mask = mask(bits);
    for (int i = 0; i < SIZE; i++) {
      low[i] = values[i] & mask;
    }
    out.writeByte(bits);
    out.writeByte(exceptions);
    pack(bits);
    for (int i = 0; i < LANES * bits; i++) {
      LittleEndian.putInt(bytes, 4 * i, words[i]);
    }
    out.writeBytes(bytes, 0, 4 * LANES * bits);
    for (int i = 0; i < exceptions; i++) {
      out.writeByte(outliers[i]);
      out.writeVInt(values[outliers[i]] >>> bits);
    }
  }

  /** Reads {@value PostingsCursor#BLOCK} values; the reader's buffer must hold 2 KiB. */
  public void read(ByteReader in, int[] values) throws IOException {
    int bits = in.readByte() & 0xFF;
    int exceptions = in.readByte() & 0xFF;
    if (bits > Integer.SIZE) {
      throw in.corrupt("block of " + bits + " bits a value at " + in.position());
    }
    int packed = 4 * LANES * bits;
    in.require(packed);
    byte[] buffer = in.buffer();
    int offset = in.offset();
    for (int i = 0; i < LANES * bits; i++) {
      words[i] = LittleEndian.getInt(buffer, offset + 4 * i);
    }
    in.consume(packed);
    unpack(bits, values);
    for (int i = 0; i < exceptions; i++) {
      int index = in.readByte() & 0xFF;
      values[index] |= in.readVInt() << bits;
    }
  }

  /** Skips a block without decoding it. */
  public static void skip(ByteReader in) throws IOException {
    int bits = in.readByte() & 0xFF;
    int exceptions = in.readByte() & 0xFF;
    if (bits > Integer.SIZE) {
      throw in.corrupt("block of " + bits + " bits a value at " + in.position());
    }
    in.skip(4L * LANES * bits);
    for (int i = 0; i < exceptions; i++) {
      in.readByte();
      in.readVInt();
    }
  }

  /** Bytes that {@link #write} would write. */
  int bytes(int[] values) {
    chooseBits(values);
    return 2 + chosenBytes;
  }

  /** Tries smaller widths until there are too many outliers. */
  private int chooseBits(int[] values) {
    int all = 0;
    for (int i = 0; i < SIZE; i++) {
      all |= values[i];
    }
    if (all < 0) {
      throw new IllegalArgumentException("a block cannot hold negative numbers");
    }
    int best = Integer.SIZE - Integer.numberOfLeadingZeros(all);
    int bestBytes = 4 * LANES * best;
    Arrays.fill(longer, best, longer.length, 0);
    for (int bits = best - 1; bits >= 0; bits--) {
      int exceptions = 0;
      for (int i = 0; i < SIZE; i++) {
        exceptions += -(values[i] >>> bits) >>> 31;
      }
      if (exceptions > MAX_EXCEPTIONS) {
        break;
      }
      longer[bits] = exceptions;
      int patchBytes = exceptions;
      for (int length = bits; length < Integer.SIZE; length += 7) {
        patchBytes += longer[length];
      }
      if (4 * LANES * bits + patchBytes < bestBytes) {
        bestBytes = 4 * LANES * bits + patchBytes;
        best = bits;
      }
    }
    chosenBytes = bestBytes;
    return best;
  }

  /** Branch-free: the positions of outliers are hard to predict. */
  private void findOutliers(int[] values, int bits) {
    int found = 0;
    for (int i = 0; i < SIZE; i++) {
      outliers[found] = i;
      found += -(values[i] >>> bits) >>> (Integer.SIZE - 1);
    }
  }

  private void pack(int bits) {
    Arrays.fill(words, 0, LANES * bits, 0);
    for (int row = 0; row < ROWS && bits > 0; row++) {
      int bit = row * bits;
      int word = (bit >>> 5) * LANES;
      int shift = bit & 31;
      int from = row * LANES;
      for (int lane = 0; lane < LANES; lane++) {
        words[word + lane] |= low[from + lane] << shift;
      }
      if (shift + bits > Integer.SIZE) {
        for (int lane = 0; lane < LANES; lane++) {
          words[word + LANES + lane] |= low[from + lane] >>> (Integer.SIZE - shift);
        }
      }
    }
  }

  private void unpack(int bits, int[] values) {
    if (bits == 0) {
      Arrays.fill(values, 0, SIZE, 0);
      return;
    }
    int mask = mask(bits);
    for (int row = 0; row < ROWS; row++) {
      int bit = row * bits;
      int word = (bit >>> 5) * LANES;
      int shift = bit & 31;
      int to = row * LANES;
      if (shift + bits > Integer.SIZE) {
        for (int lane = 0; lane < LANES; lane++) {
          values[to + lane] =
              (words[word + lane] >>> shift | words[word + LANES + lane] << (Integer.SIZE - shift))
                  & mask;
        }
      } else {
        for (int lane = 0; lane < LANES; lane++) {
          values[to + lane] = words[word + lane] >>> shift & mask;
        }
      }
    }
  }

  private static int mask(int bits) {
    return bits == Integer.SIZE ? -1 : (1 << bits) - 1;
  }
}
