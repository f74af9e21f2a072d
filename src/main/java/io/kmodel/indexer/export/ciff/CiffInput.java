package io.kmodel.indexer.export.ciff;

import io.kmodel.indexer.store.VariableLength;
import io.kmodel.indexer.store.library.GzipFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipException;

/**
 * Reads a file as a sequence of messages in protobuf's wire format without holding any message as a
 * whole. A gzip file is recognized by its first bytes. Invalid content raises a {@link
 * MalformedCiffException}. Memory: two buffers of 64 KiB, and the string being read. Not
 * thread-safe.
 */
final class CiffInput implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path file;
  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];

  /** Offset of buffer[0] in the decompressed file. */
  private long bufferStart;

  private int next;
  private int filled;

  /** End of the current message, or of the nested one. */
  private long end;

  private CiffInput(Path file, InputStream in) {
    this.file = file;
    this.in = in;
  }

  static CiffInput open(Path file) throws IOException {
    try {
      return new CiffInput(file, GzipFile.unpacked(file));
    } catch (EOFException | ZipException e) {
      throw new MalformedCiffException(file, 0, String.valueOf(e.getMessage()), e);
    }
  }

  /** Number of decompressed bytes read. */
  long position() {
    return bufferStart + next;
  }

  boolean atEnd() throws IOException {
    return next == filled && !refill();
  }

  /**
   * Starts the next message; {@link #nextTag} then returns its fields.
   *
   * @param what description of the message
   * @param number number of such messages read before
   * @param of their total number
   */
  void startMessage(String what, int number, int of) throws IOException {
    if (atEnd()) {
      throw corrupt("unexpected end of file; expected %s %d of %d".formatted(what, number, of));
    }
    long bytes = readVarint();
    if (bytes < 0 || bytes > Integer.MAX_VALUE) {
      throw corrupt(
          "%s %d has %d bytes; a message must have less than 2^31".formatted(what, number, bytes));
    }
    end = position() + bytes;
  }

  /** Returns the next field's tag, or 0 at the end of the message. */
  int nextTag() throws IOException {
    long left = end - position();
    if (left <= 0) {
      if (left < 0) {
        throw corrupt("a field ends %d bytes after its message".formatted(-left));
      }
      return 0;
    }
    long tag = readVarint();
    int type = (int) tag & 7;
    if (tag >>> 3 == 0
        || tag != (int) tag
        || (type != Wire.VARINT
            && type != Wire.BYTES
            && type != Wire.FIXED64
            && type != Wire.FIXED32)) {
      throw corrupt("%#x is not a valid field tag".formatted(tag));
    }
    return (int) tag;
  }

  /** Enters a nested message; returns the argument for {@link #endInner}. */
  long startInner() throws IOException {
    int bytes = readLength();
    long outer = end;
    end = position() + bytes;
    return outer;
  }

  void endInner(long outer) {
    end = outer;
  }

  /** Skips the rest of the current message. */
  void skipMessage() throws IOException {
    skip(end - position());
  }

  /** Skips a field that CIFF does not define. */
  void skipField(int tag) throws IOException {
    switch (tag & 7) {
      case Wire.VARINT -> readVarint();
      case Wire.FIXED64 -> skip(Long.BYTES);
      case Wire.FIXED32 -> skip(Integer.BYTES);
      default -> skip(readLength());
    }
  }

  int readInt32() throws IOException {
    long value = readVarint();
    if (value != (int) value) {
      throw corrupt("%d does not fit in 32 bits".formatted(value));
    }
    return (int) value;
  }

  long readInt64() throws IOException {
    return readVarint();
  }

  double readDouble() throws IOException {
    long bits = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      bits |= (readByte() & 0xFFL) << (8 * i);
    }
    return Double.longBitsToDouble(bits);
  }

  /** Reads a string's bytes; memory grows only as they arrive. */
  byte[] readBytes() throws IOException {
    int length = readLength();
    byte[] bytes = new byte[Math.min(length, BUFFER_BYTES)];
    for (int read = 0; read < length; ) {
      if (next == filled && !refill()) {
        throw ends();
      }
      if (read == bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * read));
      }
      int n = Math.min(filled - next, bytes.length - read);
      System.arraycopy(buffer, next, bytes, read, n);
      next += n;
      read += n;
    }
    return bytes;
  }

  MalformedCiffException corrupt(String problem) {
    return new MalformedCiffException(file, position(), problem);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** Reads the length of a field, which must fit in the current message. */
  private int readLength() throws IOException {
    long length = readVarint();
    long left = end - position();
    if (length < 0 || length > left) {
      throw corrupt("field of %d bytes, but its message has only %d left".formatted(length, left));
    }
    return (int) length;
  }

  private long readVarint() throws IOException {
    byte b = readByte();
    if (b >= 0) {
      return b;
    }
    long value = b & 0x7FL;
    for (int shift = 7; shift < Long.SIZE; shift += 7) {
      b = readByte();
      value |= (b & 0x7FL) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw corrupt("integer of more than %d bytes".formatted(VariableLength.MAX_LONG_BYTES));
  }

  private byte readByte() throws IOException {
    if (next == filled && !refill()) {
      throw ends();
    }
    return buffer[next++];
  }

  private void skip(long bytes) throws IOException {
    long left = bytes;
    while (left > 0) {
      if (next == filled && !refill()) {
        throw ends();
      }
      int n = (int) Math.min(left, filled - next);
      next += n;
      left -= n;
    }
  }

  private boolean refill() throws IOException {
    bufferStart += filled;
    next = 0;
    filled = 0;
    try {
      int n = in.read(buffer, 0, BUFFER_BYTES);
      filled = Math.max(0, n);
      return n > 0;
    } catch (EOFException | ZipException e) {
      throw new MalformedCiffException(file, position(), String.valueOf(e.getMessage()), e);
    }
  }

  private MalformedCiffException ends() {
    return corrupt(
        "unexpected end of file %d bytes before the end of its message (truncated?)"
            .formatted(end - position()));
  }
}
