package io.kmodel.indexer.parse;

import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.source.WellFormed;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Tag;
import org.jsoup.select.NodeFilter;
import org.jsoup.select.NodeTraversor;

/**
 * The text of a tree of HTML, by this definition. Walk the tree in document order.
 *
 * <ol>
 *   <li>The elements script, style, noscript and template are left out with all that is in them. So
 *       are comments, attributes, and the raw content of iframe, noembed, noframes and xmp.
 *   <li>Character data, its references resolved, is text; U+200B (zero-width space) and U+00AD
 *       (soft hyphen) in it are left out. What is then an unpaired surrogate becomes U+FFFD.
 *   <li>A <em>separator</em> stands where an element starts or ends that jsoup holds for a block or
 *       for a boundary of text (button, input, select, textarea, option, img and other widgets),
 *       and at br.
 *   <li>Each longest sequence of separators and white space (space, tab, LF, FF, CR, U+00A0) is one
 *       space; none stands at the start or the end.
 * </ol>
 *
 * <p>The text of the headings is what of it stands in h1 to h6, that of the anchors what stands in
 * a: a space between two elements, none within one but what the text has; what is in several counts
 * once.
 *
 * <p>This is the text of jsoup's {@code text()} but for white space: that keeps it in pre, joins
 * words across a comment between blocks, and judges inline elements with blocks in them otherwise.
 * Iterative: depth costs no stack. Memory: the text. Not thread-safe.
 */
final class HtmlText implements NodeFilter {
  static final ImmutableSet<String> LEFT_OUT =
      ImmutableSet.of("script", "style", "noscript", "template");

  private static final ImmutableSet<String> HEADINGS =
      ImmutableSet.of("h1", "h2", "h3", "h4", "h5", "h6");

  private final StringBuilder text = new StringBuilder();
  private final WatchedElements watched;
  private String result = "";
  private boolean separated;
  private int deepest;

  /** Also notes the elements of these flags, see {@link WatchedElements}. */
  HtmlText(int watchedFlags) {
    watched = new WatchedElements(watchedFlags);
  }

  /** The text below one element. */
  String of(Element root) {
    text.setLength(0);
    separated = false;
    deepest = 0;
    watched.reset();
    NodeTraversor.filter(this, root);
    watched.finish(text.length());
    result = WellFormed.text(text.toString());
    return result;
  }

  /** What of the text stands in headings. */
  String headings() {
    return watched.headings().join(result);
  }

  /** What of the text stands in links. */
  String anchors() {
    return watched.anchors().join(result);
  }

  /** What kind of element is watched that this is one of. */
  private static int flag(Element element) {
    String name = element.normalName();
    return name.equals("a") ? HtmlTag.ANCHOR : HEADINGS.contains(name) ? HtmlTag.HEADING : 0;
  }

  /** How deep the deepest element was below that one. */
  int deepest() {
    return deepest;
  }

  @Override
  public FilterResult head(Node node, int depth) {
    if (node instanceof TextNode characters) {
      append(characters.getWholeText());
    } else if (node instanceof Element element) {
      deepest = Math.max(deepest, depth);
      if (LEFT_OUT.contains(element.normalName())) {
        separated = true;
        return FilterResult.SKIP_ENTIRELY;
      }
      separated |= isSeparator(element.tag());
      watched.open(flag(element), text.length());
    }
    return FilterResult.CONTINUE;
  }

  @Override
  public FilterResult tail(Node node, int depth) {
    if (node instanceof Element element) {
      separated |= isSeparator(element.tag());
      watched.close(flag(element), text.length());
    }
    return FilterResult.CONTINUE;
  }

  /** Whether words end where elements of this kind start and end. */
  static boolean isSeparator(Tag tag) {
    return tag.isBlock() || tag.is(Tag.TextBoundary) || tag.normalName().equals("br");
  }

  private void append(String characters) {
    for (int i = 0; i < characters.length(); i++) {
      char c = characters.charAt(i);
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\u00A0') {
        separated = true;
      } else if (c != '\u200B' && c != '\u00AD') {
        if (separated && !text.isEmpty()) {
          text.append(' ');
        }
        separated = false;
        text.append(c);
      }
    }
  }
}
