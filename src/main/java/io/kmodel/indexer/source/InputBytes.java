package io.kmodel.indexer.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a file or of an array, read forwards through a window that decoders look into, with the
 * offset of every byte. Memory: a window of {@value #WINDOW_BYTES} bytes for a file, until it is to
 * be wider. Not thread-safe. It does not own the channel.
 */
final class InputBytes extends InputStream {
  static final int WINDOW_BYTES = 1 << 16;

  /** The file system failed, as opposed to what is in the file. */
  static class ReadFailure extends IOException {
    private static final long serialVersionUID = 1;

    ReadFailure(IOException cause) {
      super(cause.toString(), cause);
    }

    ReadFailure(String why) {
      super(why);
    }
  }

  /** For a thread that is told to stop while it waits, as a channel has it; it stays told. */
  static ClosedByInterruptException interrupted() {
    Thread.currentThread().interrupt();
    return new ClosedByInterruptException();
  }

  private final @Nullable FileChannel channel;
  private byte[] window;

  /** The file's size, as somebody has seen it before; -1 where nobody has. */
  private final long seenSize;

  /** Offset of the window's first byte. */
  private long base;

  private int at;
  private int end;

  /**
   * Where the file was seen to end, by its size or by a read that gave nothing; asked once, since
   * most files are read more than once there.
   */
  private long fileEnd = Long.MAX_VALUE;

  /** Whether that is the file's size: as it was seen before, or asked for after a read. */
  private boolean endsBySize;

  private InputBytes(
      @Nullable FileChannel channel, byte[] window, long seenSize, int from, int end) {
    this.channel = channel;
    this.window = window;
    this.seenSize = seenSize;
    this.at = from;
    this.end = end;
  }

  /** The bytes of a file, from its start. */
  static InputBytes of(FileChannel channel) {
    return of(channel, new byte[WINDOW_BYTES]);
  }

  /** The same, with a window to use again. */
  static InputBytes of(FileChannel channel, byte[] window) {
    return of(channel, window, -1);
  }

  /**
   * The same of a file whose size was seen before: where a read ends there, before its buffer is
   * full, that is the end, and the system is not asked for the size.
   */
  static InputBytes of(FileChannel channel, byte[] window, long seenSize) {
    return new InputBytes(channel, window, seenSize, 0, 0);
  }

  /** Bytes {@code from} to {@code to} of an array; offsets are those in the array. */
  static InputBytes of(byte[] bytes, int from, int to) {
    return new InputBytes(null, bytes, -1, from, to);
  }

  /** Offset of the next byte. */
  long position() {
    return base + at;
  }

  /** Goes to an offset of the file; not for arrays. */
  void seek(long position) {
    if (channel == null) {
      throw new IllegalStateException("only files can be sought in");
    }
    if (position >= base && position <= base + end) {
      at = (int) (position - base);
      return;
    }
    base = position;
    at = 0;
    end = 0;
  }

  /** Has a window of so many bytes from now on, if it has less. Of no effect for arrays. */
  void widen(int windowBytes) {
    if (channel != null && window.length < windowBytes) {
      byte[] wider = new byte[windowBytes];
      System.arraycopy(window, at, wider, 0, end - at);
      window = wider;
      base += at;
      end -= at;
      at = 0;
    }
  }

  /** The same file from an offset on, read independently. */
  InputBytes fork(long position) {
    return fork(position, 0);
  }

  /** The same, with a window of so many bytes if that is more than usual. */
  InputBytes fork(long position, int windowBytes) {
    if (channel == null) {
      throw new IllegalStateException("only files can be sought in");
    }
    InputBytes other = of(channel, new byte[Math.max(WINDOW_BYTES, windowBytes)]);
    other.seek(position);
    return other;
  }

  /** Sees to it that there is a byte; false at the end. */
  boolean fill() throws IOException {
    return fill(1);
  }

  /**
   * Sees to it that there are {@code wanted} bytes, at most half of a window; false if there are
   * fewer before the end.
   */
  boolean fill(int wanted) throws IOException {
    while (end - at < wanted) {
      if (channel == null) {
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

  /** Holds the bytes that are there, from {@link #at()} on; read-only. */
  byte[] array() {
    return window;
  }

  int at() {
    return at;
  }

  /** How many bytes are there without reading on. */
  @Override
  public int available() {
    return end - at;
  }

  /** Passes over bytes that are there. */
  void advance(int bytes) {
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
    if (channel != null && at == end && length >= WINDOW_BYTES) {
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

  /** Not the default, which reads what it passes over, nor beyond the end of a file. */
  @Override
  public long skip(long bytes) throws IOException {
    long left = channel == null ? end - at : Math.max(0, size() - position());
    long skipped = Math.max(0, Math.min(bytes, left));
    if (channel == null || skipped <= end - at) {
      at += (int) skipped;
    } else {
      seek(position() + skipped);
    }
    return skipped;
  }

  /** Bytes of the file, or the end of the array. */
  long size() throws IOException {
    return channel == null ? end : channel.size();
  }

  /**
   * Whether the bytes that are there are the file's last, by its size after they were read, or as
   * it was seen before if they end there.
   */
  boolean endsHere() throws IOException {
    return base + end == (endsBySize ? fileEnd : size());
  }

  private boolean isSize(long bytes) throws IOException {
    return bytes == seenSize || bytes == size();
  }

  private int readAt(long position, byte[] to, int offset, int length) throws IOException {
    if (channel == null || position >= fileEnd) {
      return -1;
    }
    try {
      // In portions: channels keep a native buffer as large as the largest request.
      int portion = Math.min(length, 4 * WINDOW_BYTES);
      int n = channel.read(ByteBuffer.wrap(to, offset, portion), position);
      if (n < 0) {
        fileEnd = position;
        endsBySize = false;
      } else if (n < portion && isSize(position + n)) {
        // Cheaper than another read, which a file of a system that knows no sizes still gets.
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
