package io.kmodel.indexer.parse.html;

import io.kmodel.indexer.parse.html.HtmlTree.Content;
import io.kmodel.indexer.parse.html.HtmlTree.Mode;

/** The rules of the insertion mode "in body", see {@link HtmlTree}. */
final class HtmlBody {
  /** How far up the open elements are searched for a dt or dd. */
  private static final int MAX_SCAN = 24;

  private final HtmlTree tree;
  private final HtmlHead head;
  private final HtmlForeign foreign;
  private int form;

  HtmlBody(HtmlTree tree, HtmlHead head, HtmlForeign foreign) {
    this.tree = tree;
    this.head = head;
    this.foreign = foreign;
  }

  void reset() {
    form = 0;
  }

  void text() {
    tree.formatting.reopen();
    tree.framesetOk = false;
  }

  void start(int name) {
    OpenElements open = tree.open;
    switch (HtmlTag.start(name)) {
      case INLINE -> startInline(name);
      case CLOSES_P -> {
        closeP();
        tree.push(name);
      }
      case A -> startAnchor(name);
      case FORMATTER -> startFormatter(name);
      case VOID_INLINE -> {
        tree.formatting.reopen();
        tree.pushVoid(name);
        tree.framesetOk = false;
      }
      case INPUT -> {
        if (open.inScope(HtmlTag.SELECT)) {
          open.popTo(HtmlTag.SELECT);
        }
        tree.formatting.reopen();
        tree.pushVoid(name);
      }
      case VOID -> tree.pushVoid(name);
      case LI -> startListItem(name);
      case DD -> startDescription(name);
      case HEADING -> {
        closeP();
        if (open.topIs(HtmlTag.HEADING)) {
          open.pop();
        }
        tree.push(name);
      }
      case PRE -> {
        closeP();
        tree.push(name);
        tree.content = Content.BEHIND_LINE_FEED;
        tree.framesetOk = false;
      }
      case TABLE -> {
        if (!tree.quirks) {
          closeP();
        }
        tree.push(name);
        tree.framesetOk = false;
        tree.mode = Mode.IN_TABLE;
      }
      case IGNORED -> {}
      default -> startSeldom(name);
    }
  }

  private void startSeldom(int name) {
    OpenElements open = tree.open;
    switch (HtmlTag.start(name)) {
      case FORM -> startForm(name);
      case BUTTON -> {
        if (open.inButtonScope(name)) {
          tree.end(name);
          tree.start(name);
        } else {
          startInline(name);
          tree.framesetOk = false;
        }
      }
      case NOBR -> {
        tree.formatting.reopen();
        if (open.inScope(name)) {
          tree.end(name);
        }
        startFormatter(name);
      }
      case HR -> {
        closeP();
        if (open.inScope(HtmlTag.SELECT)) {
          open.closeImplied();
        }
        tree.pushVoid(name);
        tree.framesetOk = false;
      }
      case IMAGE -> tree.start(HtmlTag.IMG);
      case OPTION -> startOption(name);
      case RUBY_BASE, RUBY_TEXT -> {
        if (open.inScope(HtmlTag.RUBY)) {
          boolean text = HtmlTag.start(name) == HtmlTag.Start.RUBY_TEXT;
          open.closeImplied(text ? HtmlTag.RTC : OpenElements.MARK);
        }
        tree.push(name);
      }
      case SELECT -> startSelect(name);
      case MATH -> {
        tree.formatting.reopen();
        foreign.push(name, HtmlTag.MATH_NAMESPACE);
      }
      case SVG -> {
        tree.formatting.reopen();
        foreign.push(name, HtmlTag.SVG_NAMESPACE);
      }
      case HEAD_CONTENT -> head.startHeadContent(name);
      case APPLET -> {
        startInline(name);
        tree.formatting.mark();
        tree.framesetOk = false;
      }
      case FRAMESET -> {
        if (tree.framesetOk) {
          tree.beUnsure(HtmlUnsure.LATE_FRAMESET);
        }
      }
      case NOSCRIPT -> {
        tree.formatting.reopen();
        tree.startIsland();
      }
      default -> startContent(name);
    }
  }

  /** Starts elements whose content is not markup. */
  private void startContent(int name) {
    HtmlTag.Start action = HtmlTag.start(name);
    if (action == HtmlTag.Start.PLAINTEXT) {
      closeP();
      tree.pushContent(name, Content.PLAINTEXT);
    } else if (action == HtmlTag.Start.XMP) {
      closeP();
      tree.formatting.reopen();
      tree.framesetOk = false;
      tree.pushContent(name, Content.RAW);
    } else {
      tree.pushContent(name, HtmlTree.contentOf(name));
    }
  }

  private void startInline(int name) {
    tree.formatting.reopen();
    tree.push(name);
  }

  private void startFormatter(int name) {
    tree.formatting.reopen();
    int serial = tree.push(name);
    tree.formatting.add(name, serial, tree.attributes);
  }

  private void startAnchor(int name) {
    if (tree.formatting.contains(name)) {
      tree.end(name);
      tree.formatting.dropAnchor();
    }
    startFormatter(name);
  }

  private void startListItem(int name) {
    OpenElements open = tree.open;
    tree.framesetOk = false;
    for (int i = open.size - 1; i > 0; i--) {
      if (open.names[i] == name) {
        tree.end(name);
        break;
      }
      if ((open.flags[i] & (HtmlTag.SPECIAL | HtmlTag.LIST_PASSES)) == HtmlTag.SPECIAL) {
        break;
      }
    }
    closeP();
    tree.push(name);
  }

  private void startDescription(int name) {
    OpenElements open = tree.open;
    tree.framesetOk = false;
    int least = Math.max(open.size - 1 - MAX_SCAN, 0);
    for (int i = open.size - 1; i >= least; i--) {
      if (open.names[i] == HtmlTag.DD || open.names[i] == HtmlTag.DT) {
        tree.end(open.names[i]);
        break;
      }
      if ((open.flags[i] & (HtmlTag.SPECIAL | HtmlTag.LIST_PASSES)) == HtmlTag.SPECIAL) {
        break;
      }
    }
    closeP();
    tree.push(name);
  }

  private void startForm(int name) {
    boolean template = tree.open.contains(HtmlTag.TEMPLATE);
    if (form == 0 || template) {
      closeP();
      int serial = tree.push(name);
      if (!template) {
        form = serial;
      }
    }
  }

  /** Starts a form directly in a table, which is closed at once. */
  void startFormInTable(int name) {
    if (form == 0 && !tree.open.contains(HtmlTag.TEMPLATE)) {
      form = tree.push(name);
      tree.open.pop();
    }
  }

  private void startSelect(int name) {
    if (tree.open.inScope(name)) {
      tree.open.popTo(name);
    } else {
      startInline(name);
      tree.framesetOk = false;
    }
  }

  private void startOption(int name) {
    OpenElements open = tree.open;
    if (open.inScope(HtmlTag.SELECT)) {
      open.closeImplied(name == HtmlTag.OPTION ? HtmlTag.OPTGROUP : OpenElements.MARK);
    } else if (open.top() == HtmlTag.OPTION) {
      tree.end(HtmlTag.OPTION);
    }
    startInline(name);
  }

  private void closeP() {
    if (tree.open.inButtonScope(HtmlTag.P)) {
      tree.open.closeImplied(HtmlTag.P);
      tree.open.popTo(HtmlTag.P);
    }
  }

  void end(int name) {
    OpenElements open = tree.open;
    if (open.top() == name && (HtmlTag.flags(name) & HtmlTag.PLAIN_END) != 0) {
      open.pop();
      return;
    }
    switch (HtmlTag.end(name)) {
      case OTHER -> endOther(name);
      case FORMATTING -> {
        if (!tree.formatting.end(name)) {
          endOther(name);
        }
      }
      case BLOCK -> {
        if (open.inScope(name)) {
          open.closeImplied();
          open.popTo(name);
        }
      }
      case P -> {
        if (!open.inButtonScope(name)) {
          tree.start(name);
        }
        closeP();
      }
      case LI -> {
        if (open.inListScope(name)) {
          open.closeImplied(name);
          open.popTo(name);
        }
      }
      case DD -> {
        if (open.inScope(name)) {
          open.closeImplied(name);
          open.popTo(name);
        }
      }
      case HEADING -> {
        if (open.headingInScope()) {
          open.closeImplied(name);
          open.popToHeading();
        }
      }
      case BR -> tree.start(name);
      case FORM -> endForm(name);
      case APPLET -> endApplet(name);
      case TEMPLATE -> head.endTemplate();
      case BODY -> {
        if (open.inScope(name)) {
          tree.mode = Mode.AFTER_BODY;
        }
      }
      case HTML -> {
        if (open.contains(HtmlTag.BODY)) {
          tree.mode = Mode.AFTER_BODY;
          tree.end(name);
        }
      }
    }
  }

  private void endForm(int name) {
    OpenElements open = tree.open;
    if (open.contains(HtmlTag.TEMPLATE)) {
      if (open.inScope(name)) {
        open.closeImplied();
        open.popTo(name);
      }
      return;
    }
    int current = form;
    form = 0;
    if (current != 0 && open.inScope(name)) {
      open.closeImplied();
      int index = open.findSerial(current);
      if (index >= 0) {
        open.remove(index);
      }
    }
  }

  /** jsoup searches for an open element named "name" here, and does nothing if it finds one. */
  private void endApplet(int name) {
    OpenElements open = tree.open;
    if (!open.inScope(HtmlTag.NAME) && open.inScope(name)) {
      open.closeImplied();
      open.popTo(name);
      tree.formatting.clearToMark();
    }
  }

  /** An element of this name in MathML ends the search, but the HTML element is closed. */
  private void endOther(int name) {
    OpenElements open = tree.open;
    if (!open.contains(name)) {
      return;
    }
    for (int i = open.size - 1; i >= 0; i--) {
      if ((open.names[i] & HtmlTag.NAME_MASK) == name) {
        open.closeImplied(name);
        open.popTo(name);
        return;
      }
      if ((open.flags[i] & HtmlTag.SPECIAL) != 0) {
        return;
      }
    }
  }
}
