package io.kmodel.indexer.index;

import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;

/**
 * Encodes the offsets of occurrences, as {@link PostingsCursor} has them: blocks of {@value
 * PostingsCursor#BLOCK}, and single ones. The occurrences of a term are mostly of the same length,
 * so that lengths take next to no bytes.
 *
 * <pre>
 * offsets := starts:block first:vint lengths:block       256 gaps of starts; each length ^ first
 * offset  := startAndNew:vint [length:vint]              gap &lt;&lt; 1 | new; if not, the last one's length
 * </pre>
 *
 * Memory: 1 KiB beside the {@link IntBlock}. Not thread-safe.
 */
public final class OffsetCodec {
  private static final int BLOCK = PostingsCursor.BLOCK;
  private static final int NO_LENGTH = -1;

  private final IntBlock block;
  private final int[] differences = new int[BLOCK];
  private int length = NO_LENGTH;

  public OffsetCodec(IntBlock block) {
    this.block = block;
  }

  /** Writes the first {@value PostingsCursor#BLOCK} of each, none negative. */
  public void writeBlock(int[] starts, int[] lengths, OutputFile out) throws IOException {
    block.write(starts, out);
    int first = lengths[0];
    for (int i = 0; i < BLOCK; i++) {
      differences[i] = lengths[i] ^ first;
    }
    out.writeVInt(first);
    block.write(differences, out);
  }

  /**
   * Reads {@value PostingsCursor#BLOCK} of each.
   *
   * @return negative if one of them is
   */
  public int readBlock(ByteReader in, int[] starts, int[] lengths) throws IOException {
    block.read(in, starts);
    int first = in.readVInt();
    block.read(in, lengths);
    int signs = first;
    for (int i = 0; i < BLOCK; i++) {
      signs |= starts[i] | lengths[i];
      lengths[i] ^= first;
    }
    return signs;
  }

  /** Steps over a block without decoding it. */
  public static void skipBlock(ByteReader in) throws IOException {
    IntBlock.skip(in);
    in.readVInt();
    IntBlock.skip(in);
  }

  /**
   * Writes the first {@code count} of each as single ones, each behind a number of its own: the gap
   * of its position.
   */
  public void writeSingles(int[] gaps, int[] starts, int[] lengths, int count, OutputFile out)
      throws IOException {
    startSingles();
    for (int i = 0; i < count; i++) {
      out.writeVInt(gaps[i]);
      write(starts[i], lengths[i], out);
    }
  }

  /** Single ones are read from here on. */
  public void startSingles() {
    length = NO_LENGTH;
  }

  private void write(int startGap, int newLength, OutputFile out) throws IOException {
    if (newLength == length) {
      out.writeVInt(startGap << 1);
    } else {
      out.writeVInt(startGap << 1 | 1);
      out.writeVInt(newLength);
      length = newLength;
    }
  }

  /** Returns the gap of the start; {@link #length} is that of the same one then. */
  public int readStart(ByteReader in) throws IOException {
    int value = in.readVInt();
    if ((value & 1) != 0) {
      length = in.readVInt();
    }
    return value >>> 1;
  }

  /** Negative where the bytes read are not what was written. */
  public int length() {
    return length;
  }
}
