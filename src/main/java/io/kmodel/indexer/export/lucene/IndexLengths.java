package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.InvertedIndex;
import java.io.IOException;

/** The lengths of a range of an index's documents. */
record IndexLengths(InvertedIndex index, DocumentRange range) implements DocumentLengths {
  @Override
  public int count() {
    return range.size();
  }

  @Override
  public int length(int field, int docId) throws IOException {
    return index.length(field, range.from() + docId);
  }
}
