package io.kmodel.indexer.index.model;

import java.io.IOException;

/**
 * The stream of postings that a run, a merge and an index all produce: terms in byte order of their
 * term keys (see {@link Schema}), each with its postings list in chunks.
 *
 * <pre>{@code
 * while (cursor.nextTerm()) {
 *   for (int n; (n = cursor.nextDocs(docs, freqs)) > 0; ) {
 *     for (int m; (m = cursor.nextPositions(deltas)) > 0; ) { … }   // only with positions
 *   }
 * }
 * }</pre>
 *
 * The positions returned between two calls of {@code nextDocs} belong to the documents of the first
 * call and number sum(freqs): per document the first position, then the gaps. For a field with
 * offsets, the array has two further columns. {@code deltas[i]} is the gap of a position, {@code
 * deltas[STARTS + i]} the gap of its start, counted the same way, and {@code deltas[LENGTHS + i]}
 * the distance from its start to its end. A caller may stop reading at any point; the next call one
 * level up skips the rest. Forward only. Not thread-safe.
 */
public interface PostingsCursor extends AutoCloseable {
  /** Documents per call of {@link #nextDocs}, and the block size of every postings format. */
  int BLOCK = 256;

  /** Index at which the gaps of starts begin in an array of {@link #COLUMNS}. */
  int STARTS = BLOCK;

  /** Index at which the lengths begin. */
  int LENGTHS = 2 * BLOCK;

  /** Length of an array that holds positions and offsets. */
  int COLUMNS = 3 * BLOCK;

  /** Moves to the next term; returns false if there is none. */
  boolean nextTerm() throws IOException;

  /** The term key, in the first {@link #termLength()} bytes; valid until {@link #nextTerm}. */
  byte[] term();

  int termLength();

  int docFreq();

  /** Occurrences in all documents; equals docFreq for a field without frequencies. */
  long totalTermFreq();

  /**
   * Returns the next documents of this term, ascending, with their frequencies (all 1 if the field
   * records none).
   *
   * @param docs at least {@link #BLOCK} long, like freqs
   * @return the number of documents, 0 at the end of the list
   */
  int nextDocs(int[] docs, int[] freqs) throws IOException;

  /**
   * Returns further positions of the documents of the last {@link #nextDocs}.
   *
   * @param deltas at least {@link #BLOCK} long, or {@link #COLUMNS} for a field with offsets
   * @return the number of positions; 0 at the end, and always for a field without positions
   */
  int nextPositions(int[] deltas) throws IOException;

  @Override
  void close() throws IOException;
}
