package io.kmodel.indexer.parse;

import java.util.Arrays;

/**
 * Where in a text certain elements stand, as offsets: from where the outermost of them starts to
 * where it ends. Told in the order of the text. Memory: eight bytes an element. Not thread-safe.
 */
final class TextSpans {
  /** Starts and ends in turn. */
  private int[] offsets = new int[64];

  private int size;
  private int depth;

  void reset() {
    size = 0;
    depth = 0;
  }

  /** An element starts. */
  void open(int offset) {
    if (depth++ == 0) {
      add(offset);
    }
  }

  /** An element ends. */
  void close(int offset) {
    if (--depth == 0) {
      add(offset);
      if (offsets[size - 2] == offset) {
        size -= 2; // nothing in it
      }
    }
  }

  /** The text ends, and with it what has not ended. */
  void finish(int offset) {
    if (depth > 0) {
      depth = 1;
      close(offset);
    }
  }

  private void add(int offset) {
    if (size == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * size);
    }
    offsets[size++] = offset;
  }

  /** The texts of the elements, with a space between two. */
  void join(byte[] text, TextBuffer out) {
    out.reset(0);
    for (int i = 0; i < size; i += 2) {
      int from = offsets[i] + (text[offsets[i]] == ' ' ? 1 : 0);
      int length = offsets[i + 1] - from;
      out.ensureRoom(length + 1);
      if (out.length > 0) {
        out.bytes[out.length++] = ' ';
      }
      System.arraycopy(text, from, out.bytes, out.length, length);
      out.length += length;
    }
  }

  /** The same of a text in characters. */
  String join(String text) {
    StringBuilder joined = new StringBuilder();
    for (int i = 0; i < size; i += 2) {
      int from = offsets[i] + (text.charAt(offsets[i]) == ' ' ? 1 : 0);
      joined.append(joined.isEmpty() ? "" : " ").append(text, from, offsets[i + 1]);
    }
    return joined.toString();
  }
}
