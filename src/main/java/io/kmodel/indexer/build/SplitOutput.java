package io.kmodel.indexer.build;

import io.kmodel.indexer.run.RunBuilder;
import java.io.IOException;

/**
 * Takes the documents of a split: the texts to be stored as they come, the postings run by run. In
 * this order:
 *
 * <pre>{@code
 * ((startDocument value* finishDocument)*  run)*  finish
 * }</pre>
 *
 * Each run has the documents since the last one. Closing without {@code finish} drops what is not
 * complete. Not thread-safe.
 */
interface SplitOutput extends AutoCloseable {
  /**
   * Starts a document of the run at hand.
   *
   * @param unit the source's unit that it comes from
   */
  void startDocument(long unit) throws IOException;

  /** The text of a stored field of the document, in UTF-8; in order of the fields' ordinals. */
  void value(int field, byte[] utf8, int offset, int length) throws IOException;

  void finishDocument() throws IOException;

  /** Takes over the postings of a run, sorted; the builder is free again on return. */
  void run(RunBuilder sorted) throws IOException;

  /** Completes the split. */
  void finish() throws IOException;

  @Override
  void close() throws IOException;
}
