package io.kmodel.indexer.experiment.strings;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Strings of any bytes, one behind the other; fewer than 2^31 bytes together. */
public final class ByteStrings {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** With 8 bytes more, so that the last string's first 8 can be read. */
  private final byte[] bytes;

  /** One more than there are strings. */
  private final long[] starts;

  /**
   * Takes strings over.
   *
   * @param bytes with 8 more than the strings have
   * @param starts of the strings, and their end
   */
  public ByteStrings(byte[] bytes, long[] starts) {
    if (starts[starts.length - 1] + Long.BYTES != bytes.length) {
      throw new IllegalArgumentException(
          "strings of %d bytes in an array of %d"
              .formatted(starts[starts.length - 1], bytes.length));
    }
    this.bytes = bytes;
    this.starts = starts;
  }

  public int count() {
    return starts.length - 1;
  }

  /** Of all strings together, in bytes. */
  public long totalBytes() {
    return starts[count()];
  }

  public byte[] bytes() {
    return bytes;
  }

  public long[] starts() {
    return starts;
  }

  private int start(int string) {
    return (int) starts[string];
  }

  public int length(int string) {
    return start(string + 1) - start(string);
  }

  /** The first 8 bytes as an unsigned number, the first one highest, and zeros behind the end. */
  public long firstBytes(int string) {
    int length = length(string);
    if (length == 0) {
      return 0;
    }
    long eight = (long) LONG.get(bytes, start(string));
    return length < Long.BYTES ? eight & (-1L << (Long.SIZE - Byte.SIZE * length)) : eight;
  }

  /** The number of bytes that two strings share at their start. */
  public int shared(int one, int other) {
    int mismatch =
        Arrays.mismatch(bytes, start(one), start(one + 1), bytes, start(other), start(other + 1));
    return mismatch < 0 ? length(one) : mismatch;
  }

  /** Compares all bytes, unsigned. */
  public int compare(int one, int other) {
    return compareBehind(one, other, 0);
  }

  /** Compares two strings that share so many bytes, which both have. */
  public int compareBehind(int one, int other, int depth) {
    return Arrays.compareUnsigned(
        bytes, start(one) + depth, start(one + 1), bytes, start(other) + depth, start(other + 1));
  }

  /**
   * Requires that an order has each string once, ascending, and equal strings as they were.
   *
   * @param sorter named in the message
   * @throws IllegalStateException if not
   */
  public void requireOrder(String sorter, int[] order) {
    if (order.length != count()) {
      throw new IllegalStateException(
          "%s returned %d of %d strings".formatted(sorter, order.length, count()));
    }
    // Strings in strict order are all different.
    IntStream.range(0, order.length)
        .parallel()
        .filter(i -> !isInOrder(order, i))
        .findAny()
        .ifPresent(
            i -> {
              throw new IllegalStateException(
                  "%s left strings out of order at place %d of %d"
                      .formatted(sorter, i, order.length));
            });
  }

  private boolean isInOrder(int[] order, int i) {
    int string = order[i];
    if (string < 0 || string >= count()) {
      return false;
    }
    if (i == 0) {
      return true;
    }
    int before = order[i - 1];
    if (before < 0 || before >= count()) {
      return false;
    }
    int comparison = compare(before, string);
    return comparison < 0 || (comparison == 0 && before < string);
  }
}
