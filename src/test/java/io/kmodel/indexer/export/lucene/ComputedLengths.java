package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.export.lucene.schema.DocumentLengths;
import java.util.function.IntUnaryOperator;

/** Lengths of documents without end, which follow from their numbers. */
public record ComputedLengths(IntUnaryOperator ofDocument) implements DocumentLengths {
  @Override
  public int count() {
    return Integer.MAX_VALUE;
  }

  @Override
  public int length(int field, int docId) {
    return ofDocument.applyAsInt(docId);
  }
}
