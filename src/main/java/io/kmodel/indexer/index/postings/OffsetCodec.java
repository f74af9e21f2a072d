package io.kmodel.indexer.index.postings;

import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;

/**
 * Encodes the offsets of occurrences, in the form described at {@link PostingsCursor}, as blocks of
 * {@value PostingsCursor#BLOCK} and as single ones. Most occurrences of a term have the same
 * length, so lengths take almost no space.
 *
 * <pre>
 * offsets := starts:block first:vint lengths:block       256 gaps of starts; each length ^ first
 * offset  := startAndNew:vint [length:vint]              gap &lt;&lt; 1 | new; old: the last length
 * </pre>
 *
 * Memory: 1 KiB besides the {@link IntBlock}. Not thread-safe.
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

  /** Writes the first {@value PostingsCursor#BLOCK} values of each array, none negative. */
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
   * Reads {@value PostingsCursor#BLOCK} values into each array.
   *
   * @return negative if any value is
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

  /** Skips a block without decoding it. */
  public static void skipBlock(ByteReader in) throws IOException {
    IntBlock.skip(in);
    in.readVInt();
    IntBlock.skip(in);
  }

  /**
   * Writes the first {@code count} values of each array as single offsets, each after the gap of
   * its position.
   */
  public void writeSingles(int[] gaps, int[] starts, int[] lengths, int count, OutputFile out)
      throws IOException {
    startSingles();
    for (int i = 0; i < count; i++) {
      out.writeVInt(gaps[i]);
      write(starts[i], lengths[i], out);
    }
  }

  /** Prepares for reading or writing single offsets. */
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

  /** Returns the start's gap; {@link #length} then returns the length of the same offset. */
  public int readStart(ByteReader in) throws IOException {
    int value = in.readVInt();
    if ((value & 1) != 0) {
      length = in.readVInt();
    }
    return value >>> 1;
  }

  /** Length of the offset read last; negative if the file is damaged. */
  public int length() {
    return length;
  }
}
