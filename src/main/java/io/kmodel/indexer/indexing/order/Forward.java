package io.kmodel.indexer.indexing.order;

import java.io.IOException;

/** The terms of documents, by document: the transposed lists. Thread-safe; readers are not. */
interface Forward {
  /** TermIDs are below this. */
  int terms();

  /** A reader for one thread. */
  Reader reader() throws IOException;

  /** Reads the termIDs of a document: {@code terms[from]} to {@code terms[to - 1]}, ascending. */
  abstract class Reader {
    int[] terms = {};
    int from;
    int to;

    /** Moves to a document. */
    abstract void load(int doc) throws IOException;
  }
}
