package io.kmodel.indexer.export.lucene.postings;

import java.io.IOException;
import org.apache.lucene.store.DataOutput;

/**
 * Terms in ascending order whose lists are already encoded, byte for byte as by {@link
 * PostingsEncoder}, with positions and without offsets. The lists of all terms are contiguous. Not
 * thread-safe.
 */
public interface PackedLists {
  /** Moves to the next term; false at the end. */
  boolean nextTerm();

  /** The term key, in its first {@link #termLength} bytes; valid until {@link #nextTerm}. */
  byte[] term();

  int termLength();

  int docFreq();

  long totalTermFreq();

  /** Offset of the term's documents in the bytes that {@link #writeDocs} writes. */
  long docsStart();

  /** Offset of the term's positions in the bytes that {@link #writePositions} writes. */
  long positionsStart();

  /**
   * Offset of the term's last, incomplete block of positions from {@link #positionsStart}; -1 if
   * there is no block before it.
   */
  long lastPositionsBlock();

  /** The document of a term with only one; -1 for other terms. */
  int onlyDocument();

  /** Writes the documents of all terms. */
  void writeDocs(DataOutput out) throws IOException;

  /** Writes the positions of all terms. */
  void writePositions(DataOutput out) throws IOException;

  /** Maxima of all lists; see {@link PostingsOutputs#MAXIMA}. */
  int[] maxima();
}
