package io.kmodel.indexer.store.disk;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes to a file and adds the file's name and the number of bytes written to the system's error
 * messages. Writes at most {@value #MOST_AT_ONCE} bytes at once, because Java keeps an off-heap
 * buffer of that size for every writing thread. Memory: no buffer. Not thread-safe.
 */
public final class NamingOutput extends FilterOutputStream {
  /** The same as in Lucene's own outputs. */
  public static final int MOST_AT_ONCE = 1 << 13;

  private final Path file;
  private long written;

  /**
   * Wraps a stream that writes to a file.
   *
   * @param out closed with this stream
   */
  public NamingOutput(Path file, OutputStream out) {
    super(out);
    this.file = file;
  }

  /** Creates a file, or truncates an existing one. */
  public static NamingOutput create(Path file) throws IOException {
    return new NamingOutput(file, Files.newOutputStream(file));
  }

  /** Writes bytes to a file, replacing its content. */
  public static void write(Path file, byte[] bytes) throws IOException {
    try (NamingOutput out = create(file)) {
      out.write(bytes);
    }
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int n;
    for (int done = 0; done < length; done += n) {
      n = Math.min(length - done, MOST_AT_ONCE);
      try {
        out.write(bytes, offset + done, n);
      } catch (IOException e) {
        throw failure(file, e, written);
      }
      written += n;
    }
  }

  @Override
  public void close() throws IOException {
    try {
      out.close();
    } catch (IOException e) {
      throw failure(file, e, written);
    }
  }

  /** Adds the file's name to a failure, unless it only reports an interruption. */
  public static IOException failure(Path file, IOException e, long written) {
    return e instanceof ClosedByInterruptException
        ? e
        : new IOException("%s: %s after %d bytes".formatted(file, e.getMessage(), written), e);
  }
}
