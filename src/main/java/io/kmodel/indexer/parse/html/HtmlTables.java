package io.kmodel.indexer.parse.html;

import io.kmodel.indexer.parse.html.HtmlTree.Mode;

/**
 * The rules of the insertion modes of tables, see {@link HtmlTree}. Content directly in a table
 * that belongs in a cell is moved before the table in a tree (see {@link FosteredText}).
 */
final class HtmlTables {
  private final HtmlTree tree;
  private final HtmlHead head;
  private final HtmlBody body;

  HtmlTables(HtmlTree tree, HtmlHead head, HtmlBody body) {
    this.tree = tree;
    this.head = head;
    this.body = body;
  }

  /** Handles text that is not blank, anywhere but in a cell or caption. */
  void text() {
    OpenElements open = tree.open;
    if (open.top() == HtmlTag.COLGROUP) {
      open.pop();
      tree.mode = Mode.IN_TABLE;
    }
    open.foster(true);
    body.text();
    open.foster(false);
    open.fosterText();
  }

  void start(int name) {
    int flags = HtmlTag.flags(name);
    switch (tree.mode) {
      case IN_TABLE_BODY -> {
        if (name == HtmlTag.TR) {
          startRow();
        } else if ((flags & HtmlTag.CELL) != 0) {
          startRow();
          tree.start(name);
        } else if ((flags & HtmlTag.TABLE_PART) != 0) {
          if (inTableBodyScope()) {
            closeTableBody();
            tree.start(name);
          }
        } else {
          startInTable(name);
        }
      }
      case IN_ROW -> {
        if ((flags & HtmlTag.CELL) != 0) {
          tree.open.clearTo(HtmlTag.TR, 0);
          tree.push(name);
          tree.mode = Mode.IN_CELL;
          tree.formatting.mark();
        } else if ((flags & HtmlTag.TABLE_PART) != 0) {
          if (tree.open.inTableScope(HtmlTag.TR)) {
            closeRow();
            tree.start(name);
          }
        } else {
          startInTable(name);
        }
      }
      case IN_CELL -> {
        if ((flags & HtmlTag.TABLE_PART) == 0) {
          body.start(name);
        } else if (tree.open.inTableScope(HtmlTag.TD) || tree.open.inTableScope(HtmlTag.TH)) {
          closeCell();
          tree.start(name);
        }
      }
      case IN_CAPTION -> {
        if ((flags & HtmlTag.TABLE_PART) == 0) {
          body.start(name);
        } else if (closeCaption()) {
          startInTable(name);
        }
      }
      case IN_COLUMN_GROUP -> startInColumnGroup(name);
      default -> startInTable(name);
    }
  }

  private void startInTable(int name) {
    int flags = HtmlTag.flags(name);
    if (name == HtmlTag.CAPTION) {
      clearToTable();
      tree.formatting.mark();
      tree.push(name);
      tree.mode = Mode.IN_CAPTION;
    } else if (name == HtmlTag.COLGROUP) {
      startColumnGroup();
    } else if (name == HtmlTag.COL) {
      startColumnGroup();
      tree.start(name);
    } else if ((flags & HtmlTag.TABLE_BODY) != 0) {
      startTableBody(name);
    } else if ((flags & HtmlTag.CELL) != 0 || name == HtmlTag.TR) {
      startTableBody(HtmlTag.TBODY);
      tree.start(name);
    } else if (name == HtmlTag.TABLE) {
      if (tree.open.inTableScope(name)) {
        tree.open.popTo(name);
        if (tree.resetMode()) {
          tree.start(name);
        } else {
          tree.push(name);
        }
      }
    } else if (name == HtmlTag.STYLE
        || name == HtmlTag.SCRIPT
        || name == HtmlTag.TEMPLATE
        || name == HtmlTag.NOSCRIPT) {
      head.startHeadContent(name);
    } else if (name == HtmlTag.FORM) {
      body.startFormInTable(name);
    } else if (name == HtmlTag.INPUT) {
      startInput();
    } else {
      startMisplaced(name);
    }
  }

  /**
   * Starts an input; its attributes decide whether it stays there or follows the rules of the body.
   */
  private void startInput() {
    if (tree.formatting.anyToReopen() || tree.open.inScope(HtmlTag.SELECT)) {
      tree.beUnsure(HtmlUnsure.INPUT_IN_TABLE);
    } else if (tree.open.topIs(HtmlTag.TABLE_CONTEXT)) {
      tree.open.fostered.beUnclear();
    } else {
      tree.pushVoid(HtmlTag.INPUT);
    }
  }

  /** Applies the rules of the body; an element directly in the table belongs before it. */
  private void startMisplaced(int name) {
    boolean before = tree.open.foster(true);
    body.start(name);
    tree.open.foster(before);
  }

  private void startInColumnGroup(int name) {
    if (name == HtmlTag.COL) {
      tree.pushVoid(name);
    } else if (name == HtmlTag.TEMPLATE) {
      head.startHeadContent(name);
    } else if (name != HtmlTag.HTML && tree.open.top() == HtmlTag.COLGROUP) {
      tree.open.pop();
      tree.mode = Mode.IN_TABLE;
      tree.start(name);
    }
  }

  void end(int name) {
    switch (tree.mode) {
      case IN_TABLE_BODY -> {
        if ((HtmlTag.flags(name) & HtmlTag.TABLE_BODY) != 0) {
          if (tree.open.inTableScope(name)) {
            closeTableBody();
          }
        } else if (name == HtmlTag.TABLE) {
          if (inTableBodyScope()) {
            closeTableBody();
            tree.end(name);
          }
        } else {
          endInTable(name);
        }
      }
      case IN_ROW -> endInRow(name);
      case IN_CELL -> endInCell(name);
      case IN_CAPTION -> {
        if (name == HtmlTag.CAPTION) {
          closeCaption();
        } else if (name == HtmlTag.TABLE) {
          if (closeCaption()) {
            endInTable(name);
          }
        } else if (!isIgnoredEnd(name)) {
          body.end(name);
        }
      }
      case IN_COLUMN_GROUP -> {
        if (name == HtmlTag.TEMPLATE) {
          head.endTemplate();
        } else if (name != HtmlTag.COL && tree.open.top() == HtmlTag.COLGROUP) {
          tree.open.pop();
          tree.mode = Mode.IN_TABLE;
          if (name != HtmlTag.COLGROUP) {
            tree.end(name);
          }
        }
      }
      default -> endInTable(name);
    }
  }

  private void endInTable(int name) {
    if (name == HtmlTag.TABLE) {
      if (tree.open.inTableScope(name)) {
        tree.open.popTo(name);
        tree.resetMode();
      }
    } else if (name == HtmlTag.TEMPLATE) {
      head.endTemplate();
    } else if (!isIgnoredEnd(name)) {
      boolean before = tree.open.foster(true);
      body.end(name);
      tree.open.foster(before);
    }
  }

  private void endInRow(int name) {
    if (name == HtmlTag.TR) {
      if (tree.open.inTableScope(name)) {
        closeRow();
      }
    } else if (name == HtmlTag.TABLE || (HtmlTag.flags(name) & HtmlTag.TABLE_BODY) != 0) {
      boolean open = name == HtmlTag.TABLE || tree.open.inTableScope(name);
      if (open && tree.open.inTableScope(HtmlTag.TR)) {
        closeRow();
        tree.end(name);
      }
    } else {
      endInTable(name);
    }
  }

  private void endInCell(int name) {
    int flags = HtmlTag.flags(name);
    if ((flags & HtmlTag.CELL) != 0) {
      if (tree.open.inTableScope(name)) {
        tree.open.closeImplied();
        tree.open.popTo(name);
        tree.formatting.clearToMark();
      }
      tree.mode = Mode.IN_ROW;
    } else if ((flags & HtmlTag.TABLE_CONTEXT) != 0) {
      if (tree.open.inTableScope(name)) {
        closeCell();
        tree.end(name);
      }
    } else if (!isIgnoredEnd(name)) {
      body.end(name);
    }
  }

  private static boolean isIgnoredEnd(int name) {
    return (HtmlTag.flags(name) & HtmlTag.TABLE_PART) != 0
        || name == HtmlTag.BODY
        || name == HtmlTag.HTML;
  }

  private void clearToTable() {
    tree.open.clearTo(HtmlTag.TABLE, 0);
  }

  private void startColumnGroup() {
    clearToTable();
    tree.push(HtmlTag.COLGROUP);
    tree.mode = Mode.IN_COLUMN_GROUP;
  }

  private void startTableBody(int name) {
    clearToTable();
    tree.push(name);
    tree.mode = Mode.IN_TABLE_BODY;
  }

  private void startRow() {
    tree.open.clearTo(OpenElements.MARK, HtmlTag.TABLE_BODY);
    tree.push(HtmlTag.TR);
    tree.mode = Mode.IN_ROW;
  }

  private boolean inTableBodyScope() {
    return tree.open.inTableScope(HtmlTag.TBODY)
        || tree.open.inTableScope(HtmlTag.THEAD)
        || tree.open.inTableScope(HtmlTag.TFOOT);
  }

  private void closeTableBody() {
    tree.open.clearTo(OpenElements.MARK, HtmlTag.TABLE_BODY);
    tree.open.pop();
    tree.mode = Mode.IN_TABLE;
  }

  private void closeRow() {
    tree.open.clearTo(HtmlTag.TR, 0);
    tree.open.pop();
    tree.mode = Mode.IN_TABLE_BODY;
  }

  private void closeCell() {
    tree.end(tree.open.inTableScope(HtmlTag.TD) ? HtmlTag.TD : HtmlTag.TH);
  }

  private boolean closeCaption() {
    if (!tree.open.inTableScope(HtmlTag.CAPTION)) {
      return false;
    }
    tree.open.closeImplied();
    tree.open.popTo(HtmlTag.CAPTION);
    tree.formatting.clearToMark();
    tree.mode = Mode.IN_TABLE;
    return true;
  }
}
