package io.kmodel.indexer.run;

import io.kmodel.indexer.index.model.PostingsCursor;
import java.io.IOException;

/**
 * Reads the lengths, in tokens, of a run's documents in one field, in document order, a block at a
 * time. Not thread-safe.
 */
public interface LengthsReader {
  /**
   * The lengths of the next documents.
   *
   * @param lengths at least {@link PostingsCursor#BLOCK} long
   * @return their number: {@link PostingsCursor#BLOCK}, fewer in the last block, 0 at the end
   */
  int next(int[] lengths) throws IOException;
}
