package io.kmodel.indexer.parse.text;

import java.util.Arrays;

/**
 * UTF-8 text that grows at its end, in a reused array. White space and the ends of elements are not
 * stored. They make a separator pending: one space then precedes the next character, unless it is
 * the first. The fields are package-private because the tokenizer's inner loop works on them
 * directly.
 */
public final class TextBuffer {
  public byte[] bytes = new byte[1 << 12];
  public int length;
  public boolean separated;

  /** Clears the text and makes room for this many bytes. */
  public void reset(int room) {
    length = 0;
    separated = false;
    ensureRoom(room);
  }

  public void separate() {
    separated = true;
  }

  /** Makes room for this many more bytes; the array grows at least by half. */
  public void ensureRoom(int room) {
    long needed = (long) length + room;
    if (needed > bytes.length) {
      long grown = Math.max(needed, bytes.length + (bytes.length >> 1));
      bytes = Arrays.copyOf(bytes, Math.toIntExact(Math.min(grown, Integer.MAX_VALUE - 16)));
      if (needed > bytes.length) {
        throw new IllegalStateException("text of %d bytes, the limit is 2 GiB".formatted(needed));
      }
    }
  }

  /** Appends a character that is neither white space nor removed; there must be room. */
  public void append(int codePoint) {
    if (separated && length > 0) {
      bytes[length++] = ' ';
    }
    separated = false;
    if (codePoint < 0x80) {
      bytes[length++] = (byte) codePoint;
    } else if (codePoint < 0x800) {
      bytes[length++] = (byte) (0xC0 | codePoint >> 6);
      bytes[length++] = (byte) (0x80 | (codePoint & 0x3F));
    } else if (codePoint < 0x10000) {
      bytes[length++] = (byte) (0xE0 | codePoint >> 12);
      bytes[length++] = (byte) (0x80 | (codePoint >> 6 & 0x3F));
      bytes[length++] = (byte) (0x80 | (codePoint & 0x3F));
    } else {
      bytes[length++] = (byte) (0xF0 | codePoint >> 18);
      bytes[length++] = (byte) (0x80 | (codePoint >> 12 & 0x3F));
      bytes[length++] = (byte) (0x80 | (codePoint >> 6 & 0x3F));
      bytes[length++] = (byte) (0x80 | (codePoint & 0x3F));
    }
  }

  /** Removes spaces and control characters from both ends, like {@code String.trim}. */
  public void trim() {
    while (length > 0 && bytes[length - 1] >= 0 && bytes[length - 1] <= ' ') {
      length--;
    }
    int from = 0;
    while (from < length && bytes[from] >= 0 && bytes[from] <= ' ') {
      from++;
    }
    System.arraycopy(bytes, from, bytes, 0, length - from);
    length -= from;
  }
}
