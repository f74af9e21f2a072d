package io.kmodel.indexer.store;

/**
 * Variable-length integers in byte arrays: seven bits per byte, low bits first, with the sign bit
 * set in all but the last byte. The caller must provide room for the longest encoding.
 */
public final class VariableLength {
  public static final int MAX_INT_BYTES = 5;
  public static final int MAX_LONG_BYTES = 10;

  private VariableLength() {}

  /** Puts 1 to 5 bytes, 5 for a negative number; returns the index after them. */
  public static int putInt(byte[] to, int from, int value) {
    int at = from;
    int rest = value;
    while ((rest & ~0x7F) != 0) {
      to[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    to[at++] = (byte) rest;
    return at;
  }

  /** Puts 1 to 10 bytes, 10 for a negative number; returns the index after them. */
  public static int putLong(byte[] to, int from, long value) {
    int at = from;
    // Modifies the parameter. A copy would take more bytecodes than FreqInlineSize allows, so the
    // method would not be inlined.
    while ((value & ~0x7FL) != 0) {
      to[at++] = (byte) (value | 0x80);
      value >>>= 7;
    }
    to[at++] = (byte) value;
    return at;
  }
}
