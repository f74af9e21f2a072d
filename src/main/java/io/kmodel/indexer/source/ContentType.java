package io.kmodel.indexer.source;

/** How a document's bytes are interpreted. */
public enum ContentType {
  HTML,
  PLAIN_TEXT
}
