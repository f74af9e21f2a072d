package io.kmodel.indexer.export.lucene.view;

import io.kmodel.indexer.export.lucene.schema.DocumentRange;
import io.kmodel.indexer.index.columns.ColumnReader;
import java.io.IOException;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.NumericUtils;

/**
 * The numbers of a column as points of one dimension, in a tree of one leaf: Lucene's writers read
 * all and sort them. Not thread-safe.
 */
final class NumberPoints extends PointValues {
  private final ColumnReader reader;
  private final DocumentRange range;
  private int count;
  private long least = Long.MAX_VALUE;
  private long greatest = Long.MIN_VALUE;

  NumberPoints(ColumnReader reader, DocumentRange range) throws IOException {
    this.reader = reader;
    this.range = range;
    ColumnCursor cursor = new ColumnCursor(reader, range);
    for (int doc = cursor.advance(0);
        doc != DocIdSetIterator.NO_MORE_DOCS;
        doc = cursor.advance(doc + 1)) {
      long number = reader.number(cursor.inColumn());
      least = Math.min(least, number);
      greatest = Math.max(greatest, number);
      count++;
    }
  }

  private static byte[] packed(long number) {
    byte[] bytes = new byte[Long.BYTES];
    NumericUtils.longToSortableBytes(number, bytes, 0);
    return bytes;
  }

  @Override
  public PointTree getPointTree() {
    return new Leaf();
  }

  @Override
  public byte[] getMinPackedValue() {
    return packed(least);
  }

  @Override
  public byte[] getMaxPackedValue() {
    return packed(greatest);
  }

  @Override
  public int getNumDimensions() {
    return 1;
  }

  @Override
  public int getNumIndexDimensions() {
    return 1;
  }

  @Override
  public int getBytesPerDimension() {
    return Long.BYTES;
  }

  @Override
  public long size() {
    return count;
  }

  @Override
  public int getDocCount() {
    return count;
  }

  /** The only node of the tree. */
  private final class Leaf implements PointTree {
    @Override
    @SuppressWarnings("MethodDoesntCallSuperMethod") // it has no state
    public PointTree clone() {
      return new Leaf();
    }

    @Override
    public boolean moveToChild() {
      return false;
    }

    @Override
    public boolean moveToSibling() {
      return false;
    }

    @Override
    public boolean moveToParent() {
      return false;
    }

    @Override
    public byte[] getMinPackedValue() {
      return packed(least);
    }

    @Override
    public byte[] getMaxPackedValue() {
      return packed(greatest);
    }

    @Override
    public long size() {
      return count;
    }

    @Override
    public void visitDocIDs(IntersectVisitor visitor) throws IOException {
      visitor.grow(count);
      ColumnCursor cursor = new ColumnCursor(reader, range);
      for (int doc = cursor.advance(0);
          doc != DocIdSetIterator.NO_MORE_DOCS;
          doc = cursor.advance(doc + 1)) {
        visitor.visit(doc);
      }
    }

    @Override
    public void visitDocValues(IntersectVisitor visitor) throws IOException {
      visitor.grow(count);
      byte[] packed = new byte[Long.BYTES];
      ColumnCursor cursor = new ColumnCursor(reader, range);
      for (int doc = cursor.advance(0);
          doc != DocIdSetIterator.NO_MORE_DOCS;
          doc = cursor.advance(doc + 1)) {
        NumericUtils.longToSortableBytes(reader.number(cursor.inColumn()), packed, 0);
        visitor.visit(doc, packed);
      }
    }
  }
}
