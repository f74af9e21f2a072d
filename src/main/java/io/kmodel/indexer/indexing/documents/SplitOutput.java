package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.indexing.TokenizeOnlyBuild;
import io.kmodel.indexer.run.RunBuilder;
import java.io.IOException;

/**
 * Takes the documents of a split: the texts to be stored as they come, the postings run by run. In
 * this order:
 *
 * <pre>{@code
 * ((startDocument value* finishDocument)*  wants [endRun])*  finish
 * }</pre>
 *
 * Each run has the documents since the last one; its postings may come later, even after the split
 * is finished and closed. Closing without {@code finish} drops what is not complete. One thread at
 * a time, which is also that of the postings.
 */
public interface SplitOutput extends AutoCloseable {
  /**
   * Starts a document of the run at hand.
   *
   * @param unit the source's unit that it comes from
   */
  void startDocument(long unit) throws IOException;

  /** The text of a stored field of the document, in UTF-8; in order of the fields' ordinals. */
  void value(int field, byte[] utf8, int offset, int length) throws IOException;

  void finishDocument() throws IOException;

  /** Takes the postings of a run, once; closing it without drops the run. */
  interface Run extends AutoCloseable {
    /** The builder is free again on return. */
    void postings(RunBuilder sorted) throws IOException;

    @Override
    void close() throws IOException;
  }

  /**
   * Whether the postings of the documents since the last run are wanted; asked before they are
   * sorted. If not, the run is forgotten, and what follows is the next one's. They are but in
   * {@link TokenizeOnlyBuild}.
   */
  default boolean wants(RunBuilder run) {
    return true;
  }

  /** The documents since the last run are a run. */
  Run endRun() throws IOException;

  /** Completes the split. */
  void finish() throws IOException;

  @Override
  void close() throws IOException;
}
