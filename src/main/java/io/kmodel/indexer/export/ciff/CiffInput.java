package io.kmodel.indexer.export.ciff;

import io.kmodel.indexer.store.GzipFile;
import io.kmodel.indexer.store.VariableLength;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipException;

/**
 * A file as a sequence of messages in protobuf's wire format, none of which is ever held as a
 * whole. Whether it is gzipped is told by its first bytes. Whatever cannot be is a {@link
 * MalformedCiffException}. Memory: two buffers of 64 KiB, and the string being read. Not
 * thread-safe.
 */
final class CiffInput implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path file;
  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];

  /** Offset of buffer[0]. */
  private long bufferStart;

  private int next;
  private int filled;

  /** Where the current message, or the one inside it, ends. */
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

  /** Bytes read, after decompression. */
  long position() {
    return bufferStart + next;
  }

  boolean atEnd() throws IOException {
    return next == filled && !refill();
  }

  /**
   * Enters the next message, whose fields {@link #nextTag} then yields.
   *
   * @param what to call it
   * @param number of those read before, of so many
   */
  void startMessage(String what, int number, int of) throws IOException {
    if (atEnd()) {
      throw corrupt("the file ends; expected %s %d of %d".formatted(what, number, of));
    }
    long bytes = readVarint();
    if (bytes < 0 || bytes > Integer.MAX_VALUE) {
      throw corrupt(
          "%s %d of %d bytes; a message has less than 2^31".formatted(what, number, bytes));
    }
    end = position() + bytes;
  }

  /** The next field's tag, 0 at the end of the message. */
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
      throw corrupt("%#x is no field's tag".formatted(tag));
    }
    return (int) tag;
  }

  /** Enters a message that is a field; returns what {@link #endInner} wants. */
  long startInner() throws IOException {
    int bytes = readLength();
    long outer = end;
    end = position() + bytes;
    return outer;
  }

  void endInner(long outer) {
    end = outer;
  }

  /** Steps over the rest of the current message. */
  void skipMessage() throws IOException {
    skip(end - position());
  }

  /** Steps over a field that nobody here knows. */
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
      throw corrupt("%d, which is no integer of 32 bits".formatted(value));
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

  /** A string's bytes, which are allocated as they come. */
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

  /** The length of a field, all of which is in the current message. */
  private int readLength() throws IOException {
    long length = readVarint();
    long left = end - position();
    if (length < 0 || length > left) {
      throw corrupt("a field of %d bytes where its message has %d left".formatted(length, left));
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
    throw corrupt("an integer of more than %d bytes".formatted(VariableLength.MAX_LONG_BYTES));
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
        "the file ends, %d bytes before its message does (truncated?)".formatted(end - position()));
  }
}
