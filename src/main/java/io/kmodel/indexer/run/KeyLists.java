package io.kmodel.indexer.run;

import io.kmodel.indexer.index.Detail;
import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.memory.OffHeap;
import java.util.Arrays;

/**
 * Sorted keys read as postings where they lie: those of a term are one list, in order of documents
 * and positions, outside the heap. Whoever extends it says which term is next, and where its keys
 * are. Memory: a buffer for the longest term. Not thread-safe.
 */
abstract class KeyLists implements PostingsCursor {
  final Schema schema;
  final KeyLayout layout;

  /** From a key to the next. */
  final int keyBytes;

  private byte[] termKey = new byte[64];
  private int termLength;
  private boolean frequencies;

  /** Whether the current term has positions. */
  private boolean positions;

  /** Address of the current list, and its keys. */
  private long list;

  private int keys;

  /** The first key whose document was not handed out. */
  private int next;

  /** The key of the next position to be handed out, and the end of those of its documents. */
  private int nextPosition;

  private int positionsEnd;

  /** What the next position's gap counts from. */
  private int positionDoc;

  private int previousPosition;

  /**
   * Of a run.
   *
   * @param keyBytes from a key to the next; of the 8 bytes that are read, those that are not its
   *     own and what the layout has above the document may be anything
   */
  KeyLists(Schema schema, KeyLayout layout, int keyBytes) {
    this.schema = schema;
    this.layout = layout;
    this.keyBytes = keyBytes;
  }

  /** A key of the current list. */
  final long key(int index) {
    return OffHeap.getLong(list + (long) keyBytes * index);
  }

  /** Where to put the next term key, of so many bytes; there is room for 8 more. */
  final byte[] startTerm(int length) {
    if (length > termKey.length - Long.BYTES) {
      termKey = new byte[Math.max(length + Long.BYTES, 2 * termKey.length)];
    }
    termLength = length;
    return termKey;
  }

  /** After {@link #startTerm}: the term has so many keys, from an address on. */
  final void startList(long address, int count) {
    Detail detail = schema.field(termKey[0] & 0xFF).detail();
    frequencies = detail.hasFrequencies();
    positions = detail.hasPositions();
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

  /** Counted by going through the list. */
  @Override
  public int docFreq() {
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
    return frequencies ? keys : docFreq();
  }

  @Override
  public int nextDocs(int[] docs, int[] freqs) {
    int first = next;
    int n = 0;
    int doc = -1;
    int at = first;
    // Where a document ends is hard to predict, so nothing branches on it: each key is written as
    // if it was its document's last, and the number of documents grows by a sign: documents ascend
    // from 0, and there is -1 before the first. A pass takes no more keys than there is room for
    // documents. It takes two thirds of the time of a branch (docs/performance.md).
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

  /** Puts the numbers of the documents' keys in the place of their last ones. */
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
    // fails for every long list, and compiles the method anew, hundreds of times in a build.
    int n = Math.min(positionsEnd - nextPosition, BLOCK);
    decodePositions(deltas, nextPosition, n);
    nextPosition += n;
    return n;
  }

  /** Decodes the positions of so many keys from one on, which follow those of the call before. */
  void decodePositions(int[] deltas, int from, int n) {
    int doc = positionDoc;
    int previous = previousPosition;
    for (int i = 0; i < n; i++) {
      long key = key(from + i);
      int other = layout.doc(key);
      // All ones where the document is another than before, else zero: no branch, as above.
      int isNew = (doc - other) >> (Integer.SIZE - 1);
      int position = layout.position(key);
      deltas[i] = position - (previous & ~isNew);
      previous = position;
      doc = other;
    }
    positionDoc = doc;
    previousPosition = previous;
  }

  /** Nothing: the memory is the run's. */
  @Override
  public final void close() {}
}
