package io.kmodel.indexer.parse.html;

import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.field.TextPart;
import io.kmodel.indexer.parse.text.TextSpans;

/**
 * Records where headings and links are in a page's text, if they are needed. Both HTML parsers
 * report where such elements start and end. Not thread-safe.
 */
public final class WatchedElements {
  /** No elements are watched. */
  static final int NONE = 0;

  private final int flags;
  private final TextSpans headings = new TextSpans();
  private final TextSpans anchors = new TextSpans();

  /**
   * Records elements with these flags, out of {@link HtmlTag#HEADING} and {@link HtmlTag#ANCHOR}.
   */
  WatchedElements(int flags) {
    this.flags = flags;
  }

  /** Returns the flags of the elements that the fields need. */
  public static int flags(FieldPlan plan) {
    return (plan.holds(TextPart.HEADINGS) ? HtmlTag.HEADING : 0)
        | (plan.holds(TextPart.ANCHORS) ? HtmlTag.ANCHOR : 0);
  }

  int flags() {
    return flags;
  }

  void reset() {
    headings.reset();
    anchors.reset();
  }

  /** An element with these flags starts at an offset of the text. */
  void open(int flag, int offset) {
    if ((flag & flags & HtmlTag.HEADING) != 0) {
      headings.open(offset);
    }
    if ((flag & flags & HtmlTag.ANCHOR) != 0) {
      anchors.open(offset);
    }
  }

  /** An element with these flags ends at an offset of the text. */
  void close(int flag, int offset) {
    if ((flag & flags & HtmlTag.HEADING) != 0) {
      headings.close(offset);
    }
    if ((flag & flags & HtmlTag.ANCHOR) != 0) {
      anchors.close(offset);
    }
  }

  /** The text ends. */
  void finish(int offset) {
    headings.finish(offset);
    anchors.finish(offset);
  }

  TextSpans headings() {
    return headings;
  }

  TextSpans anchors() {
    return anchors;
  }
}
