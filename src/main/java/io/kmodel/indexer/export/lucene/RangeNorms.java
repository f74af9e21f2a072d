package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.InvertedIndex;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.NumericDocValues;

/** The norms of a range of documents, to Lucene's writers. Safe for many threads. */
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

  /** Lengths are checked as they are read. */
  @Override
  public void checkIntegrity() {}

  @Override
  public void close() {}
}
