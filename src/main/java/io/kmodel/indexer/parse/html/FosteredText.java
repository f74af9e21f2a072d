package io.kmodel.indexer.parse.html;

import io.kmodel.indexer.parse.text.TextBuffer;

/**
 * The text directly in a table, outside of its cells, which a tree holds before the table (HTML
 * standard §13.2.6.1, foster parenting). It is read like any other text. When such an element or
 * run of text ends, it is moved to the start of the table, so pages without such text pay nothing.
 *
 * <p>For each open table it records the position before the table: an offset of the text, and
 * whether a separator is pending there. Memory: a buffer for the moved text, smaller than the text
 * and reused by the next page, and a few bytes per element that may be open. Time: at most {@value
 * #MOST_MOVED} times the page's bytes are moved; a page that needs more is left to the other
 * parser. Not thread-safe.
 */
final class FosteredText {
  private static final int MOST_MOVED = 16;

  private final TextBuffer text;
  private final HtmlDoubt doubt;

  /** Whether offsets of the text are recorded elsewhere, too. */
  private final boolean noted;

  /** For each open table, the end of the text before it. */
  private final int[] ends = new int[OpenElements.MAX_DEPTH];

  /** For each open table, whether a separator is pending before it. */
  private final boolean[] separated = new boolean[OpenElements.MAX_DEPTH];

  /** For each open table, whether that is unknown. */
  private final boolean[] unclear = new boolean[OpenElements.MAX_DEPTH];

  private int tables;

  /** Whether the current text belongs before a table. */
  private boolean open;

  /** Whether that ends with the run of text. */
  private boolean isRun;

  /** The table before which it belongs. */
  private int table;

  /** Its start. */
  private int start;

  private long movable;
  private byte[] moving = {};

  /**
   * Creates an instance for elements whose text is written to a buffer.
   *
   * @param noted whether offsets of the text are recorded, which do not move with it
   */
  FosteredText(TextBuffer text, HtmlDoubt doubt, boolean noted) {
    this.text = text;
    this.doubt = doubt;
    this.noted = noted;
  }

  /** Starts a page of this size. */
  void reset(int pageBytes) {
    tables = 0;
    open = false;
    isRun = false;
    movable = (long) MOST_MOVED * pageBytes;
  }

  /** A table starts; called before it separates words. */
  void startTable() {
    ends[tables] = text.length;
    separated[tables] = text.separated;
    unclear[tables] = false;
    tables++;
  }

  void endTable() {
    tables--;
  }

  /** Something separates words in the innermost table, or before it. */
  void beUnclear() {
    if (tables > 0) {
      unclear[tables - 1] = true;
    }
  }

  /**
   * An element starts that belongs before the innermost table; called before it separates words.
   */
  void start() {
    assert !open && tables > 0 : "an inner table closes this one, and only a template has no table";
    open = true;
    table = tables - 1;
    start = text.length;
    text.separated = separated[table];
  }

  /** Does the same for a run of text, and ends with it. */
  void startRun() {
    start();
    isRun = true;
  }

  /** A run of text ends. */
  void endRun() {
    if (isRun) {
      isRun = false;
      end();
    }
  }

  /** The element ends, called after it has separated words, or the page ends. */
  void end() {
    if (!open) {
      return;
    }
    open = false;
    separated[table] = text.separated;
    // Everything else with text in a table, a cell or a caption, separates words.
    text.separated = true;
    if (text.length > start) {
      move();
    }
  }

  /** Moves the text since the start before the table. */
  private void move() {
    int place = ends[table];
    ends[table] += text.length - start;
    if (unclear[table]) {
      doubt.raise(HtmlUnsure.INPUT_IN_TABLE);
    } else if (start > place) {
      movable -= text.length - place;
      if (noted || movable < 0) {
        doubt.raise(HtmlUnsure.TEXT_IN_TABLE);
      } else {
        moveOver(place);
      }
    }
  }

  /** Swaps it with the table's content so far, which begins at {@code place}. */
  private void moveOver(int place) {
    assert place > 0 || text.bytes[start] == ' ' : "the body has separated it from the text before";
    rotate(place, start, text.length);
    if (place == 0) {
      // A space precedes every text but the first; it must now follow this text.
      int end = ends[table] - 1;
      System.arraycopy(text.bytes, 1, text.bytes, 0, end);
      text.bytes[end] = ' ';
      ends[table] = end;
    }
  }

  /** Swaps two adjacent ranges of text, buffering the shorter one. */
  private void rotate(int from, int middle, int to) {
    byte[] bytes = text.bytes;
    int left = middle - from;
    int right = to - middle;
    int shorter = Math.min(left, right);
    if (moving.length < shorter) {
      moving = new byte[Math.max(shorter, 2 * moving.length)];
    }
    if (right == shorter) {
      System.arraycopy(bytes, middle, moving, 0, right);
      System.arraycopy(bytes, from, bytes, from + right, left);
      System.arraycopy(moving, 0, bytes, from, right);
    } else {
      System.arraycopy(bytes, from, moving, 0, left);
      System.arraycopy(bytes, middle, bytes, from, right);
      System.arraycopy(moving, 0, bytes, from + right, left);
    }
  }
}
