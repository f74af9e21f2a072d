package io.kmodel.indexer.parse.html;

import io.kmodel.indexer.parse.html.HtmlTree.Content;

/** The rules for tags in SVG and MathML (§13.2.6.5), see {@link HtmlTree}. */
final class HtmlForeign {
  private final HtmlTree tree;

  HtmlForeign(HtmlTree tree) {
    this.tree = tree;
  }

  /** Whether a start tag in SVG or MathML is read as HTML. */
  boolean isHtml(int name) {
    return tree.open.topIs(HtmlTag.INTEGRATION)
        && (tree.open.top() < HtmlTag.MATH_NAMESPACE
            || (name != HtmlTag.MGLYPH && name != HtmlTag.MALIGNMARK));
  }

  /** Handles a start tag that is not read as HTML. */
  void start(int name) {
    int flags = HtmlTag.flags(name);
    if (name == HtmlTag.FONT && tree.attributes != 0) {
      tree.beUnsure(HtmlUnsure.FOREIGN_ATTRIBUTES);
    } else if ((flags & HtmlTag.LEAVES_FOREIGN) != 0) {
      leaveForeign();
      tree.startByMode(name);
    } else {
      boolean svg = tree.open.top() < HtmlTag.MATH_NAMESPACE;
      push(name, svg ? HtmlTag.SVG_NAMESPACE : HtmlTag.MATH_NAMESPACE);
    }
  }

  private void leaveForeign() {
    while (tree.foreignText()) {
      tree.open.pop();
    }
  }

  /** Opens an element of SVG or MathML. */
  void push(int name, int namespace) {
    int flags = HtmlTag.foreignFlags(name, namespace);
    if (name == HtmlTag.TITLE && tree.inHead()) {
      tree.beUnsure(HtmlUnsure.ODD_TITLE);
    }
    if (namespace == HtmlTag.SVG_NAMESPACE) {
      if (name == HtmlTag.SCRIPT) {
        tree.content = Content.SCRIPT;
        if (tree.selfClosing) {
          tree.beUnsure(HtmlUnsure.FOREIGN_SCRIPT);
        }
      }
    } else if (name == HtmlTag.ANNOTATION_XML) {
      tree.beUnsure(HtmlUnsure.FOREIGN_ATTRIBUTES);
    }
    tree.push(name | namespace, flags);
    if (tree.selfClosing) {
      tree.open.pop();
    }
  }

  void end(int name) {
    if (name == HtmlTag.BR || name == HtmlTag.P) {
      leaveForeign();
      tree.endByMode(name);
      return;
    }
    for (int i = tree.open.size - 1; i > 0; i--) {
      if ((tree.open.names[i] & HtmlTag.NAME_MASK) == name) {
        while (tree.open.size > i) {
          tree.open.pop();
        }
        return;
      }
      if ((tree.open.flags[i - 1] & HtmlTag.FOREIGN) == 0
          && tree.open.names[i - 1] != OpenElements.MARK) {
        tree.endByMode(name);
        return;
      }
    }
  }
}
