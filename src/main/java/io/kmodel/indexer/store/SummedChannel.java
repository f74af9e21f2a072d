package io.kmodel.indexer.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file that is written front to back, and the checksums of what was: that of all, and those of
 * cells if it has such. What was written can be read back. Memory: that of {@link CellChecksums}.
 * Not thread-safe.
 */
final class SummedChannel {
  private final Path path;
  private final FileChannel channel;
  private final CRC32C checksum = new CRC32C();
  private final @Nullable CellChecksums cells;
  private boolean cellsEnded;
  private long written;

  SummedChannel(Path path, boolean hasCells, OpenOption... options) throws IOException {
    this.path = path;
    this.cells = hasCells ? new CellChecksums() : null;
    this.channel = FileChannel.open(path, options);
  }

  /**
   * Goes on behind so many bytes that are there; drops what follows them.
   *
   * @param buffer what to read them with
   * @throws CorruptIndexException if they have another checksum, or are fewer
   */
  void goOn(long bytes, long expectedChecksum, byte[] buffer) throws IOException {
    written = bytes;
    for (long at = 0; at < bytes; at += buffer.length) {
      int n = (int) Math.min(buffer.length, bytes - at);
      read(buffer, n, at);
      sum(buffer, 0, n);
    }
    requireChecksum(checksum.getValue(), expectedChecksum);
    channel.truncate(bytes);
    channel.position(bytes);
  }

  void write(byte[] from, int offset, int length) throws IOException {
    sum(from, offset, length);
    ByteBuffer bytes = ByteBuffer.wrap(from, offset, length);
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw NamingOutput.failure(path, e, written);
    }
    written += length;
  }

  private void sum(byte[] bytes, int offset, int length) {
    checksum.update(bytes, offset, length);
    if (cells != null && !cellsEnded) {
      cells.update(bytes, offset, length);
    }
  }

  /** Reads some of what was written to the start of an array. */
  void read(byte[] to, int length, long offset) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(to, 0, length);
    while (bytes.hasRemaining()) {
      if (NamingInput.read(path, channel, bytes, offset + bytes.position()) < 0) {
        throw new CorruptIndexException(
            path.toString(),
            "ends at %d, expected %d bytes".formatted(offset + bytes.position(), written));
      }
    }
  }

  /** CRC-32C of all that was written. */
  long checksum() {
    return checksum.getValue();
  }

  /** Refuses what was read back with another checksum than it was written with. */
  void requireChecksum(long found) throws CorruptIndexException {
    requireChecksum(found, checksum.getValue());
  }

  private void requireChecksum(long found, long expected) throws CorruptIndexException {
    if (found != expected) {
      throw new CorruptIndexException(
          path.toString(),
          "checksum %#x, expected %#x (file altered while it was written?)"
              .formatted(found, expected));
    }
  }

  /** The checksums of cells; what follows is in none. */
  CellChecksums endCells() {
    if (cells == null) {
      throw new IllegalStateException(path + " is a spool, which has no name to take");
    }
    cellsEnded = true;
    return cells;
  }

  /** Forces what was written to the disk. */
  void force() throws IOException {
    channel.force(true);
  }

  void close() throws IOException {
    channel.close();
  }
}
