package io.kmodel.indexer.parse.text;

import java.io.Reader;

/**
 * Decodes UTF-8 bytes into characters on demand. The bytes must be valid: others give unspecified
 * characters, but the reader ends and reads nothing outside its piece. It needs no further memory.
 * Closing it has no effect. Not thread-safe.
 */
public final class Utf8Reader extends Reader {
  private byte[] bytes = {};
  private int at;
  private int end;

  /** The low surrogate of a pair if only the high one had room; else 0. */
  private char pending;

  /** Sets the piece to read, from start to end. */
  public void read(byte[] bytes, int start, int end) {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
    pending = 0;
  }

  /** Returns the number of bytes of the character with this first byte. */
  public static int length(byte first) {
    if (first >= (byte) 0xF0 && first < 0) {
      return 4;
    }
    if (first >= (byte) 0xE0 && first < 0) {
      return 3;
    }
    return first >= (byte) 0xC0 && first < 0 ? 2 : 1;
  }

  @Override
  public int read(char[] to, int offset, int length) {
    int n = offset;
    int limit = offset + length;
    if (pending != 0 && n < limit) {
      to[n++] = pending;
      pending = 0;
    }
    while (n < limit && at < end) {
      int codePoint = next();
      if (codePoint < Character.MIN_SUPPLEMENTARY_CODE_POINT) {
        to[n++] = (char) codePoint;
      } else {
        to[n++] = Character.highSurrogate(codePoint);
        if (n < limit) {
          to[n++] = Character.lowSurrogate(codePoint);
        } else {
          pending = Character.lowSurrogate(codePoint);
        }
      }
    }
    return n == offset && length > 0 ? -1 : n - offset;
  }

  private int next() {
    byte first = bytes[at];
    int length = length(first);
    if (length == 1 || length > end - at) {
      at++;
      return first >= 0 ? first : 0xFFFD;
    }
    int codePoint = first & (0x7F >> length);
    for (int i = 1; i < length; i++) {
      codePoint = codePoint << 6 | (bytes[at + i] & 0x3F);
    }
    at += length;
    return Math.min(codePoint, Character.MAX_CODE_POINT);
  }

  @Override
  public void close() {}
}
