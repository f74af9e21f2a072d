package io.kmodel.indexer.source;

import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * Where a large file may be cut: its first bytes say whether records can be found from anywhere,
 * and each border is looked at. Memory: three windows of 64 KiB. Not thread-safe. It does not own
 * the channel.
 */
final class FileBorders {
  /**
   * Behind a border that is kept there is a gzip member in as many bytes of the file; most archives
   * have many. Without a bound a file that is one member would be read to its end in search of the
   * first record of every piece.
   */
  static final int LOOK_BYTES = 1 << 20;

  private final InputBytes raw;
  private final FileFormat format;

  /**
   * Looks at a file.
   *
   * @param channel of the file, at its start
   * @param name of the file, for cases of doubt
   */
  FileBorders(FileChannel channel, String name, Format wanted) throws IOException {
    this.raw = InputBytes.of(channel);
    this.format =
        FileFormat.of(raw, name, wanted, DecoderGuard.NOTHING, new byte[RecordInput.WINDOW_BYTES]);
  }

  /** Whether any place may be a border. */
  boolean canBeCut() {
    return format.canBeCut();
  }

  /** Whether a piece that starts at an offset of the file has its first record not far behind. */
  boolean mayBe(long offset) throws IOException {
    if (format.compression() != Compression.GZIP) {
      return true;
    }
    raw.seek(offset);
    return RecordStarts.of(format.records()).nextMember(raw, offset + LOOK_BYTES) >= 0;
  }
}
