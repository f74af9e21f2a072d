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
      throw isTold(e) ? e : new IOException("%s: %s".formatted(file, e.getMessage()), e);
    }
  }

  /** Some bytes from an offset on; fewer than none at the end. */
  static int read(Path file, FileChannel channel, ByteBuffer to, long at) throws IOException {
    try {
      return channel.read(to, at);
    } catch (IOException e) {
      throw isTold(e)
          ? e
          : new IOException("%s: %s at byte %d".formatted(file, e.getMessage(), at), e);
    }
  }

  /** Whether it names its file, or only says that the thread was stopped. */
  private static boolean isTold(IOException e) {
    return e instanceof ClosedChannelException || e instanceof FileSystemException;
  }
}
