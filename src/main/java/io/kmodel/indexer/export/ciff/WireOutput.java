package io.kmodel.indexer.export.ciff;

import io.kmodel.indexer.store.VariableLength;
import java.io.IOException;
import java.io.OutputStream;

/** Writes fields in protobuf's wire format through a buffer of 64 KiB. Not thread-safe. */
final class WireOutput {
  private static final int BUFFER_BYTES = 1 << 16;

  private final OutputStream out;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int buffered;

  WireOutput(OutputStream out) {
    this.out = out;
  }

  void varint(long value) throws IOException {
    if (BUFFER_BYTES - buffered < VariableLength.MAX_LONG_BYTES) {
      flush();
    }
    buffered = VariableLength.putLong(buffer, buffered, value);
  }

  /** Writes an integer field, unless it is zero. */
  void integer(int field, long value) throws IOException {
    if (value != 0) {
      varint(Wire.tag(field, Wire.VARINT));
      varint(value);
    }
  }

  /** Size of what {@link #integer} writes. */
  static int integerBytes(int field, long value) {
    return value == 0 ? 0 : Wire.size(Wire.tag(field, Wire.VARINT)) + Wire.size(value);
  }

  /** Writes a string field, unless it is empty. */
  void string(int field, byte[] utf8, int offset, int length) throws IOException {
    if (length > 0) {
      varint(Wire.tag(field, Wire.BYTES));
      varint(length);
      bytes(utf8, offset, length);
    }
  }

  /** Size of what {@link #string} writes. */
  static long stringBytes(int field, int length) {
    return length == 0 ? 0 : Wire.size(Wire.tag(field, Wire.BYTES)) + Wire.size(length) + length;
  }

  /** Writes a double field, unless it is zero. */
  void real(int field, double value) throws IOException {
    long bits = Double.doubleToRawLongBits(value);
    if (bits != 0) {
      varint(Wire.tag(field, Wire.FIXED64));
      byte[] bytes = new byte[Long.BYTES];
      for (int i = 0; i < Long.BYTES; i++) {
        bytes[i] = (byte) (bits >>> (8 * i));
      }
      bytes(bytes, 0, Long.BYTES);
    }
  }

  /** Size of what {@link #real} writes. */
  static int realBytes(int field, double value) {
    return Double.doubleToRawLongBits(value) == 0
        ? 0
        : Wire.size(Wire.tag(field, Wire.FIXED64)) + Long.BYTES;
  }

  void flush() throws IOException {
    out.write(buffer, 0, buffered);
    buffered = 0;
  }

  private void bytes(byte[] bytes, int offset, int length) throws IOException {
    if (BUFFER_BYTES - buffered < length) {
      flush();
    }
    if (length > BUFFER_BYTES) {
      out.write(bytes, offset, length);
    } else {
      System.arraycopy(bytes, offset, buffer, buffered, length);
      buffered += length;
    }
  }
}
