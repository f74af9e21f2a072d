package io.kmodel.indexer.parse.html;

import io.kmodel.indexer.parse.text.TextBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Tracks where in the tree a tag or a text would go, by the insertion modes of the HTML standard
 * (§13.2.6) as jsoup implements them. There is no tree: it keeps only the open elements and the
 * formatting elements. It tells the text where elements that separate words start and end, and
 * tells the tokenizer how to read the content of elements. It decides whether a text counts, and
 * whether it moves before a table. If it cannot know what the tree would contain, it becomes
 * unsure, and the later results are worthless.
 *
 * <p>{@link HtmlHead}, {@link HtmlBody}, {@link HtmlTables} and {@link HtmlForeign} have the rules
 * of the modes. Memory: a few KiB. Not thread-safe.
 */
final class HtmlTree {
  /** How the content of the element just started must be read. */
  enum Content {
    MARKUP,
    /** Markup, after a line feed that does not count. */
    BEHIND_LINE_FEED,
    RCDATA,
    RAW,
    SCRIPT,
    PLAINTEXT
  }

  enum Mode {
    INITIAL,
    BEFORE_HTML,
    BEFORE_HEAD,
    IN_HEAD,
    AFTER_HEAD,
    IN_BODY,
    IN_TABLE,
    IN_CAPTION,
    IN_COLUMN_GROUP,
    IN_TABLE_BODY,
    IN_ROW,
    IN_CELL,
    IN_TEMPLATE,
    AFTER_BODY,
    IN_FRAMESET,
    AFTER_AFTER_BODY
  }

  private final HtmlDoubt doubt = new HtmlDoubt();
  final OpenElements open;
  final FormattingElements formatting;
  Mode mode = Mode.INITIAL;
  Content content = Content.MARKUP;
  boolean quirks;
  boolean framesetOk;

  /** Whether the current start tag is self-closing. */
  boolean selfClosing;

  /** The range of its attributes, see {@link FormattingElements#add}. */
  long attributes;

  /** The value of {@link #inForeign} at the last run of text. */
  boolean textInForeign;

  private final HtmlHead head = new HtmlHead(this);
  private final HtmlForeign foreign = new HtmlForeign(this);
  private final HtmlBody body = new HtmlBody(this, head, foreign);
  private final HtmlTables tables = new HtmlTables(this, head, body);
  private boolean island;
  private int islandElements;

  HtmlTree(TextBuffer text, WatchedElements watched) {
    open = new OpenElements(text, watched, doubt);
    formatting = new FormattingElements(open, doubt);
  }

  /** Starts a page, which ends at an offset. */
  void reset(byte[] page, int end) {
    doubt.reset();
    open.reset(end);
    formatting.reset(page);
    head.reset();
    body.reset();
    mode = Mode.INITIAL;
    content = Content.MARKUP;
    quirks = false;
    framesetOk = true;
    island = false;
  }

  /** Ends the page. */
  void finish() {
    open.fostered.end();
  }

  /** Returns why the text is unreliable; null if it is reliable. */
  @Nullable HtmlUnsure unsure() {
    return doubt.reason();
  }

  void beUnsure(HtmlUnsure reason) {
    doubt.raise(reason);
  }

  /** Whether the head has not ended, so that a title is the document's. */
  boolean inHead() {
    return !head.bodyStarted();
  }

  /** Whether no element has started. */
  boolean isEmpty() {
    return mode == Mode.INITIAL || mode == Mode.BEFORE_HTML;
  }

  /** Whether a meta element that has just started is a child of the head. */
  boolean isDirectlyInHead() {
    return !island && (mode == Mode.IN_HEAD || mode == Mode.AFTER_HEAD);
  }

  /** Whether the current element is of SVG or MathML. */
  boolean inForeign() {
    return open.topIs(HtmlTag.FOREIGN);
  }

  /** Whether text belongs to SVG or MathML. */
  boolean foreignText() {
    return inForeign() && !open.topIs(HtmlTag.INTEGRATION);
  }

  /** Whether leading white space of a run goes elsewhere in the tree than the rest of the run. */
  boolean dropsLeadingSpace() {
    return (mode == Mode.AFTER_BODY
            || mode == Mode.AFTER_AFTER_BODY
            || mode == Mode.IN_COLUMN_GROUP)
        && !island
        && !foreignText();
  }

  void doctype(boolean quirky) {
    if (mode == Mode.INITIAL) {
      quirks = quirky;
      mode = Mode.BEFORE_HTML;
    }
  }

  /** Handles a start tag; sets {@link #content}. */
  void start(int name) {
    if (island) {
      startInIsland(name);
    } else if (inForeign() && !foreign.isHtml(name)) {
      foreign.start(name);
    } else {
      startByMode(name);
    }
  }

  void end(int name) {
    if (island) {
      endInIsland(name);
    } else if (inForeign()) {
      foreign.end(name);
    } else {
      endByMode(name);
    }
  }

  /** Ends an element whose content is not markup. */
  void endContent() {
    open.pop();
  }

  /**
   * Handles a run of text between two tags or comments that is not blank.
   *
   * @return whether it counts
   */
  boolean text() {
    textInForeign = inForeign();
    if (island || foreignText()) {
      framesetOk = false;
      return !open.suppressed();
    }
    if (mode.compareTo(Mode.IN_BODY) < 0) {
      head.startBody();
    }
    switch (mode) {
      case IN_TABLE, IN_TABLE_BODY, IN_ROW, IN_COLUMN_GROUP -> tables.text();
      case IN_FRAMESET -> {
        return false;
      }
      case AFTER_BODY, AFTER_AFTER_BODY -> {
        mode = Mode.IN_BODY;
        body.text();
      }
      default -> body.text();
    }
    return !open.suppressed();
  }

  /**
   * Handles a blank run of text.
   *
   * @return whether it separates words
   */
  boolean blankText() {
    if (island || foreignText()) {
      return !open.suppressed();
    }
    switch (mode) {
      case IN_BODY, IN_CAPTION, IN_CELL, IN_TEMPLATE -> formatting.reopen();
      case IN_TABLE, IN_TABLE_BODY, IN_ROW -> {
        if (!open.topIs(HtmlTag.TABLE_CONTEXT)) {
          formatting.reopen();
        }
      }
      case IN_COLUMN_GROUP -> {}
      default -> {
        return false;
      }
    }
    return !open.suppressed();
  }

  void startByMode(int name) {
    switch (mode) {
      case INITIAL, BEFORE_HTML, BEFORE_HEAD -> head.startBeforeHead(name);
      case IN_HEAD -> {
        if ((HtmlTag.flags(name) & HtmlTag.HEAD_CONTENT) != 0 || name == HtmlTag.NOSCRIPT) {
          head.startHeadContent(name);
        } else if (name != HtmlTag.HEAD && name != HtmlTag.HTML) {
          open.pop();
          mode = Mode.AFTER_HEAD;
          start(name);
        }
      }
      case AFTER_HEAD -> head.startAfterHead(name);
      case IN_BODY -> body.start(name);
      case IN_TEMPLATE -> head.startInTemplate(name);
      case AFTER_BODY, AFTER_AFTER_BODY -> {
        if (name != HtmlTag.HTML) {
          mode = Mode.IN_BODY;
          start(name);
        }
      }
      case IN_FRAMESET -> {
        if (name == HtmlTag.NOFRAMES) {
          pushContent(name, Content.RAW);
        }
      }
      default -> tables.start(name);
    }
  }

  void endByMode(int name) {
    switch (mode) {
      case INITIAL, BEFORE_HTML, BEFORE_HEAD -> {
        if (name == HtmlTag.HEAD) {
          head.startBeforeHead(HtmlTag.HEAD);
          end(name);
        } else if (endsHead(name)) {
          head.startBody();
          end(name);
        } else if (mode == Mode.INITIAL) {
          quirks = true;
          mode = Mode.BEFORE_HTML;
        }
      }
      case IN_HEAD, AFTER_HEAD -> {
        if (name == HtmlTag.HEAD && mode == Mode.IN_HEAD) {
          open.pop();
          mode = Mode.AFTER_HEAD;
        } else if (endsHead(name)) {
          head.startBody();
          end(name);
        } else if (name == HtmlTag.TEMPLATE) {
          head.endTemplate();
        }
      }
      case IN_BODY -> body.end(name);
      case IN_TEMPLATE -> {
        if (name == HtmlTag.TEMPLATE) {
          head.endTemplate();
        }
      }
      case AFTER_BODY, AFTER_AFTER_BODY -> {
        if (name == HtmlTag.HTML && mode == Mode.AFTER_BODY) {
          mode = Mode.AFTER_AFTER_BODY;
        } else {
          mode = Mode.IN_BODY;
          end(name);
        }
      }
      case IN_FRAMESET -> {}
      default -> tables.end(name);
    }
  }

  private static boolean endsHead(int name) {
    return name == HtmlTag.BODY || name == HtmlTag.BR || name == HtmlTag.HTML;
  }

  /**
   * Opens a noscript. In it jsoup treats all markup as plain elements, and a script's content like
   * a style's.
   */
  void startIsland() {
    push(HtmlTag.NOSCRIPT);
    island = true;
    islandElements = 0;
  }

  private void startInIsland(int name) {
    framesetOk = false;
    int flags = HtmlTag.flags(name);
    if (open.size + ++islandElements >= open.limit) {
      beUnsure(HtmlUnsure.DEPTH);
    } else if ((flags & (HtmlTag.DATA | HtmlTag.RCDATA)) != 0 && !selfClosing) {
      pushContent(name, (flags & HtmlTag.DATA) != 0 ? Content.RAW : Content.RCDATA);
    } else if (name == HtmlTag.TITLE && inHead()) {
      beUnsure(HtmlUnsure.ODD_TITLE);
    }
  }

  private void endInIsland(int name) {
    if (name == HtmlTag.NOSCRIPT) {
      open.pop();
      island = false;
    }
  }

  /**
   * Sets the mode from the open elements.
   *
   * @return whether it has changed
   */
  boolean resetMode() {
    Mode before = mode;
    mode = Mode.IN_BODY;
    for (int i = open.size - 1; i >= 0; i--) {
      Mode found = modeOf(i);
      if (found != null) {
        mode = found;
        break;
      }
    }
    return mode != before;
  }

  private @Nullable Mode modeOf(int index) {
    int name = open.names[index];
    int flags = open.flags[index];
    if ((flags & HtmlTag.CELL) != 0) {
      return Mode.IN_CELL;
    } else if (name == HtmlTag.TR) {
      return Mode.IN_ROW;
    } else if ((flags & HtmlTag.TABLE_BODY) != 0) {
      return Mode.IN_TABLE_BODY;
    } else if (name == HtmlTag.CAPTION) {
      return Mode.IN_CAPTION;
    } else if (name == HtmlTag.COLGROUP) {
      return Mode.IN_COLUMN_GROUP;
    } else if (name == HtmlTag.TABLE) {
      return Mode.IN_TABLE;
    } else if (name == HtmlTag.TEMPLATE) {
      return head.templateMode();
    } else if (name == HtmlTag.HEAD) {
      return Mode.IN_HEAD;
    } else if (name == HtmlTag.BODY) {
      return Mode.IN_BODY;
    } else if (name == HtmlTag.FRAMESET) {
      return Mode.IN_FRAMESET;
    }
    return name == HtmlTag.HTML ? Mode.AFTER_HEAD : null;
  }

  /** Opens an HTML element and returns its serial number. */
  int push(int name) {
    return push(name, HtmlTag.flags(name));
  }

  int push(int name, int flags) {
    if (open.full()) {
      beUnsure(HtmlUnsure.DEPTH);
      open.pop();
    }
    return open.push(name, flags);
  }

  void pushVoid(int name) {
    push(name);
    open.pop();
  }

  /** Returns how to read the content of an element without markup. */
  static Content contentOf(int name) {
    if (name == HtmlTag.SCRIPT) {
      return Content.SCRIPT;
    }
    return (HtmlTag.flags(name) & HtmlTag.DATA) != 0 ? Content.RAW : Content.RCDATA;
  }

  /** Opens an element whose content is not markup. */
  void pushContent(int name, Content how) {
    push(name);
    content = how;
  }
}
