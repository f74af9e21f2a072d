package io.kmodel.indexer.source;

/** How a document's bytes are to be read. */
public enum ContentType {
  HTML,
  PLAIN_TEXT
}
