package io.kmodel.indexer.store;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Full buffers written to a file but not yet flushed, in order. Memory: the buffers taken from the
 * pool. Not thread-safe.
 */
final class HeldBytes {
  /** A buffer and the number of bytes used in it. */
  private static final class Piece {
    final byte[] bytes;
    final int length;

    Piece(byte[] bytes, int length) {
      this.bytes = bytes;
      this.length = length;
    }
  }

  /** Receives bytes piece by piece. */
  interface Sink {
    void write(byte[] bytes, int offset, int length) throws IOException;
  }

  private final BufferPool pool;
  private final Deque<Piece> pieces = new ArrayDeque<>();

  HeldBytes(BufferPool pool) {
    this.pool = pool;
  }

  /**
   * Keeps the start of a buffer and returns a new buffer.
   *
   * @return null if the pool has no buffer; the given one is not kept then
   */
  byte @Nullable [] swap(byte[] buffer, int length) {
    byte[] next = pool.take();
    if (next != null) {
      pieces.add(new Piece(buffer, length));
    }
    return next;
  }

  /**
   * Copies the content, without its first bytes, to a sink; keeps all of it.
   *
   * @param skip bytes to leave out; at most the length of the first buffer, if there is one
   */
  void copyTo(Sink sink, int skip) throws IOException {
    int from = skip;
    for (Piece piece : pieces) {
      sink.write(piece.bytes, from, piece.length - from);
      from = 0;
    }
  }

  /** Returns the buffers to the pool. */
  void discard() {
    for (Piece piece = pieces.poll(); piece != null; piece = pieces.poll()) {
      pool.give(piece.bytes);
    }
  }
}
