package io.kmodel.indexer.indexing.merge;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.columns.ColumnReader;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Copies lengths and columns of documents to another index. Ends if the thread is interrupted. */
public final class DocumentValues {
  /** Stands for a document that is not copied. */
  private static final int LEFT_OUT = -1;

  /** Documents whose lengths are appended at a time, or values between two checks. */
  private static final int PIECE = 4096;

  private DocumentValues() {}

  /** Appends the lengths of all tokenized fields. */
  public static void copyLengths(List<MergeInput> inputs, InvertedIndexWriter to)
      throws IOException {
    Schema schema = to.schema();
    int[] piece = new int[PIECE];
    for (int field = 0; field < schema.size(); field++) {
      if (!schema.field(field).tokenized()) {
        continue;
      }
      for (MergeInput input : inputs) {
        int count = 0;
        for (int doc = 0; doc < input.index().documentCount(); doc++) {
          if (input.kept().isKept(doc)) {
            piece[count++] = input.index().length(field, doc);
          }
          if (count == PIECE) {
            to.appendLengths(field, piece, count);
            count = 0;
          }
        }
        to.appendLengths(field, piece, count);
      }
    }
  }

  /** Appends the values of all columns. */
  public static void copyColumns(List<MergeInput> inputs, InvertedIndexWriter to)
      throws IOException {
    for (MergeInput input : inputs) {
      copyColumns(input.index(), doc -> input.kept().isKept(doc) ? doc : LEFT_OUT, to);
    }
  }

  /**
   * Appends the values of an index in all columns, in another order.
   *
   * @param oldDoc gives the document of the index that comes at each place, or -1 for none
   */
  public static void copyColumns(
      InvertedIndex from, IntUnaryOperator oldDoc, InvertedIndexWriter to) throws IOException {
    for (int column = 0; column < to.schema().columns().size(); column++) {
      ColumnReader values = from.columns().reader(column);
      for (int place = 0; place < from.documentCount(); place++) {
        if (place % PIECE == 0) {
          Interruption.requireNone();
        }
        int doc = oldDoc.applyAsInt(place);
        if (doc != LEFT_OUT) {
          to.appendValue(column, values, doc);
        }
      }
    }
  }
}
