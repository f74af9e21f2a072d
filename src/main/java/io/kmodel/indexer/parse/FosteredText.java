package io.kmodel.indexer.parse;

/**
 * The text of what stands directly in a table, outside of its cells: a tree has it before the table
 * (HTML standard §13.2.6.1, foster parenting). It is read like any other text, and moved to where
 * the table has begun when such an element or run of text ends, so that pages without pay nothing.
 *
 * <p>For this, the place before each open table is known: an offset of the text, and whether a
 * separator is pending there. Memory: for what is put aside, less than the text, kept for the next
 * page; and a few bytes for each element that may be open. Time: no more is moved after {@value
 * #MOST_MOVED} times the bytes of the page; a page that wants more is left to the other parser. Not
 * thread-safe.
 */
final class FosteredText {
  private static final int MOST_MOVED = 16;

  private final TextBuffer text;
  private final HtmlDoubt doubt;

  /** Whether offsets of the text are noted elsewhere, too. */
  private final boolean noted;

  /** Of each open table, where the text before it ends. */
  private final int[] ends = new int[OpenElements.MAX_DEPTH];

  /** Of each open table, whether a separator is pending before it. */
  private final boolean[] separated = new boolean[OpenElements.MAX_DEPTH];

  /** Of each open table, whether that is not known. */
  private final boolean[] unclear = new boolean[OpenElements.MAX_DEPTH];

  private int tables;

  /** Whether the text that is read belongs before a table. */
  private boolean open;

  /** Whether that ends with the run of text. */
  private boolean isRun;

  /** The table before which it belongs. */
  private int table;

  /** Where it starts. */
  private int start;

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
    assert !open && tables > 0 : "a table within closes this one, and only a template has no table";
    open = true;
    table = tables - 1;
    start = text.length;
    text.separated = separated[table];
  }

  /** The same for text alone, which ends with its run. */
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

  /** The element ends, after it has separated words; or the page does. */
  void end() {
    if (!open) {
      return;
    }
    open = false;
    separated[table] = text.separated;
    // What else has text in a table, a cell or a caption, separates words.
    text.separated = true;
    if (text.length > start) {
      move();
    }
  }

  /** Moves what was read since the start before the table. */
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

  /** Lets it change places with the content of the table so far, which begins there. */
  private void moveOver(int place) {
    assert place > 0 || text.bytes[start] == ' ' : "the body has separated it from the text before";
    rotate(place, start, text.length);
    if (place == 0) {
      // A space came before it, as before all but the first text: that is to come behind it now.
      int end = ends[table] - 1;
      System.arraycopy(text.bytes, 1, text.bytes, 0, end);
      text.bytes[end] = ' ';
      ends[table] = end;
    }
  }

  /** Lets two stretches of text change places; the shorter one is put aside meanwhile. */
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
