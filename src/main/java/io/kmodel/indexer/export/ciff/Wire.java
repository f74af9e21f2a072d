package io.kmodel.indexer.export.ciff;

/**
 * The parts of protobuf's wire format that CIFF uses. A field is a tag, {@code number << 3 | type},
 * and a value. Tags, integers and lengths are varints with seven bits per byte, low bits first;
 * negative integers take ten bytes.
 *
 * <p>This program implements it itself, because protobuf's library (4.34) uses {@code
 * sun.misc.Unsafe}, about which JDK 25 warns on every start. Tests use the library as oracle.
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

  /** Size of a varint in bytes. */
  static int size(long value) {
    return (Long.SIZE - 1 - Long.numberOfLeadingZeros(value | 1)) / 7 + 1;
  }
}
