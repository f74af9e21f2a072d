package io.kmodel.indexer.export.lucene.postings;

import java.io.IOException;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;

/** The terms of a segment in order, and their postings. For the thread that writes them. */
public interface SegmentTerms extends AutoCloseable {
  /** Moves to the next term; false at the end. */
  boolean nextTerm() throws IOException;

  /** The term key, in its first {@link #termLength} bytes; valid until {@link #nextTerm}. */
  byte[] term();

  int termLength();

  /** Writes the postings of the current term, at most once. */
  IntBlockTermState write(TermWriter writer, PostingsOutputs outputs) throws IOException;

  /**
   * Raises the maxima of a writer, see {@link PostingsOutputs#MAXIMA}, to those of lists that were
   * encoded elsewhere.
   */
  int[] raiseMaxima(int[] maxima);

  @Override
  void close() throws IOException;
}
