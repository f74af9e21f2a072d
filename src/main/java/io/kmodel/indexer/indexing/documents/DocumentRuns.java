package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.run.Outcome;
import java.io.IOException;

/**
 * The runs of one thread, one of which takes documents. An implementation decides where its lists
 * are put in order. Not thread-safe.
 */
interface DocumentRuns extends AutoCloseable {
  /** Analyzes a document and adds it to the current run. */
  Outcome add(ParsedDocument document) throws MalformedDocumentException;

  /** Documents in the current run. */
  int documentCount();

  /** Removes them. */
  void clear();

  /**
   * Puts the current run in order, or drops it if the output does not want it, and continues with
   * an empty one. The output may get the postings later: when the next run is sealed, or from
   * {@link #finish}.
   */
  void seal(SplitOutput output) throws IOException, InterruptedException;

  /** Passes on runs whose postings the output has not got yet. */
  void finish() throws IOException, InterruptedException;

  /**
   * Gives the current run, which must be empty, all memory of the thread.
   *
   * @return whether that is more than it had
   */
  boolean grow() throws IOException, InterruptedException;

  /** About the memory that the last document needed if it was too large. */
  long neededBytes();

  /** Whether the current run has all memory, for a large document. */
  boolean hasGrown();

  /** Undoes {@link #grow}; the current run must be empty. */
  void shrink() throws IOException;

  @Override
  void close() throws IOException;
}
