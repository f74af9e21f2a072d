package io.kmodel.indexer.index;

import java.io.IOException;

/**
 * The one stream of postings that a run, a merge and an index yield: terms in byte order of their
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
 * The positions handed out between two calls of {@code nextDocs} are those of the documents of the
 * first call, sum(freqs) of them: per document the first position itself, then the gaps. With them
 * come the offsets of a field that has such, in columns of their own: {@code deltas[i]} is a
 * position's gap, {@code deltas[STARTS + i]} that of its start, counted likewise, {@code
 * deltas[LENGTHS + i]} the distance from its start to its end. A caller may leave off at any point;
 * the next call of a level above skips the rest. Forward only. Not thread-safe.
 */
public interface PostingsCursor extends AutoCloseable {
  /** What {@link #nextDocs} is asked for at a time, and the block size of every postings format. */
  int BLOCK = 256;

  /** Where the gaps of starts begin in an array of {@link #COLUMNS}. */
  int STARTS = BLOCK;

  /** Where the lengths begin. */
  int LENGTHS = 2 * BLOCK;

  /** How long an array is that takes positions and offsets. */
  int COLUMNS = 3 * BLOCK;

  /** Moves to the next term; false when there is none. */
  boolean nextTerm() throws IOException;

  /** The term key, in the first {@link #termLength()} bytes; valid until {@link #nextTerm}. */
  byte[] term();

  int termLength();

  int docFreq();

  /** Occurrences in all documents; equals docFreq for a field without frequencies. */
  long totalTermFreq();

  /**
   * Hands out the next documents of this term, ascending, with their frequencies (all 1 where the
   * field records none).
   *
   * @param docs at least {@link #BLOCK} long; so is freqs
   * @return how many, 0 at the end of the list
   */
  int nextDocs(int[] docs, int[] freqs) throws IOException;

  /**
   * Hands out further positions of the documents of the last {@link #nextDocs}.
   *
   * @param deltas at least {@link #BLOCK} long, for a field with offsets {@link #COLUMNS}
   * @return how many, 0 when all were handed out, and always for a field without positions
   */
  int nextPositions(int[] deltas) throws IOException;

  @Override
  void close() throws IOException;
}
