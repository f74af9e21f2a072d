package io.kmodel.indexer.export.lucene;

import java.io.IOException;

/**
 * How long a segment's documents are, from which Lucene's norms are made. Safe for many threads.
 */
public interface DocumentLengths {
  /** Documents of the segment. */
  int count();

  /**
   * The length of a document in tokens, overlaps not counted.
   *
   * @param field ordinal of a tokenized field
   */
  int length(int field, int docId) throws IOException;
}
