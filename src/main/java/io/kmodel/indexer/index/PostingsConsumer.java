package io.kmodel.indexer.index;

import java.io.IOException;

/**
 * What takes postings as they come in term order: a run file, an index, another engine's writer.
 * Call order: {@code (startTerm (docs positions*)* finishTerm)*}. Terms ascend strictly in byte
 * order of their term keys, documents ascend strictly within a term; an implementation checks the
 * first and may trust the second.
 */
public interface PostingsConsumer {
  /** Starts a term, given its term key (see {@link Schema}). */
  void startTerm(byte[] term, int length) throws IOException;

  /**
   * Adds documents to the current term.
   *
   * @param freqs one frequency per document; ignored for a field without
   * @param count 1 to {@link PostingsCursor#BLOCK}
   */
  void docs(int[] docs, int[] freqs, int count) throws IOException;

  /**
   * Adds positions of the documents of the last call of {@link #docs}: per document the first
   * position, then the gaps; for a field with offsets in three columns, as {@link PostingsCursor}
   * has them. All of them before the next call of {@link #docs} or {@link #finishTerm}; never
   * called for a field without positions.
   *
   * @param count 1 to {@link PostingsCursor#BLOCK}
   */
  void positions(int[] deltas, int count) throws IOException;

  void finishTerm() throws IOException;
}
