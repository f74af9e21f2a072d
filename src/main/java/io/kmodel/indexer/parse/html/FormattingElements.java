package io.kmodel.indexer.parse.html;

import java.util.Arrays;

/**
 * The HTML standard's list of active formatting elements, and its effect on the open elements.
 * Elements closed by the end of a block are opened again in the next one. One that ends within a
 * block that began after it is split (the adoption agency, §13.2.6.4.7). All of them are inline, so
 * they do not affect the text, but they determine which end tag closes what. It has jsoup's limits
 * and deviations. Memory: {@value #MAX} entries. Not thread-safe.
 */
final class FormattingElements {
  static final int MAX = 256;

  /** How many entries from the end are opened again, or searched for equals. */
  private static final int WINDOW = 12;

  private static final int MARKER = -1;

  private final OpenElements open;
  private final int[] names = new int[MAX];
  private final int[] serials = new int[MAX];
  private final long[] attributes = new long[MAX];
  private final HtmlDoubt doubt;
  private byte[] page = {};
  private int size;

  FormattingElements(OpenElements open, HtmlDoubt doubt) {
    this.open = open;
    this.doubt = doubt;
  }

  void reset(byte[] nextPage) {
    page = nextPage;
    size = 0;
  }

  /**
   * Marks the start of a cell, caption, template or widget, in which earlier elements have no
   * effect.
   */
  void mark() {
    if (room()) {
      serials[size++] = MARKER;
    }
  }

  void clearToMark() {
    while (size > 0 && serials[--size] != MARKER) {
      // Remove entries down to the marker.
    }
  }

  /**
   * Adds an element that was opened.
   *
   * @param attribute the range of its attributes in the page: the offset of the first byte in the
   *     upper half, that after the last in the lower half; 0 without attributes
   */
  void add(int name, int serial, long attribute) {
    add(size, name, serial, attribute);
  }

  private void add(int wanted, int name, int serial, long attribute) {
    forgetThird(name, attribute);
    if (room()) {
      int index = Math.min(wanted, size);
      if (index < size) {
        System.arraycopy(names, index, names, index + 1, size - index);
        System.arraycopy(serials, index, serials, index + 1, size - index);
        System.arraycopy(attributes, index, attributes, index + 1, size - index);
      }
      names[index] = name;
      serials[index] = serial;
      attributes[index] = attribute;
      size++;
    }
  }

  private boolean room() {
    if (size == MAX) {
      doubt.raise(HtmlUnsure.FORMATTING_COUNT);
    }
    return size < MAX;
  }

  /**
   * Keeps at most three elements of the same name and attributes. Attributes are compared only if
   * there are three of the name already. Then either one of them is dropped or the page is given
   * up, so long attributes are not compared repeatedly.
   */
  private void forgetThird(int name, long attribute) {
    int third = third(name);
    if (third < 0) {
      return;
    }
    for (int i = size - 1; i >= third; i--) {
      if (names[i] == name && !haveEqualBytes(attributes[i], attribute)) {
        doubt.raise(HtmlUnsure.FORMATTING);
        return;
      }
    }
    remove(third);
  }

  /** Returns the index of the third-last element of this name after the last marker, or -1. */
  private int third(int name) {
    int similar = 0;
    int least = Math.max(size - 1 - WINDOW, 0);
    for (int i = size - 1; i >= least && serials[i] != MARKER; i--) {
      similar += names[i] == name ? 1 : 0;
      if (similar == 3) {
        return i;
      }
    }
    return -1;
  }

  private boolean haveEqualBytes(long one, long other) {
    return Arrays.equals(
        page, (int) (one >>> 32), (int) one, page, (int) (other >>> 32), (int) other);
  }

  private void remove(int index) {
    int after = size - index - 1;
    System.arraycopy(names, index + 1, names, index, after);
    System.arraycopy(serials, index + 1, serials, index, after);
    System.arraycopy(attributes, index + 1, attributes, index, after);
    size--;
  }

  private void removeSerial(int serial) {
    int index = findSerial(serial);
    if (index >= 0) {
      remove(index);
    }
  }

  private int findSerial(int serial) {
    int i = size - 1;
    while (i >= 0 && serials[i] != serial) {
      i--;
    }
    return i;
  }

  /** Returns the index of the last element of this name after the last marker, or -1. */
  private int find(int name) {
    for (int i = size - 1; i >= 0 && serials[i] != MARKER; i--) {
      if (names[i] == name) {
        return i;
      }
    }
    return -1;
  }

  boolean contains(int name) {
    return find(name) >= 0;
  }

  /** Whether {@link #reopen} would open elements. */
  boolean anyToReopen() {
    return size > 0 && isClosed(serials[size - 1]);
  }

  private boolean isClosed(int serial) {
    return serial != MARKER && open.findSerial(serial) < 0;
  }

  /** Opens the elements again that were closed with their parent. */
  void reopen() {
    if (anyToReopen()) {
      reopenLast();
    }
  }

  private void reopenLast() {
    int least = Math.max(size - WINDOW, 0);
    int index = size - 1;
    while (index > least
        && serials[index - 1] != MARKER
        && open.findSerial(serials[index - 1]) < 0) {
      index--;
    }
    for (; index < size; index++) {
      if (open.full()) {
        doubt.raise(HtmlUnsure.DEPTH);
        return;
      }
      serials[index] = open.push(names[index]);
    }
  }

  /** Drops an anchor that its end tag has left open, and removes it without closing its content. */
  void dropAnchor() {
    int index = open.find(HtmlTag.A);
    if (index >= 0) {
      removeSerial(open.serials[index]);
      if (index < open.size - 1 && open.watches(HtmlTag.ANCHOR)) {
        doubt.raise(HtmlUnsure.MISNESTED_ANCHOR);
      }
      open.remove(index);
    }
  }

  /**
   * Handles the end tag of a formatting element.
   *
   * @return false if it must be handled like any other end tag
   */
  boolean end(int name) {
    if (open.top() == name) {
      // The usual case: the element opened last, or one that is no longer in the list.
      int serial = open.serials[open.size - 1];
      boolean last = size > 0 && serials[size - 1] == serial;
      if (last || findSerial(serial) < 0) {
        open.pop();
        size -= last ? 1 : 0;
        return true;
      }
    }
    for (int round = 0; round < 8; round++) {
      int entry = find(name);
      if (entry < 0) {
        return false;
      }
      int index = open.findSerial(serials[entry]);
      if (index < 0) {
        remove(entry);
        return true;
      }
      if (!open.inScope(name)) {
        return true;
      }
      int block = index + 1;
      while (block < open.size && (open.flags[block] & HtmlTag.SPECIAL) == 0) {
        block++;
      }
      if (block == open.size) {
        closeThrough(index);
        remove(entry);
        return true;
      }
      adopt(entry, index, block);
    }
    return true;
  }

  private void closeThrough(int index) {
    int serial = open.serials[index];
    boolean last = false;
    while (open.size > 0 && !last) {
      last = open.serials[open.size - 1] == serial;
      open.pop();
    }
  }

  /**
   * Whether moving a block would split a link in the tree where the text does not show it, or would
   * move the block out of a link that contains it.
   */
  private boolean cutsAnchor(int formatting, int block) {
    boolean separates = (open.flags[block] & HtmlTag.SEPARATOR) != 0;
    for (int i = formatting; i < block; i++) {
      boolean anchor = (open.flags[i] & HtmlTag.ANCHOR) != 0;
      if (anchor && (!separates || findSerial(open.serials[i]) < 0)) {
        return true;
      }
    }
    return false;
  }

  /** Moves a block out of its formatting element, and the formatting element into the block. */
  private void adopt(int entry, int formatting, int block) {
    if (open.watches(HtmlTag.ANCHOR) && cutsAnchor(formatting, block)) {
      doubt.raise(HtmlUnsure.MISNESTED_ANCHOR);
      return;
    }
    if (open.leavesMarked(formatting, block)) {
      doubt.raise(HtmlUnsure.MISNESTED_WIDGET);
      return;
    }
    int bookmark = entry;
    int blockAt = block;
    int passed = 0;
    boolean moved = false;
    for (int i = block - 1; i > formatting; i--) {
      passed++;
      int listed = findSerial(open.serials[i]);
      if ((listed >= 0 && passed > 3)
          || (listed < 0 && (open.flags[i] & (HtmlTag.SEPARATOR | HtmlTag.LEFT_OUT)) != 0)) {
        doubt.raise(HtmlUnsure.MISNESTED_WIDGET);
        return;
      }
      if (listed < 0) {
        open.delete(i);
        blockAt--;
      } else {
        serials[listed] = open.renew(i);
        attributes[listed] = 0; // jsoup's copy has none
        if (!moved) {
          bookmark = listed + 1;
          moved = true;
        }
      }
    }
    int name = names[entry];
    long attribute = attributes[entry];
    open.delete(formatting);
    blockAt--;
    int serial = open.insert(blockAt + 1, name);
    remove(entry);
    add(bookmark, name, serial, attribute);
  }
}
