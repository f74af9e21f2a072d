package io.kmodel.indexer.export.ciff;

/**
 * What protobuf's wire format is, as far as CIFF needs it. A field is a tag, {@code number << 3 |
 * type}, and a value; tags, integers and lengths are varints of seven bits a byte, low bits first,
 * negative integers of ten bytes.
 *
 * <p>Of our own, because protobuf's library (4.34) reaches into {@code sun.misc.Unsafe}, of which
 * JDK 25 warns on every start; it is the tests' oracle.
 */
final class Wire {
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int BYTES = 2;
  static final int FIXED32 = 5;

  private Wire() {}

  static int tag(int field, int type) {
    return field << 3 | type;
  }

  /** Bytes of a varint. */
  static int size(long value) {
    return (Long.SIZE - 1 - Long.numberOfLeadingZeros(value | 1)) / 7 + 1;
  }
}
