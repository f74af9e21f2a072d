package io.kmodel.indexer.parse.html;

import io.kmodel.indexer.source.record.EightBytes;
import java.util.Arrays;

/**
 * Numbers the tag names of a page: those of {@link HtmlTag}, and from {@link HtmlTag#COUNT} on the
 * others in order of appearance. Names are compared in lower case. Memory: 16 KiB, and up to
 * {@value #MAX_OTHERS} other names as offsets into the page. Not thread-safe.
 */
final class TagNames {
  static final int MAX_OTHERS = 1 << 10;

  /** The result for a name with a NUL or a character outside of ASCII. */
  static final int ODD = -1;

  /** The result for a new name if there are too many. */
  static final int TOO_MANY = -2;

  private static final int SLOTS = 1 << 12;
  private static final byte[] LOWER = lower();

  private final short[] slots = new short[SLOTS];
  private final long[] first = new long[HtmlTag.COUNT + MAX_OTHERS];
  private final int[] offset = new int[HtmlTag.COUNT + MAX_OTHERS];
  private final int[] lengths = new int[HtmlTag.COUNT + MAX_OTHERS];
  private final short[] slotOf = new short[HtmlTag.COUNT + MAX_OTHERS];
  private final byte[] knownNames;
  private byte[] page = {};
  private int count;

  TagNames() {
    StringBuilder all = new StringBuilder();
    for (int number = 0; number < HtmlTag.COUNT; number++) {
      all.append(HtmlTag.name(number));
    }
    knownNames = new byte[all.length()];
    for (int i = 0; i < knownNames.length; i++) {
      knownNames[i] = (byte) all.charAt(i);
    }
    page = knownNames;
    int at = 0;
    for (int number = 0; number < HtmlTag.COUNT; number++) {
      int length = HtmlTag.name(number).length();
      int given = number(at, at + length);
      assert given == number : HtmlTag.name(number);
      at += length;
    }
  }

  /** Starts a page and forgets the names of the previous one. */
  void reset(byte[] nextPage) {
    while (count > HtmlTag.COUNT) {
      slots[slotOf[--count]] = 0;
    }
    page = nextPage;
  }

  /**
   * Returns the number of a lowercase name of less than eight bytes if it is in its first slot.
   * Otherwise the result is negative, and {@link #number(int, int)} must be called.
   *
   * @param word the name, followed by zeros
   * @param length the length of the name; no name is empty
   */
  int shortName(long word, int length) {
    int number = slots[home(word)] - 1;
    // A name may end in a NUL, which is a zero, too.
    return number >= 0 && first[number] == word && lengths[number] == length ? number : -1;
  }

  private static int home(long hash) {
    return (int) ((hash * 0xD6E8FEB86659FD93L) >>> 52);
  }

  /**
   * Returns the number of the name in these bytes of the page, or {@link #ODD} or {@link
   * #TOO_MANY}.
   */
  int number(int from, int to) {
    int length = to - from;
    if (length <= Long.BYTES && from <= page.length - Long.BYTES) {
      long eight = EightBytes.at(page, from) & -1L >>> (Long.SIZE - Byte.SIZE * length);
      // The bytes above the name are zeros.
      boolean odd =
          !EightBytes.isAscii(eight)
              || EightBytes.first(EightBytes.firstEqual(eight, (byte) 0)) < length;
      return odd ? ODD : number(EightBytes.lower(eight), 0, from, to);
    }
    long word = 0;
    long hash = 0;
    for (int i = from; i < to; i++) {
      byte b = LOWER[page[i] & 0xFF];
      if (b <= 0) {
        return ODD;
      }
      if (i - from < Long.BYTES) {
        word |= (long) b << (Byte.SIZE * (i - from));
      } else {
        hash = (hash + b) * 0x9E3779B97F4A7C15L;
      }
    }
    return number(word, hash, from, to);
  }

  /**
   * Returns the number of a name.
   *
   * @param word its first eight bytes in lower case, followed by zeros if it is shorter
   * @param rest a hash of the other bytes
   */
  private int number(long word, long rest, int from, int to) {
    for (int slot = home(rest ^ word); ; slot = slot + 1 & SLOTS - 1) {
      int number = slots[slot] - 1;
      if (number < 0) {
        return add(slot, word, from, to);
      }
      if (first[number] == word && lengths[number] == to - from && sameRest(number, from, to)) {
        return number;
      }
    }
  }

  private boolean sameRest(int number, int from, int to) {
    byte[] named = number < HtmlTag.COUNT ? knownNames : page;
    int start = offset[number];
    for (int i = 8; i < to - from; i++) {
      if (LOWER[named[start + i] & 0xFF] != LOWER[page[from + i] & 0xFF]) {
        return false;
      }
    }
    return true;
  }

  private int add(int slot, long word, int from, int to) {
    if (count == slotOf.length) {
      return TOO_MANY;
    }
    int number = count++;
    slots[slot] = (short) count;
    slotOf[number] = (short) slot;
    first[number] = word;
    offset[number] = from;
    lengths[number] = to - from;
    return number;
  }

  private static byte[] lower() {
    byte[] lower = new byte[256];
    for (int i = 0; i < 256; i++) {
      lower[i] = (byte) i;
    }
    for (char c = 'A'; c <= 'Z'; c++) {
      lower[c] = (byte) (c | 0x20);
    }
    Arrays.fill(lower, 128, 256, (byte) -1);
    return lower;
  }
}
