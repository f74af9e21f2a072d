package io.kmodel.indexer.parse.html;

import com.google.common.collect.ImmutableSet;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Tag;
import org.jsoup.select.NodeFilter;
import org.jsoup.select.NodeTraversor;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the text of an HTML tree, which is defined by a walk in document order:
 *
 * <ol>
 *   <li>The elements script, style, noscript and template are skipped with all their content. So
 *       are comments, attributes, and the raw content of iframe, noembed, noframes and xmp.
 *   <li>Character data with resolved references is text; U+200B (zero-width space) and U+00AD (soft
 *       hyphen) are removed from it. A surrogate that is unpaired then becomes U+FFFD.
 *   <li>A <em>separator</em> is at br, and at the start and the end of legend, summary and each
 *       element that jsoup treats as a block or as a boundary of text (button, input, select,
 *       textarea, option, img and other widgets).
 *   <li>Each longest sequence of separators and white space (space, tab, LF, FF, CR, U+00A0)
 *       becomes one space; it is removed at the start and the end.
 * </ol>
 *
 * <p>The text of headings is the part in h1 to h6, and that of anchors the part in a. One space
 * separates two elements; within an element, spaces are those of the text. Text in several nested
 * elements counts once.
 *
 * <p>This is the result of jsoup's {@code text()} except for white space: jsoup keeps it in pre,
 * joins words across a comment between blocks, and treats inline elements that contain blocks
 * differently. Iterative: depth needs no stack. Memory: the text. Not thread-safe.
 */
public final class HtmlText implements NodeFilter {
  static final ImmutableSet<String> LEFT_OUT =
      ImmutableSet.of("script", "style", "noscript", "template");

  /** Elements that browsers show on separate lines, but jsoup within text. */
  private static final ImmutableSet<String> LINES = ImmutableSet.of("br", "legend", "summary");

  private static final ImmutableSet<String> HEADINGS =
      ImmutableSet.of("h1", "h2", "h3", "h4", "h5", "h6");

  private final SpacedText text = new SpacedText();
  private final WatchedElements watched;
  private @Nullable MainContent main;
  private String result = "";
  private int deepest;

  /** Also records the elements with these flags, see {@link WatchedElements}. */
  public HtmlText(int watchedFlags) {
    watched = new WatchedElements(watchedFlags);
  }

  /** Returns the text of the main content of a page. */
  public String of(MainContent content) {
    main = content;
    try {
      return of(content.root());
    } finally {
      main = null;
    }
  }

  /** Returns the text below an element. */
  public String of(Element root) {
    text.clear();
    deepest = 0;
    watched.reset();
    NodeTraversor.filter(this, root);
    watched.finish(text.length());
    result = text.toString();
    return result;
  }

  /** Returns the part of the text in headings. */
  public String headings() {
    return watched.headings().join(result);
  }

  /** Returns the part of the text in links. */
  public String anchors() {
    return watched.anchors().join(result);
  }

  /** Returns the flag under which an element can be watched; 0 if it cannot. */
  static int flag(String name) {
    return name.equals("a") ? HtmlTag.ANCHOR : HEADINGS.contains(name) ? HtmlTag.HEADING : 0;
  }

  /** Returns the depth of the deepest element below the root. */
  public int deepest() {
    return deepest;
  }

  @Override
  public FilterResult head(Node node, int depth) {
    if (node instanceof TextNode characters) {
      text.append(characters.getWholeText());
    } else if (node instanceof Element element) {
      deepest = Math.max(deepest, depth);
      if (LEFT_OUT.contains(element.normalName()) || (main != null && main.leavesOut(element))) {
        text.separate();
        return FilterResult.SKIP_ENTIRELY;
      }
      separate(element);
      watched.open(flag(element.normalName()), text.length());
    }
    return FilterResult.CONTINUE;
  }

  @Override
  public FilterResult tail(Node node, int depth) {
    if (node instanceof Element element) {
      separate(element);
      watched.close(flag(element.normalName()), text.length());
    }
    return FilterResult.CONTINUE;
  }

  /** Whether elements of this kind separate words at their start and end. */
  static boolean isSeparator(Tag tag) {
    return tag.isBlock() || tag.is(Tag.TextBoundary) || LINES.contains(tag.normalName());
  }

  private void separate(Element element) {
    if (isSeparator(element.tag())) {
      text.separate();
    }
  }
}
