package io.kmodel.indexer.store;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What was written to a file and is not in it yet: full buffers, front to back. Memory: what the
 * pool has given. Not thread-safe.
 */
final class HeldBytes {
  /** A buffer, and how much of it is written. */
  private static final class Piece {
    final byte[] bytes;
    final int length;

    Piece(byte[] bytes, int length) {
      this.bytes = bytes;
      this.length = length;
    }
  }

  /** Takes bytes piece by piece. */
  interface Sink {
    void write(byte[] bytes, int offset, int length) throws IOException;
  }

  private final BufferPool pool;
  private final Deque<Piece> pieces = new ArrayDeque<>();

  HeldBytes(BufferPool pool) {
    this.pool = pool;
  }

  /**
   * Keeps the start of a buffer.
   *
   * @return a buffer in its place, or null if there is none; the first one is not kept then
   */
  byte @Nullable [] swap(byte[] buffer, int length) {
    byte[] next = pool.take();
    if (next != null) {
      pieces.add(new Piece(buffer, length));
    }
    return next;
  }

  /**
   * Hands over what follows some bytes, and keeps all of it.
   *
   * @param skip no more than the first buffer has, if there is one
   */
  void copyTo(Sink sink, int skip) throws IOException {
    int from = skip;
    for (Piece piece : pieces) {
      sink.write(piece.bytes, from, piece.length - from);
      from = 0;
    }
  }

  /** Gives the buffers back. */
  void discard() {
    for (Piece piece = pieces.poll(); piece != null; piece = pieces.poll()) {
      pool.give(piece.bytes);
    }
  }
}
