package io.kmodel.indexer.index.columns;

import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The distinct strings of a block of documents. They are numbered as they come, and later in the
 * order of their bytes. Memory: 36 KiB, and the distinct strings in a buffer that doubles, up to 16
 * MiB and 8 more while it grows; between blocks at most 64 KiB of it. Not thread-safe.
 */
final class BlockStrings {
  private static final int SLOTS = 2 * ColumnWriter.BLOCK;

  private static final int FIRST_BYTES = 1 << 12;
  private static final int KEPT_BYTES = 1 << 16;

  /** Numbers plus 1 by hash; a full block fills half of the slots. */
  private final short[] slots = new short[SLOTS];

  private final int[] ends = new int[ColumnWriter.BLOCK + 1];
  private byte[] bytes = new byte[FIRST_BYTES];
  private int size;

  /** Returns the number of a string, which is new or not. */
  int add(byte[] utf8, int offset, int length) {
    int hash = 0;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + utf8[i];
    }
    int slot = ((hash ^ (hash >>> 15)) * 0x9E3779B1) >>> Integer.numberOfLeadingZeros(SLOTS - 1);
    while (slots[slot] != 0) {
      int number = slots[slot] - 1;
      if (Arrays.equals(bytes, ends[number], ends[number + 1], utf8, offset, offset + length)) {
        return number;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    int end = ends[size] + length;
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
    }
    System.arraycopy(utf8, offset, bytes, ends[size], length);
    ends[size + 1] = end;
    slots[slot] = (short) (size + 1);
    return size++;
  }

  int size() {
    return size;
  }

  /** The strings in order of their bytes, by the numbers that {@link #add} gave. */
  int[] sorted() {
    return IntStream.range(0, size).boxed().sorted(this::compare).mapToInt(i -> i).toArray();
  }

  private int compare(int a, int b) {
    return Arrays.compareUnsigned(bytes, ends[a], ends[a + 1], bytes, ends[b], ends[b + 1]);
  }

  /** Writes where each string ends, in an order, and then the strings. */
  void write(int[] order, OutputFile out) throws IOException {
    int end = 0;
    for (int number : order) {
      end += ends[number + 1] - ends[number];
      out.writeInt(end);
    }
    for (int number : order) {
      out.writeBytes(bytes, ends[number], ends[number + 1] - ends[number]);
    }
  }

  void clear() {
    size = 0;
    if (bytes.length > KEPT_BYTES) {
      bytes = new byte[FIRST_BYTES];
    }
    Arrays.fill(slots, (short) 0);
  }
}
