package io.kmodel.indexer.index.model;

import java.io.IOException;

/**
 * Receives postings in term order: a run file, an index, or another engine's writer. Call order:
 * {@code (startTerm (docs positions*)* finishTerm)*}. Terms ascend strictly in byte order of their
 * term keys, and documents ascend strictly within a term. An implementation checks the order of
 * terms and may trust the order of documents.
 */
public interface PostingsConsumer {
  /** Starts a term, given its term key (see {@link Schema}). */
  void startTerm(byte[] term, int length) throws IOException;

  /**
   * Adds documents to the current term.
   *
   * @param freqs one frequency per document; ignored for a field without frequencies
   * @param count 1 to {@link PostingsCursor#BLOCK}
   */
  void docs(int[] docs, int[] freqs, int count) throws IOException;

  /**
   * Adds positions of the documents in the last call of {@link #docs}: per document the first
   * position, then the gaps. For a field with offsets there are three columns, as in {@link
   * PostingsCursor}. All positions must be added before the next call of {@link #docs} or {@link
   * #finishTerm}. Never called for a field without positions.
   *
   * @param count 1 to {@link PostingsCursor#BLOCK}
   */
  void positions(int[] deltas, int count) throws IOException;

  void finishTerm() throws IOException;
}
