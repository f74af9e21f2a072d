package io.kmodel.indexer.export.lucene.view;

import io.kmodel.indexer.export.lucene.schema.DocumentLengths;
import io.kmodel.indexer.export.lucene.schema.DocumentRange;
import io.kmodel.indexer.index.InvertedIndex;
import java.io.IOException;

/** The lengths of a range of an index's documents. */
public record IndexLengths(InvertedIndex index, DocumentRange range) implements DocumentLengths {
  @Override
  public int count() {
    return range.size();
  }

  @Override
  public int length(int field, int docId) throws IOException {
    return index.length(field, range.from() + docId);
  }
}
