package io.kmodel.indexer.parse.html;

import io.kmodel.indexer.parse.text.TextBuffer;
import io.kmodel.indexer.source.SourceOptions;

/**
 * The open elements of a page, outermost first, without a tree: for each the number of its name,
 * its flags and a serial number. When an element that separates words is opened or closed, the text
 * is told. An element that is removed before the elements in it remains as a mark without a name,
 * so that its end separates words at its position in the tree. Time: scans go from the innermost
 * element outwards and end at the depth limit. Not thread-safe.
 */
public final class OpenElements {
  /** The maximum number of open elements; real pages nest a few dozen deep. */
  public static final int MAX_DEPTH = SourceOptions.DEFAULT_MAX_NESTING;

  static final int MARK = HtmlTag.NAME_MASK;

  final int[] names = new int[MAX_DEPTH];
  final int[] flags = new int[MAX_DEPTH];
  final int[] serials = new int[MAX_DEPTH];
  int size;

  /** The maximum number of open elements, at most the size of the arrays. */
  int limit = MAX_DEPTH;

  final FosteredText fostered;
  private final TextBuffer text;
  private final WatchedElements watched;

  /** The flags of watched elements; none in most builds. */
  private final int watchedFlags;

  /** The flags of watched elements, and of those from which or over which text may move. */
  private final int movingOrWatched;

  /** These flags, and those of elements whose start or end affects the text. */
  private final int mattering;

  /** The flags of elements that do more than separate words; all while fostering. */
  private int seldomFlags;

  /** The flags of elements that have any effect; all while fostering. */
  private int notedFlags;

  private boolean fostering;

  private int lastSerial;
  private int leftOut;

  /** The number of marks among the elements. */
  private int marks;

  OpenElements(TextBuffer text, WatchedElements watched, HtmlDoubt doubt) {
    this.text = text;
    this.watched = watched;
    this.watchedFlags = watched.flags();
    this.movingOrWatched = HtmlTag.FOSTERS | HtmlTag.FOSTERED | watchedFlags;
    this.mattering = HtmlTag.SEPARATOR | HtmlTag.LEFT_OUT | movingOrWatched;
    this.fostered = new FosteredText(text, doubt, watchedFlags != 0);
  }

  /** Whether the offsets of elements with this flag are recorded. */
  boolean watches(int flag) {
    return (watchedFlags & flag) != 0;
  }

  /** Starts a page of this size. */
  void reset(int pageBytes) {
    foster(false);
    fostered.reset(pageBytes);
    size = 0;
    lastSerial = 0;
    leftOut = 0;
    marks = 0;
  }

  boolean full() {
    return size >= limit;
  }

  /**
   * Opens an element and returns its serial number, from 1 on. The caller checks that there is
   * room. Like {@link #pop}, it is split into methods small enough to be inlined: a page has a tag
   * per 26 bytes.
   */
  int push(int name, int flag) {
    put(size, name, flag);
    size++;
    if ((flag & notedFlags) != 0) {
      noteStart(flag);
    }
    return lastSerial;
  }

  /**
   * Sets whether elements that start directly in a table, outside of its cells, belong before it.
   *
   * @return the previous setting
   */
  boolean foster(boolean now) {
    boolean before = fostering;
    fostering = now;
    // All starts are then noted, so that no other code has to check.
    seldomFlags = now ? -1 : movingOrWatched;
    notedFlags = now ? -1 : mattering;
    return before;
  }

  /** The run of text that starts belongs before a table, if it is directly in one. */
  void fosterText() {
    if (isFostered(size)) {
      fostered.startRun();
    }
  }

  /**
   * Whether the content at this index belongs before a table. In skipped elements it does not
   * matter.
   */
  private boolean isFostered(int index) {
    return (flags[index - 1] & HtmlTag.TABLE_CONTEXT) != 0 && leftOut == 0;
  }

  private void put(int index, int name, int flag) {
    names[index] = name;
    flags[index] = flag;
    serials[index] = ++lastSerial;
  }

  private void noteStart(int flag) {
    if ((flag & seldomFlags) != 0) {
      noteSeldomStart(flag);
    }
    if ((flag & (HtmlTag.SEPARATOR | HtmlTag.LEFT_OUT)) != 0) {
      text.separate();
      if ((flag & HtmlTag.LEFT_OUT) != 0) {
        leftOut++;
      }
    }
  }

  private void noteSeldomStart(int flag) {
    if (fostering && isFostered(size - 1)) {
      flags[size - 1] |= HtmlTag.FOSTERED;
      fostered.start();
    }
    if ((flag & HtmlTag.FOSTERS) != 0) {
      fostered.startTable();
    }
    watched.open(flag, text.length);
  }

  int push(int name) {
    return push(name, HtmlTag.flags(name));
  }

  /** Closes the current element. */
  void pop() {
    popOne();
    while (marks > 0 && names[size - 1] == MARK) {
      popOne();
      marks--;
    }
  }

  private void popOne() {
    int flag = flags[--size];
    if ((flag & notedFlags) != 0) {
      noteEnd(flag);
    }
  }

  private void noteEnd(int flag) {
    if ((flag & HtmlTag.SEPARATOR) != 0) {
      text.separate();
    }
    if ((flag & HtmlTag.LEFT_OUT) != 0) {
      leftOut--;
    }
    if ((flag & seldomFlags) != 0) {
      noteSeldomEnd(flag);
    }
  }

  private void noteSeldomEnd(int flag) {
    watched.close(flag, text.length);
    if ((flag & HtmlTag.FOSTERS) != 0) {
      fostered.endTable();
    }
    if ((flag & HtmlTag.FOSTERED) != 0) {
      fostered.end();
    }
  }

  /** Closes elements until one of this name is closed. */
  void popTo(int name) {
    boolean found = false;
    while (size > 0 && !found) {
      found = names[size - 1] == name;
      pop();
    }
  }

  void popToHeading() {
    boolean found = false;
    while (size > 0 && !found) {
      found = topIs(HtmlTag.HEADING);
      pop();
    }
  }

  /** Closes elements until the current one has this name or flag, or is a template or the root. */
  void clearTo(int wanted, int flag) {
    while (size > 0) {
      int name = names[size - 1];
      if (name == wanted
          || name == HtmlTag.TEMPLATE
          || name == HtmlTag.HTML
          || (flags[size - 1] & flag) != 0) {
        return;
      }
      pop();
    }
  }

  /** Removes an element from the list; the elements open in it stay open. */
  void remove(int index) {
    if (index == size - 1) {
      pop();
    } else if ((flags[index] & HtmlTag.SEPARATOR) != 0) {
      names[index] = MARK;
      marks++;
      flags[index] = HtmlTag.SEPARATOR;
      serials[index] = 0;
    } else {
      delete(index);
    }
  }

  /**
   * Whether an inline block that moves out of an element would move out of a mark, too. The end of
   * the mark separates words, and the block would then end after it, not in it.
   */
  boolean leavesMarked(int element, int block) {
    return element > 0 && names[element - 1] == MARK && (flags[block] & HtmlTag.SEPARATOR) == 0;
  }

  /** Removes an inline element from the list. */
  void delete(int index) {
    // Its content stays before the table, as does everything until the outermost of it closes.
    flags[index + 1] |= flags[index] & HtmlTag.FOSTERED;
    int after = size - index - 1;
    System.arraycopy(names, index + 1, names, index, after);
    System.arraycopy(flags, index + 1, flags, index, after);
    System.arraycopy(serials, index + 1, serials, index, after);
    size--;
  }

  /**
   * Inserts an inline element and returns its serial number. The caller checks that there is room.
   */
  int insert(int index, int name) {
    int after = size - index;
    System.arraycopy(names, index, names, index + 1, after);
    System.arraycopy(flags, index, flags, index + 1, after);
    System.arraycopy(serials, index, serials, index + 1, after);
    size++;
    names[index] = name;
    flags[index] = HtmlTag.flags(name);
    return renew(index);
  }

  /** Gives an element a new serial number. */
  int renew(int index) {
    serials[index] = ++lastSerial;
    return lastSerial;
  }

  int top() {
    return size == 0 ? MARK : names[size - 1];
  }

  boolean topIs(int flag) {
    return size > 0 && (flags[size - 1] & flag) != 0;
  }

  /** Returns the index of the innermost element of this name, or -1. */
  int find(int name) {
    int i = size - 1;
    while (i >= 0 && names[i] != name) {
      i--;
    }
    return i;
  }

  /** Returns the index of the element with a serial number; -1 if it is not open. */
  int findSerial(int serial) {
    int i = size - 1;
    while (i >= 0 && serials[i] != serial) {
      i--;
    }
    return i;
  }

  boolean contains(int name) {
    return find(name) >= 0;
  }

  boolean inScope(int name) {
    return inScope(name, HtmlTag.SCOPE);
  }

  boolean inButtonScope(int name) {
    return inScope(name, HtmlTag.SCOPE | HtmlTag.BUTTON_SCOPE);
  }

  boolean inListScope(int name) {
    return inScope(name, HtmlTag.SCOPE | HtmlTag.LIST_SCOPE);
  }

  boolean inTableScope(int name) {
    return inScope(name, HtmlTag.TABLE_SCOPE);
  }

  boolean headingInScope() {
    int i = size - 1;
    while (i >= 0 && (flags[i] & (HtmlTag.HEADING | HtmlTag.SCOPE)) == 0) {
      i--;
    }
    return i >= 0 && (flags[i] & HtmlTag.HEADING) != 0;
  }

  private boolean inScope(int name, int boundary) {
    for (int i = size - 1; i >= 0; i--) {
      if (names[i] == name) {
        return true;
      }
      if ((flags[i] & boundary) != 0) {
        return false;
      }
    }
    return false;
  }

  /** Closes current elements whose end tags may be omitted, up to one of this name. */
  void closeImplied(int except) {
    while (topIs(HtmlTag.IMPLIED_END) && top() != except) {
      pop();
    }
  }

  void closeImplied() {
    closeImplied(MARK);
  }

  void closeImpliedThoroughly() {
    while (topIs(HtmlTag.THOROUGH_END)) {
      pop();
    }
  }

  /** Whether text is in an element whose text is skipped. */
  boolean suppressed() {
    return leftOut > 0 || topIs(HtmlTag.DATA);
  }
}
