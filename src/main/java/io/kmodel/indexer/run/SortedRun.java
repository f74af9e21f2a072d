package io.kmodel.indexer.run;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.PostingsCursor;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A run as a merge sees it, wherever it lies: in a file ({@link RunReader}) or in memory ({@link
 * MemoryRun}). Safe for many threads, each with cursors of its own.
 */
public interface SortedRun {
  int documentCount();

  /** Bytes of all lists: in a file, or what they would about take in one. */
  long listBytes();

  /**
   * The sparse index, ascending: where the lists can be cut into ranges of known size. Its first
   * entry has an empty key and no bytes before it; the others are 64 KiB and more of {@link
   * #listBytes} apart in a file. In memory it is 16 KiB, and a list of as much has an entry of its
   * own.
   */
  ImmutableList<TermSample> samples();

  /**
   * The postings of the term keys in [from, to), docIDs counted from the run's first document.
   *
   * @param from null for the first
   * @param to null for the end
   * @param bufferBytes memory for reading, where any is needed: less where the range is less; at
   *     least 4 KiB
   */
  PostingsCursor cursor(byte @Nullable [] from, byte @Nullable [] to, int bufferBytes)
      throws IOException;

  /** The lengths of all documents in a tokenized field. */
  LengthsReader lengths(int field) throws IOException;
}
