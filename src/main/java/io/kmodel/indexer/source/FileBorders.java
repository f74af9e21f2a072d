package io.kmodel.indexer.source;

import io.kmodel.indexer.source.RecordFile.Cells;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * Where a large file may be cut: its first bytes say whether records can be found from anywhere,
 * and each border is looked at. Memory: a few windows of 64 KiB, for zstd one of 0.5 MiB and the
 * file's dictionary; where that is larger than some 5 MiB, for which {@link DecoderGuard#USUAL} has
 * no room, the file is not cut. Not thread-safe. It does not own the channel.
 */
final class FileBorders implements AutoCloseable {
  /**
   * Behind a border that is kept there is a member in as many bytes of the file; most archives have
   * many. Without a bound a file that is one member would be read to its end in search of the first
   * record of every piece.
   */
  static final int LOOK_BYTES = 1 << 20;

  private static final long SAMPLE_BYTES = 4L << 20;

  private final InputBytes raw;
  private final FileFormat format;
  private final Cells cells;

  /** What members are looked for with, where these are to start with records. */
  private @Nullable RecordInput input;

  private @Nullable MemberSearch members;

  /**
   * Looks at a file.
   *
   * @param channel of the file, at its start
   * @param name of the file, for cases of doubt
   */
  FileBorders(FileChannel channel, String name, Format wanted) throws IOException {
    this.raw = InputBytes.of(channel);
    byte[] window = new byte[RecordInput.WINDOW_BYTES];
    this.format = FileFormat.of(raw, name, wanted, DecoderGuard.USUAL, window);
    this.cells = format.cells(raw, DecoderGuard.USUAL, window);
  }

  /** How it may be cut. */
  Cells cells() {
    return cells;
  }

  FileFormat format() {
    return format;
  }

  /**
   * How many bytes a byte of the file unpacks to, by its first {@value #SAMPLE_BYTES} unpacked
   * ones. A build that goes on has to come to the same, so nothing is unpacked ahead of them.
   */
  double expansion() throws IOException {
    InputBytes packed = raw.fork(0);
    byte[] buffer = new byte[RecordInput.WINDOW_BYTES];
    long unpacked = 0;
    Compression compression = format.compression();
    try (InputStream in =
        compression == Compression.GZIP
            ? new GzipInput(packed, "file", GzipInput.NEVER_AT_ONCE)
            : compression.open(packed, DecoderGuard.USUAL)) {
      while (unpacked < SAMPLE_BYTES) {
        int n = DecodedInput.read(in, buffer, 0, buffer.length);
        if (n < 0) {
          break;
        }
        unpacked += n;
      }
    }
    return (double) unpacked / Math.max(1, packed.position());
  }

  /** Whether a piece that starts at an offset of the file has its first record not far behind. */
  boolean mayBe(long offset) throws IOException {
    if (!format.compression().hasMembers()) {
      return true;
    }
    if (members == null) {
      members = openMembers();
    }
    return members != null && members.next(offset, offset + LOOK_BYTES) >= 0;
  }

  private @Nullable MemberSearch openMembers() throws IOException {
    byte[] window = new byte[RecordInput.WINDOW_BYTES];
    RecordInput opened =
        new RecordInput(raw.fork(0), format.compression(), 1, DecoderGuard.USUAL, window);
    input = opened;
    return MemberSearch.of(opened, format.recordStarts());
  }

  @Override
  public void close() throws IOException {
    if (input != null) {
      input.close();
    }
  }
}
