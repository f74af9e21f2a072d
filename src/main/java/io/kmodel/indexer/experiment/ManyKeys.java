package io.kmodel.indexer.experiment;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.LongStream;

/** Work on many keys or strings outside of measured times, by all processors. */
public final class ManyKeys {
  /** Keys that one thread copies at a time. */
  private static final long PIECE = 1 << 20;

  /** A piece, from first to last (exclusive). */
  @FunctionalInterface
  public interface Piece {
    /** Works on a piece, in any thread. */
    void visit(long first, long last);
  }

  private ManyKeys() {}

  /**
   * Visits all pieces.
   *
   * @param size of a piece; the last one may be smaller
   */
  public static void forEachPiece(long count, long size, Piece piece) {
    // The common pool may be limited to the threads of a sorter.
    try (ForkJoinPool pool = new ForkJoinPool()) {
      pool.submit(
              () ->
                  LongStream.range(0, Math.ceilDiv(count, size))
                      .parallel()
                      .forEach(i -> piece.visit(i * size, Math.min(count, (i + 1) * size))))
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
        PIECE,
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
        PIECE,
        (first, last) -> {
          for (long i = first; i < last; i++) {
            int key = from.getAtIndex(ValueLayout.JAVA_INT, i);
            to.setAtIndex(ValueLayout.JAVA_LONG, i, Integer.toUnsignedLong(key));
          }
        });
  }
}
