package io.kmodel.indexer.inversion;

import io.kmodel.indexer.export.lucene.postings.PackedLists;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import org.jspecify.annotations.Nullable;

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

  /** The postings, unless they are packed; one cursor at a time. */
  PostingsCursor cursor(Schema schema);

  /** The postings, encoded for Lucene by the device; null if there is a cursor. */
  default @Nullable PackedLists packed() {
    return null;
  }

  /** Frees memory beyond that of the block. */
  @Override
  void close();
}
