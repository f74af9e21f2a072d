package io.kmodel.indexer.source.crawl;

import io.kmodel.indexer.source.unpack.SharedDecompression;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The records of a file that start between two offsets.
 *
 * @param from offset in the file, or in its decompressed data if that is cut
 * @param to end offset, exclusive; {@link Long#MAX_VALUE} for the end
 * @param listedFrom the start in the file itself, possibly approximate
 * @param listedTo the same for the end
 * @param unpacked the decompressed data, if that is cut
 */
public record Piece(
    long from, long to, long listedFrom, long listedTo, @Nullable SharedDecompression unpacked) {
  static final Piece ALL = new Piece(0, Long.MAX_VALUE);

  /** A piece of the file itself. */
  Piece(long from, long to) {
    this(from, to, from, to, null);
  }

  /**
   * The first byte to read: the byte before the piece tells whether a line starts with the piece.
   */
  long firstByte() {
    return Math.max(0, from - 1);
  }

  /** Announces that the piece will be read, if the file is decompressed once for all pieces. */
  public void claim() {
    if (unpacked != null) {
      // The next piece needs the byte before it, too.
      unpacked.claim(firstByte(), to == Long.MAX_VALUE ? to : to - 1);
    }
  }

  /** Announces that no other claimed piece of the file will be read. */
  public void release() throws IOException {
    if (unpacked != null) {
      unpacked.release();
    }
  }

  /** The number of bytes of the file that the piece stands for. */
  public long bytes(long fileBytes) {
    return Math.max(0, Math.min(listedTo, fileBytes) - listedFrom);
  }

  /** This piece and the rest of the file, for one reader. */
  public Piece withRest() {
    return new Piece(from, Long.MAX_VALUE, listedFrom, Long.MAX_VALUE, unshared());
  }

  /** The same piece, for a reader that shares the decompressed data with no other. */
  public Piece alone() {
    return new Piece(from, to, listedFrom, listedTo, unshared());
  }

  private @Nullable SharedDecompression unshared() {
    return unpacked == null ? null : unpacked.unshared();
  }

  /** Whether this is the last piece. */
  boolean isLast(long fileBytes) {
    return to == Long.MAX_VALUE || (unpacked == null && to >= fileBytes);
  }

  /** How many of its bytes a reader at an offset has passed, as far as that is known. */
  long passed(long offset, long filePosition, long fileBytes) {
    long bytes = bytes(fileBytes);
    if (unpacked == null || to == Long.MAX_VALUE) {
      return Math.clamp(filePosition - listedFrom, 0, bytes);
    }
    return (long) ((double) bytes * Math.clamp(offset - from, 0, to - from) / (to - from));
  }
}
