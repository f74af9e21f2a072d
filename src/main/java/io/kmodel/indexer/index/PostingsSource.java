package io.kmodel.indexer.index;

import java.io.IOException;

/**
 * A cursor that can also hand out a whole list by itself, posting by posting, for consumers that
 * take one at a time: there are no blocks in between to be filled and emptied.
 */
public interface PostingsSource extends PostingsCursor {
  /** Takes one list. */
  interface Sink {
    /** The next document; then its positions, if the field has them, and {@link #endDocument}. */
    void document(int docId, int freq) throws IOException;

    void position(int position) throws IOException;

    /** Instead of {@link #position}, where the field has offsets. */
    void occurrence(int position, int start, int end) throws IOException;

    void endDocument() throws IOException;
  }

  /**
   * Hands out the current term's list, of which nothing was asked for before.
   *
   * @param docBase added to each docID
   */
  void push(Sink sink, int docBase) throws IOException;
}
