package io.kmodel.indexer.parse;

/**
 * Why {@link HtmlExtractor} leaves a page to the parser with a tree. Each is something whose effect
 * on the text it does not follow, or a place where it could not be certain of it.
 */
public enum HtmlUnsure {
  /**
   * Text directly in a table, outside of its cells, which the tree has before the table: more of it
   * than is moved, or where the text of headings or links is wanted.
   */
  TEXT_IN_TABLE,
  /** An input directly in a table, whose attributes say where the tree has it. */
  INPUT_IN_TABLE,
  /** A frameset after the body has begun, which may replace the body. */
  LATE_FRAMESET,
  /** More open elements than the tree may be deep. */
  DEPTH,
  /** Formatting elements that are equal or not by their attributes, which are not compared. */
  FORMATTING,
  /** More formatting elements without an end than are remembered. */
  FORMATTING_COUNT,
  /**
   * A formatting element ends within a block that began after it, with a widget between them; or
   * within an inline one, where what the former stood in has ended.
   */
  MISNESTED_WIDGET,
  /** A link that ends within something that began after it, where the text of links is wanted. */
  MISNESTED_ANCHOR,
  /** An element of MathML or SVG whose attributes say whether HTML follows. */
  FOREIGN_ATTRIBUTES,
  /** A title in the head, of SVG or without content, which can be taken for the page's. */
  ODD_TITLE,
  /** A script of SVG that closes itself. */
  FOREIGN_SCRIPT,
  /** A tag name with a NUL or outside of ASCII. */
  TAG_NAME,
  /** More distinct tag names than are remembered. */
  TAG_NAME_COUNT,
  /** A doctype that is not well formed. */
  DOCTYPE,
  /** A numeric reference to a surrogate, or of very many digits. */
  CHARACTER_REFERENCE,
  /** An end tag without a name behind the body: what is white space then is not clear. */
  NAMELESS_END,
  /** A NUL in text, which is left out or replaced according to where it stands. */
  NUL,
  /**
   * The character U+FFFF anywhere but in a text, behind other characters, or in a quoted attribute:
   * the other parser may take it for the end of its input there.
   */
  NONCHARACTER
}
