package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.index.model.PostingsCursor;
import java.io.IOException;

/**
 * Postings cut into consecutive ranges of terms, which can be read concurrently, each once.
 * Thread-safe; a cursor is for one thread.
 */
public interface PostingsRanges {
  int count();

  /** Approximate size of a range's postings and terms, used to distribute work and memory. */
  long bytes(int range);

  /** The postings of a range's terms. */
  PostingsCursor open(int range) throws IOException;

  /** A single range with all postings, for one thread. */
  static PostingsRanges single(PostingsCursor all) {
    return new PostingsRanges() {
      @Override
      public int count() {
        return 1;
      }

      @Override
      public long bytes(int range) {
        return Long.MAX_VALUE;
      }

      @Override
      public PostingsCursor open(int range) {
        return all;
      }
    };
  }
}
