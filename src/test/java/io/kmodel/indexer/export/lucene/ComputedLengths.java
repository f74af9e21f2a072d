package io.kmodel.indexer.export.lucene;

import java.util.function.IntUnaryOperator;

/** Lengths of documents without end, which follow from their numbers. */
record ComputedLengths(IntUnaryOperator ofDocument) implements DocumentLengths {
  @Override
  public int count() {
    return Integer.MAX_VALUE;
  }

  @Override
  public int length(int field, int docId) {
    return ofDocument.applyAsInt(docId);
  }
}
