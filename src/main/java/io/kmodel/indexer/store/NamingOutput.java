package io.kmodel.indexer.store;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes to a file, and says which where that fails, and after how many bytes: the system's own
 * words are of no file. No more than {@value #MOST_AT_ONCE} bytes are written at once, since Java
 * keeps as many outside of the heap for every thread that writes. Memory: no buffer. Not
 * thread-safe.
 */
public final class NamingOutput extends FilterOutputStream {
  /** What Lucene's own outputs have. */
  public static final int MOST_AT_ONCE = 1 << 13;

  private final Path file;
  private long written;

  /**
   * Names the file of a stream.
   *
   * @param out is closed with this
   */
  public NamingOutput(Path file, OutputStream out) {
    super(out);
    this.file = file;
  }

  /** Makes a file, or takes what is in it. */
  public static NamingOutput create(Path file) throws IOException {
    return new NamingOutput(file, Files.newOutputStream(file));
  }

  /** Makes a file of these bytes, in place of what is in it. */
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

  /** The failure with the file's name, but for one that only says that the thread was stopped. */
  static IOException failure(Path file, IOException e, long written) {
    return e instanceof ClosedByInterruptException
        ? e
        : new IOException("%s: %s after %d bytes".formatted(file, e.getMessage(), written), e);
  }
}
