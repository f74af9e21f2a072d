package io.kmodel.indexer.export.lucene.view;

import io.kmodel.indexer.index.columns.ColumnReader;
import io.kmodel.indexer.index.columns.StringOrder;
import java.io.IOException;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.util.BytesRef;

/** The strings of a column as doc values. Not thread-safe. */
final class StringValues extends SortedDocValues {
  private final ColumnCursor cursor;
  private final StringOrder order;

  /** Reads strings; their blocks differ from those of the documents. */
  private final ColumnReader strings;

  StringValues(ColumnCursor cursor, StringOrder order, ColumnReader strings) {
    this.cursor = cursor;
    this.order = order;
    this.strings = strings;
  }

  @Override
  public int ordValue() throws IOException {
    return order.number(cursor.reader(), cursor.inColumn());
  }

  @Override
  public BytesRef lookupOrd(int ord) throws IOException {
    return new BytesRef(order.string(strings, ord));
  }

  @Override
  public int getValueCount() {
    return order.size();
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
