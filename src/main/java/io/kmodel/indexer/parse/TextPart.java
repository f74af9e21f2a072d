package io.kmodel.indexer.parse;

/** What a document has in it that can be indexed. */
public enum TextPart {
  /** Of HTML its title element; else what the collection gives. */
  TITLE,
  /** The text of the body, or all of a plain text. */
  CONTENTS,
  /** Those parts of the contents that stand in h1 to h6. */
  HEADINGS,
  /** Those parts of the contents that stand in links: the page's own, not those that lead to it. */
  ANCHORS,
  /** Where the document comes from: its URI, or the path of its file. */
  URL,
  /** All of it as it came, decoded; it can be stored, and is indexed by no field. */
  RAW
}
