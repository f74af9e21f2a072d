package io.kmodel.indexer.store;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Which cells of a checked file hold what was written to them. A cell is checked against its
 * checksum (see {@link OutputFile}) when bytes of it are first wanted, and not again; one that is
 * wrong is refused every time. The checksums need no check of their own: a cell does not agree with
 * one that was altered. Memory: a bit a cell, and 4 KiB while one is checked. Time: that of reading
 * the cell once; then a look at its bit. Safe for many threads without locks: where two want a cell
 * at once, both may check it.
 */
final class Cells {
  private static final int SHIFT = 14;

  /**
   * Small beside what a cold disk reads at a time anyway, and large enough for checksums to take a
   * 4,096th of a file.
   */
  static final int BYTES = 1 << SHIFT;

  /** What is copied out of a mapped file at a time, since that is how its errors can be caught. */
  private static final int CHUNK_BYTES = 1 << 12;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final InputFile file;
  private final long end;
  private final int count;

  /** A bit for each cell, set once it was found right. */
  private final long[] sound;

  /**
   * The cells of a file.
   *
   * @param end where the last one ends, and the first checksum stands
   */
  Cells(InputFile file, long end) {
    this.file = file;
    this.end = end;
    this.count = count(end);
    this.sound = new long[Math.ceilDiv(count, Long.SIZE)];
  }

  /** How many cells so many bytes are cut into. */
  static int count(long bytes) {
    return Math.toIntExact(Math.ceilDiv(bytes, BYTES));
  }

  /**
   * Where the cells end whose bytes and checksums together are so many; below 0 where there are no
   * such cells.
   */
  static long end(long bytes) {
    long cells = Math.ceilDiv(bytes, BYTES + Integer.BYTES);
    long end = bytes - Integer.BYTES * cells;
    return end > (cells - 1) * BYTES ? end : -1;
  }

  /**
   * Checks the cells of a range of at least one byte, unless they were.
   *
   * @throws CorruptIndexException if one does not agree with its checksum
   */
  void require(long offset, long bytes) throws IOException {
    int last = (int) ((offset + bytes - 1) >>> SHIFT);
    for (int cell = (int) (offset >>> SHIFT); cell <= last; cell++) {
      if ((sound[cell >>> 6] & (1L << cell)) == 0) {
        check(cell);
      }
    }
  }

  /** Takes all cells for right, for who knows it otherwise. */
  void trust() {
    Arrays.fill(sound, -1L);
  }

  /** Checks every cell, also those that were found right before. */
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
