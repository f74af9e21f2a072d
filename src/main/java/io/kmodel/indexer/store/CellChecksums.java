package io.kmodel.indexer.store;

import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Computes the checksums of a file's cells while the file is written sequentially. Memory: 4 bytes
 * per cell, i.e. 256 KiB of heap per GiB of file. They are kept until the file is closed because
 * they are written at its end, and stored in chunks of 4 KiB, so that growing copies nothing. Not
 * thread-safe.
 */
final class CellChecksums {
  private static final int CHUNK_SHIFT = 10;

  /** Checksums per chunk; they cover 16 MiB of file. */
  static final int CHUNK = 1 << CHUNK_SHIFT;

  private final CRC32C checksum = new CRC32C();

  /** Checksums of the full cells. */
  private final List<int[]> chunks = new ArrayList<>();

  private int count;

  /** Bytes in the last, partial cell. */
  private int partial;

  /** Adds the file's next bytes. */
  void update(byte[] bytes, int offset, int length) {
    int from = offset;
    int end = offset + length;
    while (from < end) {
      int n = Math.min(Cells.BYTES - partial, end - from);
      checksum.update(bytes, from, n);
      partial += n;
      from += n;
      if (partial == Cells.BYTES) {
        endCell();
      }
    }
  }

  /** Ends the last cell at the end of the body; returns the number of cells. */
  int finish() {
    if (partial > 0) {
      endCell();
    }
    return count;
  }

  /** The checksum of a cell. */
  int get(int cell) {
    return chunks.get(cell >>> CHUNK_SHIFT)[cell & (CHUNK - 1)];
  }

  private void endCell() {
    int place = count & (CHUNK - 1);
    if (place == 0) {
      chunks.add(new int[CHUNK]);
    }
    chunks.get(count >>> CHUNK_SHIFT)[place] = (int) checksum.getValue();
    count++;
    checksum.reset();
    partial = 0;
  }
}
