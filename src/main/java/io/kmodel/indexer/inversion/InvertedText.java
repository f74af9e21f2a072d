package io.kmodel.indexer.inversion;

import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;

/** The postings of a {@link TextBlock}, in order. DocIDs count from its first document. */
public interface InvertedText extends AutoCloseable {
  long tokens();

  /** Whether a device made it, while this thread only waited. */
  boolean byDevice();

  /**
   * The length of a document in an inverted field, in tokens.
   *
   * @param number of the field among the inverted ones, from 0
   */
  int length(int number, int docId);

  /** The postings; one cursor at a time. */
  PostingsCursor cursor(Schema schema);

  /** Frees memory beyond that of the block. */
  @Override
  void close();
}
