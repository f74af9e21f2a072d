package io.kmodel.indexer.store;

import io.kmodel.indexer.store.disk.NamingInput;
import io.kmodel.indexer.store.disk.NamingOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file that is written sequentially and computes checksums of what was written: one of all bytes,
 * and those of cells if it has any. Written bytes can be read back. Memory: that of {@link
 * CellChecksums}. Not thread-safe.
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
   * Continues after the given number of existing bytes, and truncates the file there.
   *
   * @param buffer buffer for reading these bytes
   * @throws CorruptIndexException if they have another checksum or are fewer
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

  /** Reads some of the bytes written into the start of an array. */
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

  /** CRC-32C of all bytes written. */
  long checksum() {
    return checksum.getValue();
  }

  /** Rejects bytes read back whose checksum differs from that of the bytes written. */
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

  /** Returns the checksums of cells; bytes written afterwards belong to no cell. */
  CellChecksums endCells() {
    if (cells == null) {
      throw new IllegalStateException(path + " is a spool and cannot be committed");
    }
    cellsEnded = true;
    return cells;
  }

  /** Forces the bytes written to disk. */
  void force() throws IOException {
    channel.force(true);
  }

  void close() throws IOException {
    channel.close();
  }
}
