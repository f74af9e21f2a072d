package io.kmodel.indexer.export.lucene.postings;

import java.io.IOException;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;

/**
 * The terms of a segment in ascending order, with their postings. All methods are for the thread
 * that writes the segment.
 */
public interface SegmentTerms extends AutoCloseable {
  /** Moves to the next term; false at the end. */
  boolean nextTerm() throws IOException;

  /** The term key, in its first {@link #termLength} bytes; valid until {@link #nextTerm}. */
  byte[] term();

  int termLength();

  /** Writes the postings of the current term, at most once. */
  IntBlockTermState write(TermWriter writer, PostingsOutputs outputs) throws IOException;

  /**
   * Combines a writer's maxima with those of lists that were encoded elsewhere; see {@link
   * PostingsOutputs#MAXIMA}.
   */
  int[] raiseMaxima(int[] maxima);

  @Override
  void close() throws IOException;
}
