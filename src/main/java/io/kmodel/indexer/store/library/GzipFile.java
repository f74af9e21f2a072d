package io.kmodel.indexer.store.library;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A gzip file of one or more members. Unlike {@link GZIPInputStream}, it rejects data other than
 * zeros after the last member, and an unexpected end has a message. Memory: two buffers. Not
 * thread-safe.
 */
public final class GzipFile extends GZIPInputStream {
  private static final int MAGIC = 0x1F8B;
  private static final int TRAILER_BYTES = 8;
  private static final int BUFFER_BYTES = 1 << 16;

  private final PackedBytes packed;

  /** Bytes of the file up to the end of the input being inflated. */
  private long inflated;

  private GzipFile(PackedBytes packed, int bufferBytes) throws IOException {
    super(packed, bufferBytes);
    this.packed = packed;
  }

  /**
   * Opens a file or pipe, decompressing it if its first bytes are those of a gzip.
   *
   * @throws EOFException if a gzip is truncated; reading may throw it, too
   * @throws ZipException if a gzip is damaged; reading may throw it, too
   */
  public static InputStream unpacked(Path file) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
    try {
      in.mark(2);
      int magic = in.read() << 8 | in.read();
      in.reset();
      return magic == MAGIC ? open(in, BUFFER_BYTES) : in;
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /** Adds the file's name to an {@link EOFException} or {@link ZipException}. */
  public static IOException damaged(Path file, IOException e) {
    return new IOException("%s: damaged gzip: %s".formatted(file, e.getMessage()), e);
  }

  /** Decompresses the members in a stream. */
  static GzipFile open(InputStream in, int bufferBytes) throws IOException {
    try {
      return new GzipFile(new PackedBytes(in), bufferBytes);
    } catch (EOFException e) {
      throw ends(e);
    }
  }

  @Override
  protected void fill() throws IOException {
    super.fill();
    inflated = packed.read;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    try {
      int n = super.read(bytes, from, length);
      if (n < 0 && packed.isFollowed(inflated - inf.getRemaining() + TRAILER_BYTES)) {
        throw new ZipException("data after the last gzip member");
      }
      return n;
    } catch (EOFException e) {
      throw ends(e);
    }
  }

  private static EOFException ends(EOFException cause) {
    EOFException e = new EOFException("unexpected end of gzip data (truncated?)");
    e.initCause(cause);
    return e;
  }

  /** Counts the bytes read, in total and up to the last one that is not zero. */
  private static final class PackedBytes extends InputStream {
    private final InputStream in;
    private long read;
    private long readNonZero;

    PackedBytes(InputStream in) {
      this.in = in;
    }

    /** Whether anything but zeros follows an offset; reads to the end. */
    boolean isFollowed(long offset) throws IOException {
      transferTo(OutputStream.nullOutputStream());
      return readNonZero > offset;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int n = in.read(bytes, from, length);
      for (int i = n - 1; i >= 0; i--) {
        if (bytes[from + i] != 0) {
          readNonZero = read + i + 1;
          break;
        }
      }
      read += Math.max(n, 0);
      return n;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
