package io.kmodel.indexer.parse.html;

import com.google.common.collect.ImmutableSet;
import org.jsoup.parser.ParseSettings;
import org.jsoup.parser.Parser;
import org.jsoup.parser.Tag;

/**
 * The meaning of elements of XML by their names without prefix, in lower case. Those of HTML mean
 * the same as in HTML. Of others those separate no words that JATS, NITF, DocBook and TEI have
 * within sentences.
 */
final class XmlNames {
  /** Elements that hold the title of a document: of feeds, DocBook and SVG; JATS; NITF. */
  static final ImmutableSet<String> TITLES = ImmutableSet.of("title", "article-title", "hl1");

  /** The roots of feeds. */
  static final ImmutableSet<String> FEEDS = ImmutableSet.of("rss", "feed", "rdf");

  /** Elements of feeds whose text may be HTML. */
  static final ImmutableSet<String> EMBEDDING =
      ImmutableSet.of("title", "subtitle", "description", "summary", "content", "encoded");

  /** Elements without content, whose tags may be self-closing in HTML, too. */
  static final ImmutableSet<String> VOID =
      ImmutableSet.of(
          "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param",
          "source", "track", "wbr");

  /** Elements of HTML whose content is no text, besides those of {@link HtmlText#LEFT_OUT}. */
  static final ImmutableSet<String> RAW = ImmutableSet.of("iframe", "noembed", "noframes", "xmp");

  private static final ImmutableSet<String> INLINE =
      ImmutableSet.of(
          "bold",
          "chron",
          "classcode",
          "emphasis",
          "event",
          "ext-link",
          "foreign",
          "function",
          "hi",
          "inline-formula",
          "italic",
          "location",
          "monospace",
          "money",
          "named-content",
          "num",
          "object.title",
          "org",
          "overline",
          "person",
          "phrase",
          "roman",
          "sans-serif",
          "sc",
          "styled-content",
          "tspan",
          "underline",
          "uri",
          "virtloc",
          "xref");

  private XmlNames() {}

  /** Whether an element separates words at its start and end. */
  static boolean separates(String name) {
    return Tag.isKnownTag(name)
        ? HtmlText.isSeparator(Tag.valueOf(name, Parser.NamespaceHtml, ParseSettings.htmlDefault))
        : !INLINE.contains(name);
  }
}
