package io.kmodel.indexer.sort.lab;

import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.sort.RadixKeySorter;
import java.lang.foreign.Arena;

/**
 * Scatters keys by a digit, with a buffer of one cache line for each of the digit's values, so that
 * whole, aligned lines are written (Satish et al., Fast Sort on CPUs and GPUs, sections 4.2.1 and
 * 4.3.1). Memory: 64 bytes per value until it is closed. Not thread-safe.
 */
final class LineBuffers implements RadixKeySorter.Scatter {
  private static final int KEY_BYTES = 8;
  private static final int LINE_BYTES = 64;
  private static final int LINE_SHIFT = 6;
  private static final int IN_LINE = LINE_BYTES - 1;
  private static final int LAST_IN_LINE = LINE_BYTES - KEY_BYTES;

  private final Arena arena = Arena.ofConfined();
  private final long lines;

  /** Buffers for digits of at most so many values. */
  LineBuffers(int values) {
    lines = OffHeap.allocate((long) LINE_BYTES * values, arena).address();
  }

  /** Leaves the last keys of each value in the buffers until {@link #flush}. */
  @Override
  public void scatter(long from, int n, int shift, long[] starts, long[] next) {
    scatter(from, n, shift, starts, next, lines);
  }

  @Override
  public void flush(long[] starts, long[] next) {
    for (int digit = 0; digit < starts.length; digit++) {
      long target = Math.max(next[digit] & -LINE_BYTES, starts[digit]);
      long line = line(lines, digit);
      for (; target < next[digit]; target += KEY_BYTES) {
        OffHeap.putLong(target, OffHeap.getLong(line + (target & IN_LINE)));
      }
    }
  }

  /**
   * The inner loop. A key has the same offset in its digit's line as its target has in the target's
   * line. So a buffer is full exactly when a line of the target is complete.
   */
  private static void scatter(long from, int n, int shift, long[] starts, long[] next, long lines) {
    int mask = next.length - 1;
    for (int i = 0; i < n; i++) {
      long key = OffHeap.getLong(from + (long) KEY_BYTES * i);
      int digit = (int) (key >>> shift) & mask;
      long target = next[digit];
      next[digit] = target + KEY_BYTES;
      long line = line(lines, digit);
      OffHeap.putLong(line + (target & IN_LINE), key);
      if ((target & IN_LINE) == LAST_IN_LINE) {
        flush(line, target - LAST_IN_LINE, starts[digit]);
      }
    }
  }

  private static long line(long lines, int digit) {
    return lines + ((long) digit << LINE_SHIFT);
  }

  /** Writes a full line; of a digit's first line only the part that belongs to the digit. */
  private static void flush(long line, long target, long start) {
    if (target < start) {
      for (long at = start; at < target + LINE_BYTES; at += KEY_BYTES) {
        OffHeap.putLong(at, OffHeap.getLong(line + (at - target)));
      }
      return;
    }
    OffHeap.putLong(target, OffHeap.getLong(line));
    OffHeap.putLong(target + 8, OffHeap.getLong(line + 8));
    OffHeap.putLong(target + 16, OffHeap.getLong(line + 16));
    OffHeap.putLong(target + 24, OffHeap.getLong(line + 24));
    OffHeap.putLong(target + 32, OffHeap.getLong(line + 32));
    OffHeap.putLong(target + 40, OffHeap.getLong(line + 40));
    OffHeap.putLong(target + 48, OffHeap.getLong(line + 48));
    OffHeap.putLong(target + 56, OffHeap.getLong(line + 56));
  }

  @Override
  public void close() {
    arena.close();
  }
}
