package io.kmodel.indexer.source;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts what a file unpacks to into pieces, whose number has to be known before it is unpacked: by
 * how much its first bytes grow. Where others grow more, the last piece has the rest; where they
 * grow less, the last ones have nothing, which is why there are some more than are thought to be
 * needed.
 *
 * @param expansion how many bytes a byte of the file is thought to unpack to
 */
record UnpackedCut(FileUnpacker.Source source, double expansion) {
  /**
   * The most that a piece has: as many threads as read wait, in memory, for what those before them
   * have not read yet. A run takes no more than 85 MiB of text, so larger ones would not make
   * fewer.
   */
  private static final long LARGEST_BYTES = 64L << 20;

  /** Of many threads, what all of their pieces have together; smaller runs cost a merge more. */
  private static final long TOGETHER_BYTES = 512L << 20;

  private static final long LEAST_BYTES = 16L << 20;

  /** How much more than is expected is cut. */
  private static final double MARGIN = 1.25;

  /** Of archives, whose first records may be pictures. */
  private static final double ARCHIVE_MARGIN = 3;

  /**
   * The pieces, none if there would be one.
   *
   * @param ordinal of the first among all splits, for the sizes
   * @param before bytes before the file
   */
  List<Piece> cut(SplitSizes sizes, int ordinal, long before) {
    double most = (source.archive() ? ARCHIVE_MARGIN : MARGIN) * expansion * source.size();
    long largest = Math.clamp(TOGETHER_BYTES / sizes.threads(), LEAST_BYTES, LARGEST_BYTES);
    UnpackedFile file = new UnpackedFile(source);
    List<Piece> pieces = new ArrayList<>();
    for (long from = 0, listed = 0; listed < Long.MAX_VALUE; ) {
      long passed = Math.min(listed, source.size());
      double wanted = expansion * sizes.bytes(ordinal + pieces.size(), before + passed);
      long cells = (long) Math.min(wanted, (double) largest) / RecordFile.CELL_BYTES;
      long to = from + Math.max(1, cells) * RecordFile.CELL_BYTES;
      boolean last = to >= most;
      long end = last ? Long.MAX_VALUE : (long) (to / expansion);
      pieces.add(new Piece(from, last ? Long.MAX_VALUE : to, listed, end, file));
      from = to;
      listed = end;
    }
    return pieces.size() > 1 ? pieces : List.of();
  }
}
