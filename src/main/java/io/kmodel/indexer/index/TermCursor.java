package io.kmodel.indexer.index;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Random access to the terms of one field of an index, in byte order. Unpositioned at first. Not
 * thread-safe.
 */
public interface TermCursor {
  /** Where a seek has ended. */
  enum Seek {
    FOUND,
    /** Positioned on the smallest term above the one asked for. */
    NOT_FOUND,
    /** No term of the field is as large; unpositioned. */
    END
  }

  /** Moves to a term, without its field's ordinal, or to the next larger one. */
  Seek seek(byte[] term, int offset, int length) throws IOException;

  /** Moves to the next term (the first, where unpositioned); false at the end of the field. */
  boolean next() throws IOException;

  /** The term's bytes, without the field's ordinal, from index {@link #termOffset()} on. */
  byte[] term();

  int termOffset();

  int termLength();

  int docFreq();

  long totalTermFreq();

  /**
   * The current term's postings.
   *
   * @param reuse a list that this index has handed out before and nobody reads any more
   * @param wanted what will be read of it; what is not wanted is not decoded
   */
  PostingList postings(@Nullable PostingList reuse, Detail wanted) throws IOException;
}
