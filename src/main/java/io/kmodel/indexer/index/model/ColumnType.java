package io.kmodel.indexer.index.model;

import java.time.Instant;

/** What the values of a {@link Column} are. */
public enum ColumnType {
  /** Text that is compared as a whole, in order of its UTF-8 bytes. */
  STRING,
  /** A whole number of 64 bits with a sign. */
  INT,
  /**
   * A number of double precision. It is kept as {@link Double#doubleToLongBits}, negative ones with
   * the bits below the sign turned round, so that the order of longs is that of the numbers.
   */
  DOUBLE,
  /** A point in time: milliseconds since 1970-01-01T00:00Z. */
  DATE;

  /** Whether values are longs, whose order is that of the values. */
  public boolean isNumber() {
    return this != STRING;
  }

  /** The long that stands for a double. It is never the result for two different numbers. */
  public static long sortable(double number) {
    return turned(Double.doubleToLongBits(number));
  }

  /** The number that {@link #sortable} gave. */
  public static double number(long sortable) {
    return Double.longBitsToDouble(turned(sortable));
  }

  /**
   * A number of this type as text; a date in ISO 8601.
   *
   * @throws IllegalArgumentException if the type has no numbers
   */
  public String text(long value) {
    return switch (this) {
      case INT -> Long.toString(value);
      case DOUBLE -> Double.toString(number(value));
      case DATE -> Instant.ofEpochMilli(value).toString();
      case STRING -> throw new IllegalArgumentException("strings are no numbers");
    };
  }

  private static long turned(long bits) {
    return bits ^ (bits >> 63 & Long.MAX_VALUE);
  }
}
