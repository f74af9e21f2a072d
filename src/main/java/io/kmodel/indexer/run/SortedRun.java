package io.kmodel.indexer.run;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.PostingsCursor;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A run as a merge sees it, either in a file ({@link RunReader}) or in memory ({@link MemoryRun}).
 * Safe for many threads, each with its own cursors.
 */
public interface SortedRun {
  int documentCount();

  /** Bytes of all lists in a file; for a run in memory an estimate of that. */
  long listBytes();

  /**
   * The sparse index, ascending: where the lists can be cut into ranges of known size. The first
   * entry has an empty key and no bytes before it. Entries are at least 64 KiB of {@link
   * #listBytes} apart in a file, and 16 KiB in memory, where every list of that size also has an
   * entry.
   */
  ImmutableList<TermSample> samples();

  /**
   * The postings of the term keys in [from, to). DocIDs are relative to the run's first document.
   *
   * @param from null for the first key
   * @param to null for the end
   * @param bufferBytes memory for reading, if any is needed: at least 4 KiB, and no more than the
   *     range
   */
  PostingsCursor cursor(byte @Nullable [] from, byte @Nullable [] to, int bufferBytes)
      throws IOException;

  /** The lengths of all documents in a tokenized field. */
  LengthsReader lengths(int field) throws IOException;
}
