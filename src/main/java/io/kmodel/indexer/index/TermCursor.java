package io.kmodel.indexer.index;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.postings.PostingList;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Random access to the terms of one field of an index, in byte order. Initially unpositioned. Not
 * thread-safe.
 */
public interface TermCursor {
  /** The result of a seek. */
  enum Seek {
    FOUND,
    /** Positioned on the smallest term above the target. */
    NOT_FOUND,
    /** All terms of the field are smaller; unpositioned. */
    END
  }

  /** Moves to a term, given without its field's ordinal, or else to the next larger one. */
  Seek seek(byte[] term, int offset, int length) throws IOException;

  /** Moves to the next term (the first if unpositioned); returns false at the end of the field. */
  boolean next() throws IOException;

  /**
   * Moves to the term with the given number, counted from 0 in the order of the field's terms.
   * Returns false, and is unpositioned, if the field has fewer terms.
   */
  boolean seek(long ordinal) throws IOException;

  /** The number of the current term. */
  long ordinal();

  /** The term's bytes, without the field's ordinal, starting at index {@link #termOffset()}. */
  byte[] term();

  int termOffset();

  int termLength();

  /** The term as text. */
  default String text() {
    return new String(term(), termOffset(), termLength(), StandardCharsets.UTF_8);
  }

  /** Whether the term starts with these bytes. */
  default boolean startsWith(byte[] prefix) {
    int from = termOffset();
    return termLength() >= prefix.length
        && Arrays.equals(term(), from, from + prefix.length, prefix, 0, prefix.length);
  }

  int docFreq();

  long totalTermFreq();

  /**
   * The current term's postings.
   *
   * @param reuse a list returned earlier by this index and no longer in use, or null
   * @param wanted the detail that will be read; anything beyond is not decoded
   */
  PostingList postings(@Nullable PostingList reuse, Detail wanted) throws IOException;
}
