package io.kmodel.indexer.parse.html;

/**
 * Why {@link HtmlExtractor} leaves a page to the parser with a tree. Each reason is a construct
 * whose effect on the text it does not follow or could not be certain of.
 */
public enum HtmlUnsure {
  /**
   * Text directly in a table, outside of its cells, which the tree holds before the table: more of
   * it than is moved, or in a build that needs the text of headings or links.
   */
  TEXT_IN_TABLE,
  /** An input directly in a table, whose attributes determine where the tree holds it. */
  INPUT_IN_TABLE,
  /** A frameset after the start of the body, which may replace the body. */
  LATE_FRAMESET,
  /** More open elements than the maximum depth of the tree. */
  DEPTH,
  /** Formatting elements whose equality depends on attributes, which are not compared in full. */
  FORMATTING,
  /** More formatting elements without an end than are remembered. */
  FORMATTING_COUNT,
  /**
   * A formatting element that ends within a block that began after it, with a widget between them;
   * or within an inline block, if the parent of the formatting element has ended.
   */
  MISNESTED_WIDGET,
  /**
   * A link that ends within an element that began after it, in a build that needs the text of
   * links.
   */
  MISNESTED_ANCHOR,
  /** An element of MathML or SVG whose attributes determine whether HTML follows. */
  FOREIGN_ATTRIBUTES,
  /** A title in the head, of SVG or without content, that could be taken for the page's. */
  ODD_TITLE,
  /** A self-closing script of SVG. */
  FOREIGN_SCRIPT,
  /** A tag name with a NUL or a character outside of ASCII. */
  TAG_NAME,
  /** A language in an html tag after the first one, in a build that needs it. */
  HTML_ATTRIBUTES,
  /** More distinct tag names than are remembered. */
  TAG_NAME_COUNT,
  /** A malformed doctype. */
  DOCTYPE,
  /** A numeric reference to a surrogate, or of very many digits. */
  CHARACTER_REFERENCE,
  /** An end tag without a name after the body, which makes it unclear what is white space. */
  NAMELESS_END,
  /** A NUL in text, which is removed or replaced depending on its position. */
  NUL,
  /**
   * The character U+FFFF, except in a text after other characters and in a quoted attribute: the
   * other parser may take it for the end of its input.
   */
  NONCHARACTER
}
