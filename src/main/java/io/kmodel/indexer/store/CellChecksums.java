package io.kmodel.indexer.store;

import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The checksums of a file's cells, while the file is written front to back. Memory: 4 bytes a cell,
 * which is 256 KiB for a GiB, and half as much again while it grows. Not thread-safe.
 */
final class CellChecksums {
  private final CRC32C checksum = new CRC32C();

  /** Of the cells that are full. */
  private int[] full = new int[16];

  private int count;

  /** Bytes of the cell that is not. */
  private int partial;

  /** Takes the file's next bytes. */
  void update(byte[] bytes, int length) {
    int from = 0;
    while (from < length) {
      int n = Math.min(Cells.BYTES - partial, length - from);
      checksum.update(bytes, from, n);
      partial += n;
      from += n;
      if (partial == Cells.BYTES) {
        endCell();
      }
    }
  }

  /** Ends the last cell, at the end of the body; returns how many cells there are. */
  int finish() {
    if (partial > 0) {
      endCell();
    }
    return count;
  }

  /** The checksum of a cell. */
  int get(int cell) {
    return full[cell];
  }

  private void endCell() {
    if (count == full.length) {
      full = Arrays.copyOf(full, count + (count >> 1));
    }
    full[count++] = (int) checksum.getValue();
    checksum.reset();
    partial = 0;
  }
}
