package io.kmodel.indexer.export.lucene.schema;

import java.io.IOException;

/** The lengths of a segment's documents, from which Lucene's norms are computed. Thread-safe. */
public interface DocumentLengths {
  /** Number of documents in the segment. */
  int count();

  /**
   * The length of a document in tokens, overlaps not counted.
   *
   * @param field ordinal of a tokenized field
   */
  int length(int field, int docId) throws IOException;
}
