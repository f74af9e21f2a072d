package io.kmodel.indexer.run;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.memory.OffHeap;
import java.util.Arrays;

/**
 * Reads ordered keys outside the heap as postings, in place: the keys of a term are one list, in
 * order of documents and positions. In a field with weights every document has one key. Subclasses
 * find the next term and its keys. Memory: a buffer for the longest term. Not thread-safe.
 */
public abstract class KeyLists implements PostingsCursor {
  final Schema schema;
  final KeyLayout layout;

  /** Bytes from one key to the next. */
  final int keyBytes;

  private byte[] termKey = new byte[64];
  private int termLength;
  private boolean frequencies;
  private boolean impacts;

  /** Whether the current term has positions. */
  private boolean positions;

  /** Address of the current list, and its number of keys. */
  private long list;

  private int keys;

  /** Index of the first key whose document has not been returned. */
  private int next;

  /** Index of the next position's key, and the end of the keys of the current documents. */
  private int nextPosition;

  private int positionsEnd;

  /** The previous position and its document, from which the next position's gap counts. */
  private int positionDoc;

  private int previousPosition;

  /**
   * Of a run.
   *
   * @param keyBytes bytes from one key to the next. 8 bytes are read per key; those beyond {@code
   *     keyBytes}, and the bits above the document, are ignored
   */
  protected KeyLists(Schema schema, KeyLayout layout, int keyBytes) {
    this.schema = schema;
    this.layout = layout;
    this.keyBytes = keyBytes;
  }

  /** A key of the current list. */
  final long key(int index) {
    return OffHeap.getLong(list + (long) keyBytes * index);
  }

  /** Returns the buffer for the next term key, with room for 8 bytes more. */
  protected final byte[] startTerm(int length) {
    if (length > termKey.length - Long.BYTES) {
      termKey = new byte[Math.max(length + Long.BYTES, 2 * termKey.length)];
    }
    termLength = length;
    return termKey;
  }

  /** Sets the list of the term in the buffer: {@code count} keys at an address. */
  protected final void startList(long address, int count) {
    Detail detail = schema.field(termKey[0] & 0xFF).detail();
    frequencies = detail.hasFrequencies();
    positions = detail.hasPositions();
    impacts = detail.hasImpacts();
    list = address;
    keys = count;
    next = 0;
    nextPosition = 0;
    positionsEnd = 0;
  }

  @Override
  public final byte[] term() {
    return termKey;
  }

  @Override
  public final int termLength() {
    return termLength;
  }

  /** Keys of the current term. */
  final int keyCount() {
    return keys;
  }

  /** Counts the documents in one pass over the list, unless each has one key. */
  @Override
  public int docFreq() {
    if (impacts) {
      return keys;
    }
    int docFreq = 0;
    int doc = -1;
    for (int at = 0; at < keys; at++) {
      int other = layout.doc(key(at));
      docFreq += other == doc ? 0 : 1;
      doc = other;
    }
    return docFreq;
  }

  @Override
  public final long totalTermFreq() {
    if (impacts) {
      long total = 0;
      for (int at = 0; at < keys; at++) {
        total += layout.position(key(at));
      }
      return total;
    }
    return frequencies ? keys : docFreq();
  }

  @Override
  public int nextDocs(int[] docs, int[] freqs) {
    if (impacts) {
      return nextWeights(docs, freqs);
    }
    int first = next;
    int n = 0;
    int doc = -1;
    int at = first;
    // The end of a document is hard to predict, so there is no branch on it. Each key is written as
    // if it were its document's last, and the number of documents grows by the sign of a
    // difference: documents ascend from 0, after -1. A pass reads at most as many keys as there is
    // room for documents. This takes two thirds of the time of a branch.
    while (at < keys && n < BLOCK) {
      int end = at + Math.min(keys - at, BLOCK - n);
      long address = list + (long) keyBytes * at;
      for (; at < end; at++, address += keyBytes) {
        int other = layout.doc(OffHeap.getLong(address));
        n += (doc - other) >>> (Integer.SIZE - 1);
        docs[n - 1] = other;
        freqs[n - 1] = at;
        doc = other;
      }
    }
    while (at < keys && layout.doc(key(at)) == doc) {
      freqs[n - 1] = at++;
    }
    countKeys(freqs, n, first);
    nextPosition = first;
    positionDoc = -1;
    next = at;
    positionsEnd = at;
    return n;
  }

  private int nextWeights(int[] docs, int[] weights) {
    int n = Math.min(keys - next, BLOCK);
    long address = list + (long) keyBytes * next;
    for (int i = 0; i < n; i++, address += keyBytes) {
      long key = OffHeap.getLong(address);
      docs[i] = layout.doc(key);
      weights[i] = layout.position(key);
    }
    next += n;
    return n;
  }

  /** Replaces the index of each document's last key by its number of keys. */
  private void countKeys(int[] freqs, int n, int first) {
    if (frequencies) {
      int previous = first - 1;
      for (int i = 0; i < n; i++) {
        int last = freqs[i];
        freqs[i] = last - previous;
        previous = last;
      }
    } else {
      Arrays.fill(freqs, 0, n, 1);
    }
  }

  @Override
  public final int nextPositions(int[] deltas) {
    if (!positions) {
      return 0;
    }
    // One bound, that of the array: with a second condition in the loop, C2 hoists a check that
    // fails for every long list, and recompiles the method hundreds of times in a build.
    int n = Math.min(positionsEnd - nextPosition, BLOCK);
    decodePositions(deltas, nextPosition, n);
    nextPosition += n;
    return n;
  }

  /** Decodes the positions of {@code n} keys, which follow those of the previous call. */
  void decodePositions(int[] deltas, int from, int n) {
    int doc = positionDoc;
    int previous = previousPosition;
    for (int i = 0; i < n; i++) {
      long key = key(from + i);
      int other = layout.doc(key);
      // All ones if the document differs from the previous one, else zero; without a branch.
      int isNew = (doc - other) >> (Integer.SIZE - 1);
      int position = layout.position(key);
      deltas[i] = position - (previous & ~isNew);
      previous = position;
      doc = other;
    }
    positionDoc = doc;
    previousPosition = previous;
  }

  /** Does nothing: the memory belongs to the run. */
  @Override
  public final void close() {}
}
