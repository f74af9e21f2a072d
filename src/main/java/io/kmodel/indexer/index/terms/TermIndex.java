package io.kmodel.indexer.index.terms;

import io.kmodel.indexer.store.InputFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Finds a term's block in the dictionary by binary search over the mapped {@code terms.index}; see
 * {@link TermDictionaryWriter} for the grammar. Thread-safe.
 */
public final class TermIndex {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int PAIR = TermDictionaryWriter.PAIR_BYTES;

  /** Term keys longer than this are truncated in messages. */
  private static final int PRINTED_BYTES = 64;

  private final InputFile file;
  private final long terms;
  private final long blocks;
  private final long separators;
  private final long table;

  public TermIndex(InputFile file) throws IOException {
    this.file = file;
    this.separators = file.bodyStart();
    long bytes = file.bodyEnd() - file.bodyStart() - Long.BYTES;
    this.terms = bytes < PAIR ? -1 : number(file.bodyEnd() - Long.BYTES);
    this.blocks = Math.ceilDiv(terms, TermDictionaryWriter.BLOCK_TERMS);
    if (terms < 0 || blocks > bytes / PAIR - 1) {
      throw file.corrupt("%d terms in a table of %d bytes".formatted(terms, bytes));
    }
    this.table = file.bodyEnd() - Long.BYTES - PAIR * (blocks + 1);
  }

  /** Number of terms of all fields. */
  public long terms() {
    return terms;
  }

  public long blocks() {
    return blocks;
  }

  /**
   * Offset of a block in the dictionary's body; for {@code blocks()}, the end of the last block.
   */
  public long blockOffset(long block) throws IOException {
    return number(table + block * PAIR + Long.BYTES);
  }

  /** The last block whose separator is at or below a term key; -1 if all are above it. */
  public long find(byte[] key, int length) throws IOException {
    long low = 0;
    long high = blocks;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (compareSeparator(middle, key, length) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  private int compareSeparator(long block, byte[] key, int length) throws IOException {
    long from = number(table + block * PAIR);
    long to = number(table + (block + 1) * PAIR);
    if (from < 0 || from > to || to > table - separators) {
      throw file.corrupt(
          "separator %d is at %d..%d of %d".formatted(block, from, to, table - separators));
    }
    long bytes = to - from;
    int common = (int) Math.min(bytes, length);
    if (common == 0) {
      return Long.compare(bytes, length);
    }
    MemorySegment segment = file.mapped(separators + from, common);
    for (int i = 0; i < common; i++) {
      int difference =
          (segment.get(ValueLayout.JAVA_BYTE, separators + from + i) & 0xFF) - (key[i] & 0xFF);
      if (difference != 0) {
        return difference;
      }
    }
    return Long.compare(bytes, length);
  }

  private long number(long offset) throws IOException {
    return file.mapped(offset, Long.BYTES).get(LONG, offset);
  }

  /** Formats a term key for messages, as the field's ordinal and the term. */
  public static String printable(byte[] key, int length) {
    if (length == 0) {
      return "nothing";
    }
    int shown = Math.min(length - 1, PRINTED_BYTES);
    return "%d:'%s'%s"
        .formatted(
            key[0] & 0xFF,
            new String(key, 1, shown, StandardCharsets.UTF_8),
            shown < length - 1 ? "..." : "");
  }
}
