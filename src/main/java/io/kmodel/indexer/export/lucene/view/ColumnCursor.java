package io.kmodel.indexer.export.lucene.view;

import io.kmodel.indexer.export.lucene.schema.DocumentRange;
import io.kmodel.indexer.index.columns.ColumnReader;
import java.io.IOException;
import org.apache.lucene.search.DocIdSetIterator;

/**
 * Steps through the documents of a range that have a value in a column. For Lucene they count from
 * 0. Not thread-safe.
 */
final class ColumnCursor {
  private final ColumnReader reader;
  private final DocumentRange range;
  private int docId = -1;

  ColumnCursor(ColumnReader reader, DocumentRange range) {
    this.reader = reader;
    this.range = range;
  }

  ColumnReader reader() {
    return reader;
  }

  int docId() {
    return docId;
  }

  /** The document's number in the column. */
  int inColumn() {
    return range.from() + docId;
  }

  boolean advanceExact(int target) throws IOException {
    docId = target;
    return reader.has(inColumn());
  }

  int advance(int target) throws IOException {
    for (int doc = target; doc < range.size(); doc++) {
      if (advanceExact(doc)) {
        return doc;
      }
    }
    docId = DocIdSetIterator.NO_MORE_DOCS;
    return docId;
  }

  long cost() {
    return range.size();
  }
}
