package io.kmodel.indexer.run;

import io.kmodel.indexer.index.PostingsCursor;
import java.io.IOException;

/**
 * The lengths of a run's documents in one field, in tokens, in order of documents, a block at a
 * time. Not thread-safe.
 */
public interface LengthsReader {
  /**
   * The lengths of the next documents.
   *
   * @param lengths at least {@link PostingsCursor#BLOCK} long
   * @return how many: a block's worth but for the last; 0 at the end
   */
  int next(int[] lengths) throws IOException;
}
