package io.kmodel.indexer.indexing.merge;

import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.columns.ColumnReader;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.util.List;

/** Copies lengths and columns of the documents of a merge that stay. */
public final class DocumentValues {
  /** Documents whose lengths are appended at a time. */
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
    for (int column = 0; column < to.schema().columns().size(); column++) {
      for (MergeInput input : inputs) {
        Interruption.requireNone();
        ColumnReader from = input.index().columns().reader(column);
        for (int doc = 0; doc < from.documents(); doc++) {
          if (input.kept().isKept(doc)) {
            to.appendValue(column, from, doc);
          }
        }
      }
    }
  }
}
