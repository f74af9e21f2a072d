package io.kmodel.indexer.export.ciff;

import com.google.common.io.CountingInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * What the members of a gzip hold. What follows the last of them is an error, which {@link
 * GZIPInputStream} passes over, and an end before theirs has words. Not thread-safe.
 */
final class GzipMembers extends GZIPInputStream {
  private static final int TRAILER_BYTES = 8;

  private final CountingInputStream counted;

  /** Bytes of the file up to the end of what is inflated now. */
  private long inflated;

  private GzipMembers(CountingInputStream counted, int bufferBytes) throws IOException {
    super(counted, bufferBytes);
    this.counted = counted;
  }

  static GzipMembers open(InputStream in, int bufferBytes) throws IOException {
    try {
      return new GzipMembers(new CountingInputStream(in), bufferBytes);
    } catch (EOFException e) {
      throw ends(e);
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
