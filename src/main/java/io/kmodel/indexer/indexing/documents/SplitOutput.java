package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.index.model.ColumnValues;
import io.kmodel.indexer.run.OrderedRun;
import java.io.IOException;

/**
 * Takes the documents of a split: the stored texts immediately, the postings run by run. In this
 * order:
 *
 * <pre>{@code
 * ((startDocument value* [values] finishDocument)*  wants [endRun])*  finish
 * }</pre>
 *
 * Each run has the documents since the previous one. Its postings may come later, even after the
 * split is finished and closed. Closing without {@code finish} drops what is incomplete. Used by
 * one thread at a time, which also delivers the postings.
 */
public interface SplitOutput extends AutoCloseable {
  /**
   * Starts a document of the current run.
   *
   * @param unit the unit of the source that it comes from
   */
  void startDocument(long unit) throws IOException;

  /** Adds the text of a stored field, in UTF-8; fields come in order of their ordinals. */
  void value(int field, byte[] utf8, int offset, int length) throws IOException;

  /** Adds the values of the document in all columns, if the schema has any. */
  void values(ColumnValues values) throws IOException;

  void finishDocument() throws IOException;

  /** Takes the postings of a run, once; closing it without them drops the run. */
  interface Run extends AutoCloseable {
    /** Takes the postings; its memory can be reused on return. */
    void postings(OrderedRun sorted) throws IOException;

    @Override
    void close() throws IOException;
  }

  /**
   * Whether the postings of the documents since the last run are wanted; asked before they are
   * sorted. If not, the run is dropped, and the documents count as part of the next one. True
   * except in a build that only tokenizes.
   */
  default boolean wants(OrderedRun run) {
    return true;
  }

  /** Ends a run, which has the documents since the last one. */
  Run endRun() throws IOException;

  /** Completes the split. */
  void finish() throws IOException;

  @Override
  void close() throws IOException;
}
