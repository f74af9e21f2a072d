package io.kmodel.indexer.source;

/** How a document's bytes are interpreted. */
public enum ContentType {
  HTML,
  /** XHTML, or a document with other elements. */
  XML,
  PLAIN_TEXT
}
