package io.kmodel.indexer.store;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Verifies the cells of a checked file. A cell is compared with its checksum (see {@link
 * OutputFile}) when bytes of it are first requested, and not again; a damaged cell is rejected on
 * every request. The checksums need no check of their own, because a cell does not match an altered
 * one. Memory: one bit per cell, and 4 KiB during a check. Time: reading a cell once, then testing
 * its bit. Thread-safe without locks: two threads that need the same cell may both check it.
 */
final class Cells {
  private static final int SHIFT = 14;

  /**
   * Small compared to the least amount a disk reads at once, and large enough for checksums to take
   * only 1/4,096 of a file.
   */
  static final int BYTES = 1 << SHIFT;

  /** Bytes copied from a mapped file at a time; errors can only be caught while copying. */
  private static final int CHUNK_BYTES = 1 << 12;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final InputFile file;
  private final long end;
  private final int count;

  /** One bit per cell, set once the cell was verified. */
  private final long[] sound;

  /**
   * Creates the cells of a file.
   *
   * @param end where the last cell ends and the first checksum starts
   */
  Cells(InputFile file, long end) {
    this.file = file;
    this.end = end;
    this.count = count(end);
    this.sound = new long[Math.ceilDiv(count, Long.SIZE)];
  }

  /** The number of cells that the given bytes are divided into. */
  static int count(long bytes) {
    return Math.toIntExact(Math.ceilDiv(bytes, BYTES));
  }

  /**
   * The end of the cells whose bytes and checksums have the given total size; negative if no cells
   * have that size.
   */
  static long end(long bytes) {
    long cells = Math.ceilDiv(bytes, BYTES + Integer.BYTES);
    long end = bytes - Integer.BYTES * cells;
    return end > (cells - 1) * BYTES ? end : -1;
  }

  /**
   * Verifies the cells of a range of at least one byte, unless they were verified before.
   *
   * @throws CorruptIndexException if a cell does not match its checksum
   */
  void require(long offset, long bytes) throws IOException {
    int last = (int) ((offset + bytes - 1) >>> SHIFT);
    for (int cell = (int) (offset >>> SHIFT); cell <= last; cell++) {
      if ((sound[cell >>> 6] & (1L << cell)) == 0) {
        check(cell);
      }
    }
  }

  /** Marks all cells as verified, for callers that verified the file otherwise. */
  void trust() {
    Arrays.fill(sound, -1L);
  }

  /** Verifies every cell, including those verified before. */
  void checkAll() throws IOException {
    for (int cell = 0; cell < count; cell++) {
      check(cell);
    }
  }

  private void check(int cell) throws IOException {
    long from = (long) cell << SHIFT;
    int bytes = (int) Math.min(BYTES, end - from);
    try {
      compare(cell, from, bytes);
    } catch (InternalError e) {
      throw file.unreadable(from, from + bytes, e);
    }
    WORDS.getAndBitwiseOr(sound, cell >>> 6, 1L << cell);
  }

  private void compare(int cell, long from, int bytes) throws IOException {
    CRC32C checksum = new CRC32C();
    byte[] chunk = new byte[CHUNK_BYTES];
    for (int at = 0; at < bytes; at += CHUNK_BYTES) {
      int n = Math.min(CHUNK_BYTES, bytes - at);
      file.copy(from + at, chunk, 0, n);
      checksum.update(chunk, 0, n);
    }
    long place = end + (long) Integer.BYTES * cell;
    byte[] stored = new byte[Integer.BYTES];
    file.copy(place, stored, 0, stored.length);
    long found = checksum.getValue();
    long expected = Integer.toUnsignedLong(LittleEndian.getInt(stored, 0));
    if (found != expected) {
      throw file.corrupt(
          "checksum of bytes %d to %d is %#x, expected %#x at offset %d (%s)"
              .formatted(
                  from,
                  from + bytes - 1,
                  found,
                  expected,
                  place,
                  FlippedBit.describe(found, expected, from, bytes, place)));
    }
  }
}
