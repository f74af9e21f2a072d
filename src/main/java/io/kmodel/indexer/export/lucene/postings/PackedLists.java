package io.kmodel.indexer.export.lucene.postings;

import java.io.IOException;
import org.apache.lucene.store.DataOutput;

/**
 * Terms in order with lists that are already encoded as {@link PostingsEncoder} does it, with
 * positions and without offsets. The lists of all terms follow each other without gaps. Not
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

  /** Where the term's documents start, in bytes from the start of {@link #writeDocs}. */
  long docsStart();

  /** Where the term's positions start, in bytes from the start of {@link #writePositions}. */
  long positionsStart();

  /**
   * Where its last, incomplete block of positions starts, from its first; -1 if it is the first.
   */
  long lastPositionsBlock();

  /** The document of a term that has only one; -1 otherwise. */
  int onlyDocument();

  /** Writes the documents of all terms. */
  void writeDocs(DataOutput out) throws IOException;

  /** Writes the positions of all terms. */
  void writePositions(DataOutput out) throws IOException;

  /** Maxima of all lists; see {@link PostingsOutputs#MAXIMA}. */
  int[] maxima();
}
