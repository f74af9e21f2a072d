package io.kmodel.indexer.indexing.merge;

import io.kmodel.indexer.index.model.PostingsCursor;
import java.util.Arrays;

/**
 * Postings of one term on the heap: documents in any order, with frequencies and positions. After
 * {@link #sort} they are read in the order of documents.
 *
 * <p>Memory: up to {@value #DOCUMENT_BYTES} bytes per document and 8 per position, or 24 with
 * offsets, since arrays grow by half. Not thread-safe.
 */
final class ListChunk {
  /** Key, document, frequency and start of the positions, with room to grow. */
  private static final int DOCUMENT_BYTES = 32;

  private static final int FIRST = 1 << 10;

  /** Values per position: one, or three with offsets. */
  private int columns = 1;

  private boolean hasPositions;
  private int[] docs = new int[FIRST];
  private int[] freqs = new int[FIRST];
  private int[] starts = new int[FIRST];

  /** The position values of each document, with those of a position beside each other. */
  private int[] values = new int[FIRST];

  private int count;
  private int end;

  /** Document and index, in order. */
  private long[] keys = new long[FIRST];

  /** The next document to read. */
  private int next;

  /** Documents read last, whose positions were not all read. */
  private int reading;

  /** Values of the first of these that were read. */
  private int read;

  /** Empties the chunk for a term. */
  void start(boolean positions, boolean offsets) {
    hasPositions = positions;
    columns = offsets ? 3 : 1;
    clear();
  }

  /** Empties the chunk for other documents of the term. */
  void clear() {
    count = 0;
    end = 0;
    next = 0;
    reading = 0;
    read = 0;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Heap that the postings take. */
  long bytes() {
    return (long) DOCUMENT_BYTES * count + 2L * Integer.BYTES * end;
  }

  /** Frees arrays that are much larger than usual. */
  void shrink(long most) {
    if ((long) DOCUMENT_BYTES * docs.length + 2L * Integer.BYTES * values.length > 2 * most) {
      docs = new int[FIRST];
      freqs = new int[FIRST];
      starts = new int[FIRST];
      values = new int[FIRST];
      keys = new long[FIRST];
    }
  }

  /** Adds a document; its positions follow, {@code freq} of them, if the field has any. */
  void add(int doc, int freq) {
    if (count == docs.length) {
      int more = count + count / 2;
      docs = Arrays.copyOf(docs, more);
      freqs = Arrays.copyOf(freqs, more);
      starts = Arrays.copyOf(starts, more);
    }
    docs[count] = doc;
    freqs[count] = freq;
    starts[count] = end;
    count++;
  }

  /**
   * Adds positions of the last document.
   *
   * @param deltas as {@link PostingsCursor#nextPositions} returns them
   */
  void addPositions(int[] deltas, int from, int n) {
    long needed = (long) end + (long) columns * n;
    if (needed > values.length) {
      values =
          Arrays.copyOf(
              values, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(needed, needed * 3 / 2)));
    }
    if (columns == 1) {
      System.arraycopy(deltas, from, values, end, n);
      end += n;
      return;
    }
    for (int i = from; i < from + n; i++) {
      values[end++] = deltas[i];
      values[end++] = deltas[PostingsCursor.STARTS + i];
      values[end++] = deltas[PostingsCursor.LENGTHS + i];
    }
  }

  /** Adds one value of a position of the last document. */
  void addValue(int value) {
    if (end == values.length) {
      values = Arrays.copyOf(values, Math.toIntExact(end + end / 2L));
    }
    values[end++] = value;
  }

  /** Puts the documents in order. */
  void sort() {
    if (keys.length < count) {
      keys = new long[docs.length];
    }
    boolean isSorted = true;
    for (int i = 0; i < count; i++) {
      keys[i] = (long) docs[i] << Integer.SIZE | i;
      isSorted &= i == 0 || docs[i] > docs[i - 1];
    }
    if (!isSorted) {
      Arrays.sort(keys, 0, count);
    }
  }

  /** Number of documents. */
  int count() {
    return count;
  }

  /** The index of the document at a place in the order. */
  private int index(int place) {
    return (int) keys[place];
  }

  int doc(int place) {
    return docs[index(place)];
  }

  int freq(int place) {
    return freqs[index(place)];
  }

  /** Number of position values of a document. */
  int valueCount(int place) {
    return hasPositions ? columns * freq(place) : 0;
  }

  int value(int place, int i) {
    return values[starts[index(place)] + i];
  }

  /** The next documents in order, like {@link PostingsCursor#nextDocs}. */
  int nextDocs(int[] to, int[] freqsTo) {
    int n = Math.min(PostingsCursor.BLOCK, count - next);
    for (int i = 0; i < n; i++) {
      int at = index(next + i);
      to[i] = docs[at];
      freqsTo[i] = freqs[at];
    }
    reading = next;
    read = 0;
    next += n;
    return n;
  }

  /** Their positions, like {@link PostingsCursor#nextPositions}. */
  int nextPositions(int[] deltas) {
    int n = 0;
    while (hasPositions && n < PostingsCursor.BLOCK && reading < next) {
      int at = index(reading);
      int take = Math.min(PostingsCursor.BLOCK - n, freqs[at] - read);
      copy(starts[at] + columns * read, deltas, n, take);
      n += take;
      read += take;
      if (read == freqs[at]) {
        reading++;
        read = 0;
      }
    }
    return n;
  }

  private void copy(int from, int[] deltas, int to, int n) {
    if (columns == 1) {
      System.arraycopy(values, from, deltas, to, n);
      return;
    }
    int at = from;
    for (int i = to; i < to + n; i++) {
      deltas[i] = values[at++];
      deltas[PostingsCursor.STARTS + i] = values[at++];
      deltas[PostingsCursor.LENGTHS + i] = values[at++];
    }
  }
}
