package io.kmodel.indexer.export.lucene.view;

import io.kmodel.indexer.export.lucene.schema.DocumentRange;
import io.kmodel.indexer.index.columns.Columns;
import io.kmodel.indexer.index.columns.StringOrder;
import java.io.IOException;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.SortedDocValues;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a range of documents, which are a segment for Lucene. Memory: a {@link
 * StringOrder} for each column of strings whose doc values were read. Thread-safe, but the values
 * that it returns are not.
 */
public final class ColumnRange {
  private final Columns columns;
  private final DocumentRange range;
  private final @Nullable StringOrder[] orders;

  public ColumnRange(Columns columns, DocumentRange range) {
    this.columns = columns;
    this.range = range;
    this.orders = new @Nullable StringOrder[columns.columns().size()];
  }

  /** The doc values of a column of numbers. */
  public NumericDocValues numbers(int column) throws IOException {
    return new NumberValues(new ColumnCursor(columns.reader(column), range));
  }

  /** The doc values of a column of strings. */
  public SortedDocValues strings(int column) throws IOException {
    return new StringValues(
        new ColumnCursor(columns.reader(column), range), order(column), columns.reader(column));
  }

  /** The points of a column of numbers. */
  public PointValues points(int column) throws IOException {
    return new NumberPoints(columns.reader(column), range);
  }

  private synchronized StringOrder order(int column) throws IOException {
    StringOrder order = orders[column];
    if (order == null) {
      order = StringOrder.of(columns.reader(column), range.from(), range.to());
      orders[column] = order;
    }
    return order;
  }
}
