package io.kmodel.indexer.api;

/**
 * An amount of memory.
 *
 * @param bytes at least 0
 */
public record DataSize(long bytes) {
  private static final long KILO = 1024;

  /** Checks that it is not negative. */
  public DataSize {
    if (bytes < 0) {
      throw new IllegalArgumentException("a size must not be negative; got " + bytes);
    }
  }

  /**
   * Returns a size in units of 2<sup>20</sup> bytes.
   *
   * @param count at least 0
   * @return the size
   */
  public static DataSize megabytes(long count) {
    return new DataSize(Math.multiplyExact(count, KILO * KILO));
  }

  /**
   * Returns a size in units of 2<sup>30</sup> bytes.
   *
   * @param count at least 0
   * @return the size
   */
  public static DataSize gigabytes(long count) {
    return new DataSize(Math.multiplyExact(count, KILO * KILO * KILO));
  }
}
