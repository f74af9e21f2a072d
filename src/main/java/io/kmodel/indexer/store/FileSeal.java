package io.kmodel.indexer.store;

import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.NamingInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * Identifies a complete file on disk by name, size and checksum. Time: {@link #force} reads only
 * the end of a file that stores its own checksum; {@link #verify} reads the whole file.
 *
 * @param name relative to a directory that the caller supplies
 * @param checksum CRC-32C of the bytes; for a checked file (see {@link OutputFile}), of all but the
 *     last eight, which store that checksum
 * @param checked whether it is a checked file
 */
public record FileSeal(String name, long bytes, long checksum, boolean checked) {
  private static final int CHUNK_BYTES = 1 << 16;

  /** Forces a complete file to disk, but not its directory entry. */
  public static FileSeal force(Path file, boolean checked) throws IOException {
    Directories.forceContent(file);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long bytes = channel.size();
      long checksum =
          checked ? storedChecksum(file, channel, bytes) : checksum(file, channel, bytes);
      return new FileSeal(String.valueOf(file.getFileName()), bytes, checksum, checked);
    }
  }

  public Path in(Path directory) {
    return directory.resolve(name);
  }

  /**
   * Reads the file in a directory and compares it with this seal.
   *
   * @throws CorruptIndexException if it differs or does not exist
   */
  public void verify(Path directory) throws IOException {
    Path file = in(directory);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() != bytes) {
        throw new CorruptIndexException(
            file.toString(), "has %d bytes, expected %d".formatted(channel.size(), bytes));
      }
      long found = checksum(file, channel, checked ? bytes - Long.BYTES : bytes);
      if (found != checksum || (checked && storedChecksum(file, channel, bytes) != checksum)) {
        throw new CorruptIndexException(
            file.toString(), "checksum %#x, expected %#x".formatted(found, checksum));
      }
    } catch (NoSuchFileException e) {
      throw new CorruptIndexException(file.toString(), "file missing");
    }
  }

  /** Whether a directory contains the file. */
  public boolean isIn(Path directory) throws IOException {
    try {
      verify(directory);
      return true;
    } catch (CorruptIndexException e) {
      return false;
    }
  }

  private static long storedChecksum(Path file, FileChannel channel, long bytes)
      throws IOException {
    ByteBuffer stored = ByteBuffer.allocate(Long.BYTES);
    while (stored.hasRemaining()) {
      if (NamingInput.read(file, channel, stored, bytes - stored.remaining()) < 0) {
        throw new IOException("%s: has %d bytes and no footer".formatted(file, bytes));
      }
    }
    return LittleEndian.getLong(stored.array(), 0);
  }

  private static long checksum(Path file, FileChannel channel, long bytes) throws IOException {
    CRC32C checksum = new CRC32C();
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
    for (long at = 0; at < bytes; at += chunk.position()) {
      chunk.clear().limit((int) Math.min(CHUNK_BYTES, bytes - at));
      if (NamingInput.read(file, channel, chunk, at) < 0) {
        break;
      }
      checksum.update(chunk.array(), 0, chunk.position());
    }
    return checksum.getValue();
  }
}
