package io.kmodel.indexer.source.crawl;

import io.kmodel.indexer.source.record.RecordFile;
import io.kmodel.indexer.source.unpack.FileUnpacker;
import io.kmodel.indexer.source.unpack.SharedDecompression;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a file's decompressed data into pieces. Their number has to be known before the file is
 * decompressed, so it is estimated by how much the file's first bytes expand. If the others expand
 * more, the last piece has the rest. If they expand less, the last pieces are empty, which allows
 * some more pieces than are expected to be needed.
 *
 * @param expansion expected number of decompressed bytes per byte of the file
 */
record CompressedSplits(FileUnpacker.Source source, double expansion) {
  /**
   * The maximum of a piece: all reading threads wait for data of the pieces before theirs, and
   * their pieces are in memory meanwhile. A run takes at most 85 MiB of text, so larger pieces
   * would not make fewer runs.
   */
  private static final long LARGEST_BYTES = 64L << 20;

  /**
   * With many threads, the maximum of all their pieces together; smaller runs make the merge more
   * expensive.
   */
  private static final long TOGETHER_BYTES = 512L << 20;

  private static final long LEAST_BYTES = 16L << 20;

  /** How much more than expected is cut. */
  private static final double MARGIN = 1.25;

  /** For archives, whose first records may be pictures. */
  private static final double ARCHIVE_MARGIN = 3;

  /**
   * The pieces; empty if there would be only one.
   *
   * @param ordinal of the first piece among all splits, for the sizes
   * @param before bytes before the file
   */
  List<Piece> cut(SplitSizes sizes, int ordinal, long before) {
    double most = (source.archive() ? ARCHIVE_MARGIN : MARGIN) * expansion * source.size();
    long largest = Math.clamp(TOGETHER_BYTES / sizes.threads(), LEAST_BYTES, LARGEST_BYTES);
    SharedDecompression file = new SharedDecompression(source);
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
