package io.kmodel.indexer.source;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The records of a file that start from one offset to another.
 *
 * @param from an offset of the file, or of what it unpacks to, if that is what is cut
 * @param to another; {@link Long#MAX_VALUE} for the end
 * @param listedFrom where in the file that is, or about so
 * @param listedTo the same of the end
 * @param unpacked what the file unpacks to, where that is cut
 */
record Piece(long from, long to, long listedFrom, long listedTo, @Nullable UnpackedFile unpacked) {
  static final Piece ALL = new Piece(0, Long.MAX_VALUE);

  /** Of the file itself. */
  Piece(long from, long to) {
    this(from, to, from, to, null);
  }

  /** The first byte to be read: the one before the piece tells whether a line starts with it. */
  long firstByte() {
    return Math.max(0, from - 1);
  }

  /** Says that it will be read, where what the file unpacks to is unpacked once for all pieces. */
  void claim() {
    if (unpacked != null) {
      // The next piece wants the byte before it, too.
      unpacked.claim(firstByte(), to == Long.MAX_VALUE ? to : to - 1);
    }
  }

  /** No piece of the file that was claimed is read any more. */
  void release() throws IOException {
    if (unpacked != null) {
      unpacked.release();
    }
  }

  /** How many bytes of a file it stands for. */
  long bytes(long fileBytes) {
    return Math.max(0, Math.min(listedTo, fileBytes) - listedFrom);
  }

  /** This and all of the file behind it, for one reader. */
  Piece withRest() {
    return new Piece(from, Long.MAX_VALUE, listedFrom, Long.MAX_VALUE, unshared());
  }

  /** The same for a reader who has the file unpacked for nobody else. */
  Piece alone() {
    return new Piece(from, to, listedFrom, listedTo, unshared());
  }

  private @Nullable UnpackedFile unshared() {
    return unpacked == null ? null : unpacked.unshared();
  }

  /** Whether no other piece comes behind it. */
  boolean isLast(long fileBytes) {
    return to == Long.MAX_VALUE || (unpacked == null && to >= fileBytes);
  }

  /** How many of its bytes were passed, as far as that is known, by who is at an offset. */
  long passed(long offset, long filePosition, long fileBytes) {
    long bytes = bytes(fileBytes);
    if (unpacked == null || to == Long.MAX_VALUE) {
      return Math.clamp(filePosition - listedFrom, 0, bytes);
    }
    return (long) ((double) bytes * Math.clamp(offset - from, 0, to - from) / (to - from));
  }
}
