package io.kmodel.indexer.parse;

/**
 * The text of what stands directly in a table, outside of its cells: a tree has it before the table
 * (HTML standard §13.2.6.1, foster parenting). It is read like any other text, and moved to where
 * the table has begun when such an element or run of text ends, so that pages without pay nothing.
 *
 * <p>For this, the place before each open table is known: an offset of the text, and whether a
 * separator was pending there. Memory: as long as the longest such element's text, and a few bytes
 * an element that may be open. Time: what is moved is limited to {@value #MOST_MOVED} times the
 * page; a page that wants more is left to the other parser. Not thread-safe.
 */
final class FosteredText {
  private static final int MOST_MOVED = 16;

  private final TextBuffer text;
  private final HtmlDoubt doubt;

  /** Whether offsets of the text are noted elsewhere, too. */
  private final boolean noted;

  /**
   * Of each open table, where the text before it ends, and whether a separator is pending there.
   */
  private final int[] ends = new int[DocumentParser.MAX_DEPTH];

  private final boolean[] separated = new boolean[DocumentParser.MAX_DEPTH];
  private final boolean[] unclear = new boolean[DocumentParser.MAX_DEPTH];
  private int tables;

  private boolean open;
  private boolean isRun;

  /** The table before which the open element or run belongs. */
  private int table;

  /** Where its text starts, and whether a separator was pending there. */
  private int start;

  private boolean separatedInTable;
  private long movable;
  private byte[] moving = {};

  /**
   * For elements whose text is written to a buffer.
   *
   * @param noted whether offsets of the text are noted, which do not move with it
   */
  FosteredText(TextBuffer text, HtmlDoubt doubt, boolean noted) {
    this.text = text;
    this.doubt = doubt;
    this.noted = noted;
  }

  /** Begins a page of so many bytes. */
  void reset(int pageBytes) {
    tables = 0;
    open = false;
    isRun = false;
    movable = (long) MOST_MOVED * pageBytes;
  }

  /** A table starts, before it separates words. */
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

  /** An element starts that belongs before the innermost table, before it separates words. */
  void start() {
    if (open || tables == 0 || movable < 0) {
      doubt.raise(HtmlUnsure.TEXT_IN_TABLE);
      return;
    }
    open = true;
    table = tables - 1;
    start = text.length;
    separatedInTable = text.separated;
    text.separated = separated[table];
  }

  /** The same for text alone, which ends with its run. */
  void startRun() {
    start();
    isRun = open;
  }

  /** A run of text ends. */
  void endRun() {
    if (isRun) {
      isRun = false;
      end();
    }
  }

  /** The element ends, after it has separated words. */
  void end() {
    if (!open) {
      return;
    }
    open = false;
    separated[table] = text.separated;
    text.separated = separatedInTable;
    if (text.length > start) {
      move();
    }
  }

  /** Moves what was read since the start before the table. */
  private void move() {
    if (unclear[table]) {
      doubt.raise(HtmlUnsure.INPUT_IN_TABLE);
    }
    int place = ends[table];
    int content = start - place;
    if (content > 0) {
      moveOver(content, place);
    } else {
      ends[table] = text.length;
    }
  }

  /** Lets it change places with the content of the table so far, which begins there. */
  private void moveOver(int content, int place) {
    if (noted) {
      doubt.raise(HtmlUnsure.TEXT_IN_TABLE);
    }
    byte[] bytes = text.bytes;
    // A table separates words, so its content begins with a space, unless it was the first text:
    // then the text that comes before it now does, and is to lose it.
    boolean first = place == 0;
    int from = first && bytes[start] == ' ' ? start + 1 : start;
    int length = text.length - from;
    movable -= text.length - place;
    if (moving.length < length) {
      moving = new byte[Math.max(length, 2 * moving.length)];
    }
    System.arraycopy(bytes, from, moving, 0, length);
    int behind = place + length + (first ? 1 : 0);
    System.arraycopy(bytes, place, bytes, behind, content);
    System.arraycopy(moving, 0, bytes, place, length);
    if (first) {
      bytes[behind - 1] = ' ';
    }
    text.length = behind + content;
    ends[table] = place + length;
  }
}
