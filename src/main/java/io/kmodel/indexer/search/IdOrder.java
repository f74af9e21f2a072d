package io.kmodel.indexer.search;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.FieldComparatorSource;
import org.apache.lucene.search.LeafFieldComparator;
import org.apache.lucene.search.Pruning;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Orders documents by their binary doc values, and reads those only of documents that are compared.
 * Lucene's own order reads the value of every document that enters the best ones so far, which may
 * decompress a block of stored texts each time.
 *
 * <p>For a reader of one segment whose doc values can be read in any order, as those of {@link
 * io.kmodel.indexer.export.lucene.view.IndexLeafReader}. A value that cannot be read is an
 * UncheckedIOException. Memory: at most one value per hit. Thread-safe.
 */
final class IdOrder extends FieldComparatorSource {
  @Override
  public FieldComparator<Integer> newComparator(
      String field, int hits, Pruning pruning, boolean reversed) {
    return new ByValue(field, hits);
  }

  private static final class ByValue extends FieldComparator<Integer>
      implements LeafFieldComparator {
    private final String field;
    private final int[] documents;

    /** The values that were read; null for the others. */
    private final @Nullable BytesRef[] read;

    private BinaryDocValues values = DocValues.emptyBinary();
    private int bottom;

    ByValue(String field, int hits) {
      this.field = field;
      this.documents = new int[hits];
      this.read = new BytesRef[hits];
    }

    @Override
    public LeafFieldComparator getLeafComparator(LeafReaderContext context) throws IOException {
      values = DocValues.getBinary(context.reader(), field);
      return this;
    }

    @Override
    public void copy(int slot, int document) {
      documents[slot] = document;
      read[slot] = null;
    }

    @Override
    public void setBottom(int slot) {
      bottom = slot;
    }

    @Override
    public int compareBottom(int document) throws IOException {
      return valueAt(bottom).compareTo(valueOf(document));
    }

    @Override
    public int compare(int slot, int other) {
      try {
        return valueAt(slot).compareTo(valueAt(other));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private BytesRef valueAt(int slot) throws IOException {
      BytesRef value = read[slot];
      if (value == null) {
        value = valueOf(documents[slot]);
        read[slot] = value;
      }
      return value;
    }

    private BytesRef valueOf(int document) throws IOException {
      values.advanceExact(document);
      return BytesRef.deepCopyOf(values.binaryValue());
    }

    /** The number of the document, because its value may not have been read. */
    @Override
    public Integer value(int slot) {
      return documents[slot];
    }

    @Override
    public void setScorer(Scorable scorer) {}

    @Override
    public void setTopValue(Integer value) {
      throw new UnsupportedOperationException("searches start with the best document");
    }

    @Override
    public int compareTop(int document) {
      throw new UnsupportedOperationException("searches start with the best document");
    }
  }
}
