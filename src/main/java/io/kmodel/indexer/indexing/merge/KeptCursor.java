package io.kmodel.indexer.indexing.merge;

import io.kmodel.indexer.index.documents.KeptDocuments;
import io.kmodel.indexer.index.model.PostingsCursor;
import java.io.IOException;

/**
 * Leaves documents out of the lists of an index, and numbers those that stay. Terms that only
 * documents left out have are passed over. Memory: four blocks. Not thread-safe.
 */
final class KeptCursor implements PostingsCursor {
  private final PostingsCursor all;
  private final KeptDocuments kept;

  /** The last block of documents, all of them, in order. */
  private final int[] docs = new int[BLOCK];

  private final int[] freqs = new int[BLOCK];
  private int count;

  /** Whether the block was read to see if the term stays, and not yet returned. */
  private boolean isAhead;

  /** Index in the block of the document with the next position, and its positions left. */
  private int doc;

  private int left;
  private final int[] chunk = new int[COLUMNS];

  KeptCursor(PostingsCursor all, KeptDocuments kept) {
    this.all = all;
    this.kept = kept;
  }

  @Override
  public boolean nextTerm() throws IOException {
    while (all.nextTerm()) {
      if (readBlock()) {
        isAhead = true;
        return true;
      }
    }
    isAhead = false;
    count = 0;
    return false;
  }

  /** Reads blocks up to one with a document that stays. */
  private boolean readBlock() throws IOException {
    for (count = all.nextDocs(docs, freqs); count > 0; count = all.nextDocs(docs, freqs)) {
      doc = 0;
      left = freqs[0];
      for (int i = 0; i < count; i++) {
        if (kept.isKept(docs[i])) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public byte[] term() {
    return all.term();
  }

  @Override
  public int termLength() {
    return all.termLength();
  }

  /** Not known before the list is read. */
  @Override
  public int docFreq() {
    throw new UnsupportedOperationException();
  }

  /** Not known before the list is read. */
  @Override
  public long totalTermFreq() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int nextDocs(int[] toDocs, int[] toFreqs) throws IOException {
    if (!isAhead && !readBlock()) {
      return 0;
    }
    isAhead = false;
    int staying = 0;
    for (int i = 0; i < count; i++) {
      if (kept.isKept(docs[i])) {
        toDocs[staying] = kept.number(docs[i]);
        toFreqs[staying++] = freqs[i];
      }
    }
    return staying;
  }

  @Override
  public int nextPositions(int[] deltas) throws IOException {
    int columns = deltas.length < COLUMNS ? 1 : COLUMNS / BLOCK;
    for (int n = all.nextPositions(chunk); n > 0; n = all.nextPositions(chunk)) {
      int staying = 0;
      for (int from = 0; from < n; ) {
        if (left == 0) {
          left = freqs[++doc];
        }
        int of = Math.min(left, n - from);
        if (kept.isKept(docs[doc])) {
          for (int column = 0; column < columns; column++) {
            System.arraycopy(chunk, column * BLOCK + from, deltas, column * BLOCK + staying, of);
          }
          staying += of;
        }
        from += of;
        left -= of;
      }
      if (staying > 0) {
        return staying;
      }
    }
    return 0;
  }

  @Override
  public void close() throws IOException {
    all.close();
  }
}
