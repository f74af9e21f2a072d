package io.kmodel.indexer.parse.field;

/** The parts of a document that can be indexed. */
public enum TextPart {
  /** The title element of HTML; otherwise the title that the collection gives. */
  TITLE,
  /** The text of the body, or all of a plain text. */
  CONTENTS,
  /** The parts of the contents in h1 to h6. */
  HEADINGS,
  /** The parts of the contents in links: the page's own links, not those that lead to it. */
  ANCHORS,
  /** The origin of the document: its URI, or the path of its file. */
  URL,
  /** The whole document as it was read, decoded; it can be stored, but no field indexes it. */
  RAW
}
