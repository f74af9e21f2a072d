package io.kmodel.indexer.export.lucene.view;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.FieldStatistics;
import java.io.IOException;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;

/** The terms of one field of our index, to Lucene. Safe for many threads. */
final class IndexTerms extends Terms {
  private final InvertedIndex index;
  private final int ordinal;
  private final Field field;
  private final FieldStatistics statistics;

  IndexTerms(InvertedIndex index, int ordinal) {
    this.index = index;
    this.ordinal = ordinal;
    this.field = index.schema().field(ordinal);
    this.statistics = index.statistics(ordinal);
  }

  @Override
  public TermsEnum iterator() throws IOException {
    return new IndexTermsEnum(index.terms(ordinal), field.detail());
  }

  @Override
  public long size() {
    return statistics.terms();
  }

  @Override
  public long getSumTotalTermFreq() {
    return field.detail() == Detail.DOCUMENTS ? statistics.postings() : statistics.tokens();
  }

  @Override
  public long getSumDocFreq() {
    return statistics.postings();
  }

  @Override
  public int getDocCount() {
    return statistics.documents();
  }

  @Override
  public boolean hasFreqs() {
    return field.detail().hasFrequencies();
  }

  @Override
  public boolean hasOffsets() {
    return field.detail().hasOffsets();
  }

  @Override
  public boolean hasPositions() {
    return field.detail().hasPositions();
  }

  @Override
  public boolean hasPayloads() {
    return false;
  }
}
