package io.kmodel.indexer.parse.html;

import io.kmodel.indexer.parse.html.HtmlTree.Mode;

/**
 * The rules of the insertion modes up to the body, and those of templates, see {@link HtmlTree}.
 */
final class HtmlHead {
  private final HtmlTree tree;
  private final Mode[] templateModes = new Mode[OpenElements.MAX_DEPTH];
  private int templates;
  private boolean bodyStarted;

  HtmlHead(HtmlTree tree) {
    this.tree = tree;
  }

  void reset() {
    templates = 0;
    bodyStarted = false;
  }

  /** Whether the body or a frameset has started. */
  boolean bodyStarted() {
    return bodyStarted;
  }

  /** Returns the mode for the content of the innermost template. */
  Mode templateMode() {
    return templates == 0 ? Mode.IN_BODY : templateModes[templates - 1];
  }

  /** Starts the elements that must precede text and other content of the body. */
  void startBody() {
    if (tree.mode == Mode.INITIAL) {
      tree.quirks = true;
      tree.mode = Mode.BEFORE_HTML;
    }
    if (tree.mode == Mode.BEFORE_HTML) {
      tree.push(HtmlTag.HTML);
      tree.mode = Mode.BEFORE_HEAD;
    }
    if (tree.mode == Mode.BEFORE_HEAD) {
      tree.push(HtmlTag.HEAD);
      tree.mode = Mode.IN_HEAD;
    }
    if (tree.mode == Mode.IN_HEAD) {
      tree.open.pop();
      tree.mode = Mode.AFTER_HEAD;
    }
    tree.push(HtmlTag.BODY);
    bodyStarted = true;
    tree.framesetOk = true;
    tree.mode = Mode.IN_BODY;
  }

  void startBeforeHead(int name) {
    tree.quirks |= tree.mode == Mode.INITIAL;
    if (tree.mode != Mode.BEFORE_HEAD) {
      tree.push(HtmlTag.HTML);
      tree.mode = Mode.BEFORE_HEAD;
    }
    if (name != HtmlTag.HTML) {
      tree.push(HtmlTag.HEAD);
      tree.mode = Mode.IN_HEAD;
      if (name != HtmlTag.HEAD) {
        tree.start(name);
      }
    }
  }

  void startAfterHead(int name) {
    if (name == HtmlTag.FRAMESET) {
      tree.push(name);
      bodyStarted = true;
      tree.mode = Mode.IN_FRAMESET;
    } else if ((HtmlTag.flags(name) & HtmlTag.HEAD_CONTENT) != 0) {
      startHeadContent(name);
    } else if (name == HtmlTag.BODY) {
      startBody();
      tree.framesetOk = false;
    } else if (name != HtmlTag.HEAD && name != HtmlTag.HTML) {
      startBody();
      tree.start(name);
    }
  }

  /** Applies the rules of the head, anywhere in the page. */
  void startHeadContent(int name) {
    if ((HtmlTag.flags(name) & (HtmlTag.DATA | HtmlTag.RCDATA)) != 0) {
      tree.pushContent(name, HtmlTree.contentOf(name));
    } else if (name == HtmlTag.NOSCRIPT) {
      tree.startIsland();
    } else if (name == HtmlTag.TEMPLATE) {
      tree.push(name);
      tree.formatting.mark();
      tree.framesetOk = false;
      startTemplateMode(Mode.IN_TEMPLATE);
    } else {
      tree.pushVoid(name);
    }
  }

  private void startTemplateMode(Mode inside) {
    if (templates == templateModes.length) {
      tree.beUnsure(HtmlUnsure.DEPTH);
    } else {
      templateModes[templates++] = inside;
    }
    tree.mode = inside;
  }

  void endTemplate() {
    if (tree.open.contains(HtmlTag.TEMPLATE)) {
      tree.open.closeImpliedThoroughly();
      tree.open.popTo(HtmlTag.TEMPLATE);
      tree.formatting.clearToMark();
      templates = Math.max(templates - 1, 0);
      tree.resetMode();
    }
  }

  void startInTemplate(int name) {
    if ((HtmlTag.flags(name) & HtmlTag.HEAD_CONTENT) != 0) {
      startHeadContent(name);
      return;
    }
    int flags = HtmlTag.flags(name);
    templates = Math.max(templates - 1, 0);
    if (name == HtmlTag.COL) {
      startTemplateMode(Mode.IN_COLUMN_GROUP);
    } else if (name == HtmlTag.TR) {
      startTemplateMode(Mode.IN_TABLE_BODY);
    } else if ((flags & HtmlTag.CELL) != 0) {
      startTemplateMode(Mode.IN_ROW);
    } else if ((flags & HtmlTag.TABLE_PART) != 0) {
      startTemplateMode(Mode.IN_TABLE);
    } else {
      startTemplateMode(Mode.IN_BODY);
    }
    tree.start(name);
  }
}
