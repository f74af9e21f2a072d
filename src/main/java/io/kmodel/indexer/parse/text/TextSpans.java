package io.kmodel.indexer.parse.text;

import java.util.Arrays;

/**
 * Records where certain elements are in a text, as offsets from the start of the outermost of them
 * to its end. The elements must be reported in the order of the text. Memory: eight bytes per
 * element. Not thread-safe.
 */
public final class TextSpans {
  /** Starts and ends alternate. */
  private int[] offsets = new int[64];

  private int size;
  private int depth;

  public void reset() {
    size = 0;
    depth = 0;
  }

  /** An element starts. */
  public void open(int offset) {
    if (depth++ == 0) {
      add(offset);
    }
  }

  /** An element ends. */
  public void close(int offset) {
    if (--depth == 0) {
      add(offset);
      if (offsets[size - 2] == offset) {
        size -= 2; // nothing in it
      }
    }
  }

  /** The text ends, and with it all elements that are open. */
  public void finish(int offset) {
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

  /** Joins the texts of the elements with a space between two. */
  public void join(byte[] text, TextBuffer out) {
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

  /** Does the same for a text in characters. */
  public String join(String text) {
    StringBuilder joined = new StringBuilder();
    for (int i = 0; i < size; i += 2) {
      int from = offsets[i] + (text.charAt(offsets[i]) == ' ' ? 1 : 0);
      joined.append(joined.isEmpty() ? "" : " ").append(text, from, offsets[i + 1]);
    }
    return joined.toString();
  }
}
