package io.kmodel.indexer.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads, and says of which file and where that fails: the system's own words are of no file. */
public final class NamingInput {
  private NamingInput() {}

  /** The bytes of a small file. */
  public static byte[] readAll(Path file) throws IOException {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw named(file, e, 0);
    }
  }

  /** Some bytes from an offset on; fewer than none at the end. */
  static int read(Path file, FileChannel channel, ByteBuffer to, long at) throws IOException {
    try {
      return channel.read(to, at);
    } catch (IOException e) {
      throw named(file, e, at);
    }
  }

  /**
   * The failure with the file's name, but for one that has it, and one that only says that the
   * thread was stopped.
   *
   * @param at offset of the first byte that could not be read
   */
  private static IOException named(Path file, IOException e, long at) {
    return e instanceof ClosedChannelException || e instanceof FileSystemException
        ? e
        : new IOException("%s: %s at byte %d".formatted(file, e.getMessage(), at), e);
  }
}
