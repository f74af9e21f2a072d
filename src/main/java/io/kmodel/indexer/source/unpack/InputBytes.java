package io.kmodel.indexer.source.unpack;

import io.kmodel.indexer.source.FileBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a file or an array, read forwards through a window that decoders access directly; every
 * byte has an offset. Memory: for a file, a window of {@value #WINDOW_BYTES} bytes, until it is
 * widened. Not thread-safe. Does not own the file.
 */
public final class InputBytes extends InputStream {
  public static final int WINDOW_BYTES = 1 << 16;

  /** The file system failed, as opposed to damage in the file. */
  public static class ReadFailure extends IOException {
    private static final long serialVersionUID = 1;

    ReadFailure(IOException cause) {
      // Those of servers say all in their message.
      super(cause instanceof FileSystemException ? cause.getMessage() : cause.toString(), cause);
    }

    ReadFailure(String why) {
      super(why);
    }
  }

  /**
   * The exception for a thread that is interrupted while it waits, as a channel throws it. The
   * thread stays interrupted.
   */
  static ClosedByInterruptException interrupted() {
    Thread.currentThread().interrupt();
    return new ClosedByInterruptException();
  }

  private final @Nullable FileBytes file;
  private byte[] window;

  /** The file's size, if it was seen before; otherwise -1. */
  private final long seenSize;

  /** Offset of the window's first byte. */
  private long base;

  private int at;
  private int end;

  /**
   * Where the file was found to end, by its size or by a read that returned nothing. Kept because
   * most files are read more than once there.
   */
  private long fileEnd = Long.MAX_VALUE;

  /**
   * Whether {@link #fileEnd} is the file's size: as it was seen before, or queried after a read.
   */
  private boolean endsBySize;

  private InputBytes(@Nullable FileBytes file, byte[] window, long seenSize, int from, int end) {
    this.file = file;
    this.window = window;
    this.seenSize = seenSize;
    this.at = from;
    this.end = end;
  }

  /** The bytes of a file on disk, from its start. */
  public static InputBytes of(FileChannel channel) {
    return of(FileBytes.of(channel));
  }

  /** The bytes of a file, from its start. */
  public static InputBytes of(FileBytes file) {
    return of(file, new byte[WINDOW_BYTES]);
  }

  /** The same, with a window to reuse. */
  public static InputBytes of(FileBytes file, byte[] window) {
    return of(file, window, -1);
  }

  /**
   * The same for a file whose size was seen before. If a read ends there, before its buffer is
   * full, that is the end, and the system is not asked for the size.
   */
  public static InputBytes of(FileBytes file, byte[] window, long seenSize) {
    return new InputBytes(file, window, seenSize, 0, 0);
  }

  /** Bytes {@code from} to {@code to} of an array; offsets are those in the array. */
  public static InputBytes of(byte[] bytes, int from, int to) {
    return new InputBytes(null, bytes, -1, from, to);
  }

  /** Offset of the next byte. */
  public long position() {
    return base + at;
  }

  /** Moves to an offset of the file; not for arrays. */
  public void seek(long position) {
    if (file == null) {
      throw new IllegalStateException("cannot seek in an array");
    }
    if (position >= base && position <= base + end) {
      at = (int) (position - base);
      return;
    }
    base = position;
    at = 0;
    end = 0;
  }

  /** Widens the window to this many bytes, if it has fewer. No effect on arrays. */
  void widen(int windowBytes) {
    if (file != null && window.length < windowBytes) {
      byte[] wider = new byte[windowBytes];
      System.arraycopy(window, at, wider, 0, end - at);
      window = wider;
      base += at;
      end -= at;
      at = 0;
    }
  }

  /** The same file from an offset on, read independently. */
  public InputBytes fork(long position) {
    return fork(position, 0);
  }

  /** The same, with a window of this many bytes if that is more than usual. */
  InputBytes fork(long position, int windowBytes) {
    if (file == null) {
      throw new IllegalStateException("cannot seek in an array");
    }
    InputBytes other = of(file, new byte[Math.max(WINDOW_BYTES, windowBytes)]);
    other.seek(position);
    return other;
  }

  /** Makes a byte available; returns false at the end. */
  boolean fill() throws IOException {
    return fill(1);
  }

  /**
   * Makes {@code wanted} bytes available, at most half of a window; returns false if there are
   * fewer before the end.
   */
  public boolean fill(int wanted) throws IOException {
    while (end - at < wanted) {
      if (file == null) {
        return false;
      }
      if (at > 0) {
        System.arraycopy(window, at, window, 0, end - at);
        base += at;
        end -= at;
        at = 0;
      }
      int n = readAt(base + end, window, end, window.length - end);
      if (n < 0) {
        return false;
      }
      end += n;
    }
    return true;
  }

  /** Holds the available bytes, from {@link #at()} on; read-only. */
  public byte[] array() {
    return window;
  }

  public int at() {
    return at;
  }

  /** Number of bytes available without another read. */
  @Override
  public int available() {
    return end - at;
  }

  /** Skips available bytes. */
  public void advance(int bytes) {
    at += bytes;
  }

  @Override
  public int read() throws IOException {
    return fill() ? window[at++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (file != null && at == end && length >= WINDOW_BYTES) {
      int n = readAt(base + end, to, offset, length);
      seek(base + end + Math.max(0, n));
      return n;
    }
    if (!fill()) {
      return -1;
    }
    int n = Math.min(length, end - at);
    System.arraycopy(window, at, to, offset, n);
    at += n;
    return n;
  }

  /** Unlike the default, does not read the bytes it skips, and stops at the end of a file. */
  @Override
  public long skip(long bytes) throws IOException {
    long left = file == null ? end - at : Math.max(0, size() - position());
    long skipped = Math.max(0, Math.min(bytes, left));
    if (file == null || skipped <= end - at) {
      at += (int) skipped;
    } else {
      seek(position() + skipped);
    }
    return skipped;
  }

  /** Bytes of the file, or the end of the array. */
  public long size() throws IOException {
    return file == null ? end : file.size();
  }

  /**
   * Whether the available bytes are the file's last: by its size after they were read, or by the
   * size seen before if they end there.
   */
  public boolean endsHere() throws IOException {
    return base + end == (endsBySize ? fileEnd : size());
  }

  private boolean isSize(long bytes) throws IOException {
    return bytes == seenSize || bytes == size();
  }

  private int readAt(long position, byte[] to, int offset, int length) throws IOException {
    if (file == null || position >= fileEnd) {
      return -1;
    }
    try {
      // In portions: a channel keeps a native buffer as large as the largest request.
      int portion = Math.min(length, 4 * WINDOW_BYTES);
      int n = file.read(ByteBuffer.wrap(to, offset, portion), position);
      if (n < 0) {
        fileEnd = position;
        endsBySize = false;
      } else if (n < portion && isSize(position + n)) {
        // Cheaper than another read, which still happens for a file on a system that reports no
        // sizes.
        fileEnd = position + n;
        endsBySize = true;
      }
      return n;
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw new ReadFailure(e);
    }
  }
}
