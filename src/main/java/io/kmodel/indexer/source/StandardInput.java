package io.kmodel.indexer.source;

import io.kmodel.indexer.store.disk.NamingOutput;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/**
 * Standard input as one file of a crawl. It can be read only once and in order, so a build first
 * copies it into a file, which is then read like any other (see {@link
 * SourceOptions#standardInput}). The copy keeps the name of {@link #PATH}.
 */
public final class StandardInput {
  /** The path that means standard input, as on every Unix. */
  public static final Path PATH = Path.of("/dev/stdin");

  /** Set by the launcher if standard input is a terminal. */
  private static final String TERMINAL_PROPERTY = "indexer.terminal.input";

  private static final int BUFFER_BYTES = 1 << 18;

  private StandardInput() {}

  /** Whether a path means standard input. */
  public static boolean is(Path path) {
    return path.equals(PATH);
  }

  /** Whether standard input is a terminal; false without the launcher. */
  public static boolean isTerminal() {
    return Boolean.getBoolean(TERMINAL_PROPERTY);
  }

  /** Standard input of this process; interrupting the thread that reads it ends the reading. */
  public static InputStream stream() {
    return Channels.newInputStream(new FileInputStream(FileDescriptor.in).getChannel());
  }

  /**
   * Copies a stream to its end.
   *
   * @param to replaced if it exists; incomplete after an exception
   * @param progress receives the number of bytes of each piece that was copied
   * @return the number of bytes
   * @throws IOException if the stream cannot be read or the copy cannot be written; the message
   *     says which
   */
  public static long copy(InputStream from, Path to, LongConsumer progress) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long copied = 0;
    try (NamingOutput out = NamingOutput.create(to)) {
      int read;
      while ((read = read(from, buffer, copied)) >= 0) {
        out.write(buffer, 0, read);
        copied += read;
        progress.accept(read);
      }
    }
    return copied;
  }

  private static int read(InputStream from, byte[] buffer, long before) throws IOException {
    try {
      return from.read(buffer);
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(
          "standard input: %s after %d bytes".formatted(e.getMessage(), before), e);
    }
  }
}
