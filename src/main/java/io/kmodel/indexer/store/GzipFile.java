package io.kmodel.indexer.store;

import com.google.common.io.CountingInputStream;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A gzipped file, of one or more members. What follows the last of them is an error, which {@link
 * GZIPInputStream} passes over, and an end before theirs has words. Memory: two buffers. Not
 * thread-safe.
 */
public final class GzipFile extends GZIPInputStream {
  private static final int MAGIC = 0x1F8B;
  private static final int TRAILER_BYTES = 8;

  private final CountingInputStream counted;

  /** Bytes of the file up to the end of what is inflated now. */
  private long inflated;

  private GzipFile(CountingInputStream counted, int bufferBytes) throws IOException {
    super(counted, bufferBytes);
    this.counted = counted;
  }

  /**
   * What a file or pipe holds, gzipped or not, which its first bytes tell.
   *
   * @throws EOFException if a gzip ends early, which reading may, too
   * @throws ZipException if one is damaged, likewise
   */
  public static InputStream unpacked(Path file, int bufferBytes) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file), bufferBytes);
    try {
      in.mark(2);
      int magic = in.read() << 8 | in.read();
      in.reset();
      return magic == MAGIC ? open(in, bufferBytes) : in;
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /** The members that a stream holds, which can go back to a mark. */
  static GzipFile open(InputStream in, int bufferBytes) throws IOException {
    try {
      return new GzipFile(new CountingInputStream(new Awaited(in)), bufferBytes);
    } catch (EOFException e) {
      throw ends(e);
    }
  }

  /** Behind a member Java takes a pipe for ended in which nothing is yet. */
  private static final class Awaited extends FilterInputStream {
    Awaited(InputStream in) {
      super(in);
    }

    @Override
    public int available() throws IOException {
      in.mark(1);
      boolean ended = in.read() < 0;
      in.reset();
      return ended ? 0 : Math.max(1, in.available());
    }
  }

  @Override
  protected void fill() throws IOException {
    super.fill();
    inflated = counted.getCount();
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    try {
      int n = super.read(bytes, from, length);
      if (n < 0 && isFollowed()) {
        throw new ZipException("more bytes after the last member of the gzip");
      }
      return n;
    } catch (EOFException e) {
      throw ends(e);
    }
  }

  private boolean isFollowed() throws IOException {
    long end = inflated - inf.getRemaining() + TRAILER_BYTES;
    return counted.getCount() > end || counted.read() >= 0;
  }

  private static EOFException ends(EOFException cause) {
    EOFException e = new EOFException("the gzip ends early (truncated?)");
    e.initCause(cause);
    return e;
  }
}
