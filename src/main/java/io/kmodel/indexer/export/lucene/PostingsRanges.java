package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.PostingsCursor;
import java.io.IOException;

/**
 * Postings cut into ranges of terms, in order, which can be read side by side, each once. Safe for
 * many threads; a cursor is for one.
 */
public interface PostingsRanges {
  int count();

  /** About what a range's postings and terms take, by which work and memory are shared out. */
  long bytes(int range);

  /** The postings of a range's terms. */
  PostingsCursor open(int range) throws IOException;

  /** All in one, for one thread. */
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
