package io.kmodel.indexer.inversion;

import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.run.KeyLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Texts of documents in plain form, ready to be copied to a device, and room for the results. Each
 * document has one part per inverted field, in order of the fields:
 *
 * <pre>{@code
 * (startPart append* endPart)*  finishDocument | abandonDocument
 * }</pre>
 *
 * <p>Plain form: every byte of 0x80 and more belongs to a word and is in lower case already; ASCII
 * follows the rules of Unicode's annex 29 and is not in lower case yet; and nothing of more than
 * 255 UTF-16 units belongs together. Where a word contains ASCII at which these rules would end it,
 * that is written as a byte that does not occur in UTF-8, see {@link PlainText}.
 *
 * <p>Memory: pages outside the heap, committed as they are used, per byte of text at most 1.1 bytes
 * for the text and its parts, and what {@link ListForm} says for the results. Not thread-safe.
 */
public final class TextBlock implements AutoCloseable {
  /** Blanks before the text, so that a kernel may read whole vectors. */
  static final int FRONT = 64;

  /** Blanks behind the text: to the end of a tile, and as far as a token may reach. */
  static final int BEHIND = DeviceBlock.TILE + DeviceBlock.HALO + 64;

  /** Bytes of text for which there is one part; a block with shorter texts is full earlier. */
  private static final int BYTES_PER_PART = 64;

  private static final long LEAST_BYTES = 1 << 12;
  private static final long LARGEST_BYTES = 1L << 30;

  /** The table of terms may become four times as large as usual before keys are too narrow. */
  private static final int GROWTH_BITS = 2;

  private static final byte BLANK = ' ';
  private static final byte END_OF_PART = '\n';

  private final Arena arena = Arena.ofShared();
  private final int fields;
  private final int capacity;
  private final int maxParts;
  private final int termBits;
  private final MemorySegment text;
  private final MemorySegment parts;
  private final MemorySegment results;

  private int bytes;
  private int partCount;

  /** Where the current document began, for {@link #abandonDocument}. */
  private int documentBytes;

  private int documentParts;
  private int documentLongest;
  private int longestPart;
  private boolean fits = true;

  /**
   * An empty block.
   *
   * @param fields number of inverted fields
   * @param capacity bytes of text: 4 KiB to 1 GiB
   * @param form of the results
   */
  public TextBlock(int fields, long capacity, ListForm form) {
    if (capacity < LEAST_BYTES || capacity > LARGEST_BYTES) {
      throw new IllegalArgumentException(
          "a block of text has %d to %d bytes; got %d"
              .formatted(LEAST_BYTES, LARGEST_BYTES, capacity));
    }
    this.fields = fields;
    this.capacity = (int) capacity;
    this.maxParts = maxParts(capacity);
    this.termBits = DeviceBlock.usualSlotBits(this.capacity) + GROWTH_BITS;
    this.text = OffHeap.allocateHugePages(FRONT + capacity + BEHIND, arena);
    this.parts = OffHeap.allocatePages(Integer.BYTES * (maxParts + 1L), arena);
    this.results =
        OffHeap.allocateHugePages(ResultMemory.capacity(form.resultBytes(capacity)), arena);
    for (int i = 0; i < FRONT; i++) {
      OffHeap.putByte(text.address() + i, BLANK);
    }
    clear();
  }

  /** The most bytes of text whose block takes so much memory. */
  public static long capacityFor(long memoryBytes, ListForm form) {
    return Math.clamp(form.textBytes(memoryBytes - (1L << 16)), LEAST_BYTES, LARGEST_BYTES);
  }

  static int maxParts(long capacity) {
    return (int) (capacity / BYTES_PER_PART) + 16;
  }

  /** Starts the text of the next field. */
  public void startPart() {
    if (partCount == maxParts) {
      fits = false;
    }
  }

  /** Appends bytes in plain form. */
  void append(byte[] plain, int offset, int length) {
    // One byte is kept for the end of the part.
    if (length >= capacity - bytes) {
      fits = false;
    }
    if (fits) {
      OffHeap.copy(plain, offset, text.address() + FRONT + bytes, length);
      bytes += length;
    }
  }

  void append(byte plain) {
    if (bytes + 1 >= capacity) {
      fits = false;
    }
    if (fits) {
      OffHeap.putByte(text.address() + FRONT + bytes, plain);
      bytes++;
    }
  }

  public void endPart() {
    if (!fits) {
      return;
    }
    int start = partStart(partCount);
    if (bytes > start) {
      OffHeap.putByte(text.address() + FRONT + bytes, END_OF_PART);
      bytes++;
    }
    longestPart = Math.max(longestPart, bytes - start);
    partCount++;
    // So that keys have room for the terms.
    fits = KeyLayout.MAX_BITS - termBits >= documentBits() + positionBits();
    OffHeap.putInt(parts.address() + (long) Integer.BYTES * partCount, bytes);
  }

  /** Whether the current document has found room so far. */
  public boolean fits() {
    return fits;
  }

  /** Ends the current document, which must fit. */
  public void finishDocument() {
    documentBytes = bytes;
    documentParts = partCount;
    documentLongest = longestPart;
  }

  /** Removes the current document. */
  public void abandonDocument() {
    bytes = documentBytes;
    partCount = documentParts;
    longestPart = documentLongest;
    fits = true;
  }

  /** Removes everything. */
  public void clear() {
    bytes = 0;
    partCount = 0;
    documentBytes = 0;
    documentParts = 0;
    documentLongest = 0;
    longestPart = 0;
    fits = true;
    OffHeap.putInt(parts.address(), 0);
  }

  /** Writes the blanks behind the text, which kernels may read. */
  void seal() {
    for (int i = 0; i < BEHIND; i++) {
      OffHeap.putByte(text.address() + FRONT + bytes + i, BLANK);
    }
  }

  int fields() {
    return fields;
  }

  int documents() {
    return partCount / fields;
  }

  /** Bytes of text. */
  public int bytes() {
    return bytes;
  }

  int partCount() {
    return partCount;
  }

  int partStart(int part) {
    return OffHeap.getInt(parts.address() + (long) Integer.BYTES * part);
  }

  /** Bits for the numbers of documents. */
  private int documentBits() {
    return bits(Math.max(0, partCount - 1) / fields);
  }

  /** Bits for positions: a word has at least one byte and a blank. */
  private int positionBits() {
    return bits(longestPart / 2);
  }

  private static int bits(int largest) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(largest);
  }

  /** The layout of its keys, with the bits that are left for terms. */
  KeyLayout layout() {
    int others = documentBits() + positionBits();
    return new KeyLayout(
        Math.min(Integer.SIZE - 1, KeyLayout.MAX_BITS - others), documentBits(), positionBits());
  }

  /** Address of the text's first byte. */
  long textAddress() {
    return text.address() + FRONT;
  }

  /** The text, from its front on. */
  MemorySegment text() {
    return text;
  }

  /** Where each part starts, and the last one ends, as ints. */
  MemorySegment parts() {
    return parts;
  }

  /** Memory for what a device returns, see {@link ResultMemory}. */
  MemorySegment results() {
    return results;
  }

  @Override
  public void close() {
    arena.close();
  }
}
