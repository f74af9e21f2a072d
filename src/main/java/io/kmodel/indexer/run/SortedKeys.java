package io.kmodel.indexer.run;

import io.kmodel.indexer.index.Detail;
import io.kmodel.indexer.index.PostingsConsumer;
import io.kmodel.indexer.index.PostingsCursor;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.sort.OffHeap;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The sorted keys of a run, read as postings. The keys of a term lie together; only the distinct
 * terms are put in byte order, in the sorter's scratch, and each term's slice is decoded where it
 * lies. Memory: three blocks of ints and a buffer for the longest term. Not thread-safe.
 */
final class SortedKeys {
  private static final int BLOCK = PostingsCursor.BLOCK;
  private static final int KEY_BYTES = 8;

  private final Schema schema;
  private final KeyLayout layout;
  private final TermDictionary dictionary;
  private final long keys;
  private final int count;
  private final TermOrder order;

  private final int[] docs = new int[BLOCK];
  private final int[] freqs = new int[BLOCK];
  private final int[] deltas = new int[BLOCK];
  private byte[] termKey = new byte[64];

  /** Documents in {@link #docs}. */
  private int docCount;

  /**
   * Of a run.
   *
   * @param keys exactly the keys, sorted
   * @param scratch for {@link TermOrder#ELEMENT_BYTES} per term of the dictionary
   */
  SortedKeys(
      Schema schema,
      KeyLayout layout,
      TermDictionary dictionary,
      MemorySegment keys,
      MemorySegment scratch) {
    this.schema = schema;
    this.layout = layout;
    this.dictionary = dictionary;
    this.keys = keys.address();
    this.count = Math.toIntExact(keys.byteSize() / KEY_BYTES);
    this.order = new TermOrder(dictionary, scratch.address());
  }

  void checkOrder() {
    long previous = -1;
    for (int i = 0; i < count; i++) {
      long key = key(i);
      if (key < previous) {
        throw new IllegalStateException(
            "keys out of order after sorting: %#x before %#x at key %d"
                .formatted(previous, key, i));
      }
      previous = key;
    }
  }

  void writeTo(PostingsConsumer consumer) throws IOException {
    int terms = findTerms();
    order.sort(terms);
    for (int i = 0; i < terms; i++) {
      long word = order.word(i);
      int length = dictionary.keyLength(word);
      if (length > termKey.length) {
        termKey = new byte[Math.max(length, 2 * termKey.length)];
      }
      dictionary.copyKey(word, termKey);
      consumer.startTerm(termKey, length);
      Detail detail = schema.field(termKey[0] & 0xFF).detail();
      writeList(order.start(i), detail, consumer);
      consumer.finishTerm();
    }
  }

  /** Puts the terms that have keys, and where those begin, into {@link #order}. */
  private int findTerms() {
    int found = 0;
    int start = 0;
    long word = dictionary.firstWord();
    for (int term = 0; term < dictionary.size(); term++) {
      int end = start;
      while (end < count && layout.term(key(end)) == term) {
        end++;
      }
      if (end > start) {
        order.put(found++, word, start);
        start = end;
      }
      word = dictionary.wordAfter(word);
    }
    if (start < count) {
      throw new IllegalStateException("keys out of order after sorting: at key " + start);
    }
    return found;
  }

  private void writeList(int start, Detail detail, PostingsConsumer consumer) throws IOException {
    int term = layout.term(key(start));
    for (int from = start; from < count && layout.term(key(from)) == term; ) {
      int to = collectDocs(from, term, detail);
      consumer.docs(docs, freqs, docCount);
      if (detail.hasPositions()) {
        writePositions(from, to, consumer);
      }
      from = to;
    }
  }

  /** Collects at most a block of documents; the end of their keys. */
  private int collectDocs(int from, int term, Detail detail) {
    int n = 0;
    int doc = -1;
    int at = from;
    for (; at < count && layout.term(key(at)) == term; at++) {
      int next = layout.doc(key(at));
      if (next == doc) {
        freqs[n - 1]++;
      } else if (n < BLOCK) {
        doc = next;
        docs[n] = doc;
        freqs[n++] = 1;
      } else {
        break;
      }
    }
    if (!detail.hasFrequencies()) {
      Arrays.fill(freqs, 0, n, 1);
    }
    docCount = n;
    return at;
  }

  private void writePositions(int from, int to, PostingsConsumer consumer) throws IOException {
    int n = 0;
    int doc = -1;
    int previous = 0;
    for (int at = from; at < to; at++) {
      long key = key(at);
      int position = layout.position(key);
      if (layout.doc(key) != doc) {
        doc = layout.doc(key);
        previous = 0;
      }
      if (n == BLOCK) {
        consumer.positions(deltas, n);
        n = 0;
      }
      deltas[n++] = position - previous;
      previous = position;
    }
    consumer.positions(deltas, n);
  }

  private long key(int index) {
    return OffHeap.getLong(keys + (long) KEY_BYTES * index);
  }
}
