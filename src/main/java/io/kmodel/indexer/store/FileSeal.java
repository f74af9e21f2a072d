package io.kmodel.indexer.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * What a complete file on the disk is known by: whoever finds a file of this name, size and
 * checksum has the file. Time: {@link #force} reads only the end of a file that carries its own
 * checksum, {@link #verify} all of it.
 *
 * @param name below the directory that both sides know
 * @param checksum CRC-32C of the bytes; of a checked file (see {@link OutputFile}), of all but the
 *     last eight, which are that checksum
 * @param checked whether it is such a file
 */
public record FileSeal(String name, long bytes, long checksum, boolean checked) {
  private static final int CHUNK_BYTES = 1 << 16;

  /** Forces a complete file to the disk, though not the directory that names it. */
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
   * Reads the file of a directory and compares.
   *
   * @throws CorruptIndexException if it is another, or not there
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
      throw new CorruptIndexException(file.toString(), "is not there");
    }
  }

  /** Whether a directory has the file. */
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
