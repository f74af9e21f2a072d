package io.kmodel.indexer.store.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads files and adds the file's name and the offset to the system's error messages. */
public final class NamingInput {
  private NamingInput() {}

  /** Returns the content of a small file. */
  public static byte[] readAll(Path file) throws IOException {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw named(file, e);
    }
  }

  /** The same of an open file. */
  public static byte[] readAll(Path file, FileChannel channel) throws IOException {
    try {
      return Channels.newInputStream(channel).readAllBytes();
    } catch (IOException e) {
      throw named(file, e);
    }
  }

  private static IOException named(Path file, IOException e) {
    return isTold(e) ? e : new IOException("%s: %s".formatted(file, e.getMessage()), e);
  }

  /** Reads bytes at an offset; returns a negative number at the end. */
  public static int read(Path file, FileChannel channel, ByteBuffer to, long at)
      throws IOException {
    try {
      return channel.read(to, at);
    } catch (IOException e) {
      throw isTold(e)
          ? e
          : new IOException("%s: %s at byte %d".formatted(file, e.getMessage(), at), e);
    }
  }

  /** Whether the exception already names its file, or reports an interruption. */
  private static boolean isTold(IOException e) {
    return e instanceof ClosedChannelException || e instanceof FileSystemException;
  }
}
