package io.kmodel.indexer.source.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A text that is put together from strings of an object, with line feeds in between. A text of one
 * string is not copied. Memory: a copy of several strings, and 8 to 16 bytes for each of them. Not
 * thread-safe.
 */
final class JsonText {
  private static final int FEW = 4;

  /** Arrays for more strings, and copies of more bytes, are not kept for the next object. */
  private static final int MANY = 1 << 16;

  /** Where strings start in the object; ~start for those without their escapes. */
  private int[] starts = new int[FEW];

  private int[] ends = new int[FEW];
  private int count;
  private int length;
  private boolean isPresent;
  private byte[] joined = {};

  /** Holds the text once it is {@link #finish}ed. */
  private byte[] bytes = {};

  private int from;
  private int to;

  /** Makes it absent. */
  void clear() {
    count = 0;
    length = 0;
    isPresent = false;
    if (starts.length > MANY) {
      starts = new int[FEW];
      ends = new int[FEW];
    }
    if (joined.length > MANY) {
      joined = new byte[] {};
    }
  }

  boolean isPresent() {
    return isPresent;
  }

  /** Makes it present; it may be empty. */
  void setPresent() {
    isPresent = true;
  }

  boolean isEmpty() {
    return length == 0;
  }

  /** Makes it one string. */
  void set(int start, int end) {
    count = 0;
    length = 0;
    append(start, end);
  }

  /** Makes it equal to another text. */
  void set(JsonText other) {
    count = 0;
    length = 0;
    appendAll(other);
  }

  /**
   * Appends a string, with a line feed before all but the first.
   *
   * @param start its offset in the object, or ~offset among the strings without their escapes
   */
  void append(int start, int end) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
    }
    starts[count] = start;
    ends[count] = end;
    length += (count > 0 ? 1 : 0) + end - (start < 0 ? ~start : start);
    count++;
    isPresent = true;
  }

  /** Appends the strings of another text. */
  void appendAll(JsonText other) {
    for (int i = 0; i < other.count; i++) {
      append(other.starts[i], other.ends[i]);
    }
    isPresent |= other.isPresent;
  }

  /** Determines the bytes, which are those of the object if possible. */
  void finish(byte[] object, byte[] unescaped) {
    from = 0;
    to = length;
    if (count == 1) {
      bytes = starts[0] < 0 ? unescaped : object;
      from = starts[0] < 0 ? ~starts[0] : starts[0];
      to = ends[0];
    } else if (count > 1) {
      joined = joined.length < length ? new byte[length] : joined;
      bytes = joined;
      for (int i = 0, at = 0; i < count; i++) {
        if (i > 0) {
          joined[at++] = '\n';
        }
        int start = starts[i] < 0 ? ~starts[i] : starts[i];
        System.arraycopy(starts[i] < 0 ? unescaped : object, start, joined, at, ends[i] - start);
        at += ends[i] - start;
      }
    }
  }

  byte[] bytes() {
    return bytes;
  }

  int from() {
    return from;
  }

  int to() {
    return to;
  }

  String string() {
    return length == 0 ? "" : new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }
}
