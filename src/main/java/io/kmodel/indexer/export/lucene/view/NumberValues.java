package io.kmodel.indexer.export.lucene.view;

import java.io.IOException;
import org.apache.lucene.index.NumericDocValues;

/** The numbers of a column as doc values. Not thread-safe. */
final class NumberValues extends NumericDocValues {
  private final ColumnCursor cursor;

  NumberValues(ColumnCursor cursor) {
    this.cursor = cursor;
  }

  @Override
  public long longValue() throws IOException {
    return cursor.reader().number(cursor.inColumn());
  }

  @Override
  public boolean advanceExact(int target) throws IOException {
    return cursor.advanceExact(target);
  }

  @Override
  public int docID() {
    return cursor.docId();
  }

  @Override
  public int nextDoc() throws IOException {
    return cursor.advance(cursor.docId() + 1);
  }

  @Override
  public int advance(int target) throws IOException {
    return cursor.advance(target);
  }

  @Override
  public long cost() {
    return cursor.cost();
  }
}
