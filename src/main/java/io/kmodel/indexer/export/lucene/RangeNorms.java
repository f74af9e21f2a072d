package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.InvertedIndex;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.util.FixedBitSet;

/**
 * What lengths tell of a range of documents: their norms, to Lucene's writers. Safe for many
 * threads.
 */
final class RangeNorms extends NormsProducer {
  private final InvertedIndex index;
  private final DocumentRange range;

  RangeNorms(InvertedIndex index, DocumentRange range) {
    this.index = index;
    this.range = range;
  }

  @Override
  public NumericDocValues getNorms(FieldInfo field) {
    return new LengthNorms(index, index.schema().ordinal(field.name), range);
  }

  /** Sets the bits of the documents that have a term in a field. */
  void markDocuments(FieldInfo field, FixedBitSet documents) {
    int ordinal = index.schema().ordinal(field.name);
    if (!index.schema().field(ordinal).tokenized()) {
      documents.set(0, range.size());
      return;
    }
    for (int docId = 0; docId < range.size(); docId++) {
      if (index.length(ordinal, range.from() + docId) > 0) {
        documents.set(docId);
      }
    }
  }

  /** Lengths are checked as they are read. */
  @Override
  public void checkIntegrity() {}

  @Override
  public void close() {}
}
