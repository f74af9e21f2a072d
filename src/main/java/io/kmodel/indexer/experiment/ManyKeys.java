package io.kmodel.indexer.experiment;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.LongStream;

/** Work on many keys outside of measured times, by all processors. */
public final class ManyKeys {
  /** Keys that one thread takes at once. */
  private static final long PIECE = 1 << 20;

  /** A piece of the keys, from first to last (exclusive). */
  @FunctionalInterface
  interface Piece {
    void visit(long first, long last);
  }

  private ManyKeys() {}

  /** Visits pieces of the same size, the last of which may be smaller. */
  static void forEachPiece(long count, Piece piece) {
    // The common pool may be limited to the threads of a sorter.
    try (ForkJoinPool pool = new ForkJoinPool()) {
      pool.submit(
              () ->
                  LongStream.range(0, Math.ceilDiv(count, PIECE))
                      .parallel()
                      .forEach(i -> piece.visit(i * PIECE, Math.min(count, (i + 1) * PIECE))))
          .join();
    }
  }

  /**
   * Copies keys of 8 bytes to memory for keys of 4 or 8, which have no higher bits.
   *
   * @param to the number of its bytes says how many keys
   */
  public static void narrow(MemorySegment from, MemorySegment to, int keyBytes) {
    if (keyBytes == Long.BYTES) {
      to.copyFrom(from.asSlice(0, to.byteSize()));
      return;
    }
    forEachPiece(
        to.byteSize() / Integer.BYTES,
        (first, last) -> {
          for (long i = first; i < last; i++) {
            to.setAtIndex(ValueLayout.JAVA_INT, i, (int) from.getAtIndex(ValueLayout.JAVA_LONG, i));
          }
        });
  }

  /** The reverse, with unsigned keys. */
  public static void widen(MemorySegment from, MemorySegment to, int keyBytes) {
    if (keyBytes == Long.BYTES) {
      to.copyFrom(from);
      return;
    }
    forEachPiece(
        from.byteSize() / Integer.BYTES,
        (first, last) -> {
          for (long i = first; i < last; i++) {
            int key = from.getAtIndex(ValueLayout.JAVA_INT, i);
            to.setAtIndex(ValueLayout.JAVA_LONG, i, Integer.toUnsignedLong(key));
          }
        });
  }
}
