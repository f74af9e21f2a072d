package io.kmodel.indexer.run;

import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.sort.OffHeap;
import java.lang.foreign.MemorySegment;

/**
 * The sorted keys of a run, read as postings. The keys of a term lie together; only the distinct
 * terms are put in byte order, in the sorter's scratch, and each term's slice is decoded where it
 * lies. Not thread-safe.
 */
class SortedKeys extends KeyLists {
  private static final int KEY_BYTES = 8;

  /** Terms that are looked at together. */
  private static final int TOGETHER = 32;

  private final TermDictionary dictionary;
  private final long keys;
  private final int count;
  private final TermOrder order;

  /** Distinct terms, -1 until they are in order. */
  private int terms = -1;

  /** The current one in the order. */
  private int current = -1;

  /** Terms up to here were looked at. */
  private int lookedAt;

  /** Address of the current term's first key. */
  private long list;

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
    super(schema, layout);
    this.dictionary = dictionary;
    this.keys = keys.address();
    this.count = Math.toIntExact(keys.byteSize() / KEY_BYTES);
    this.order = new TermOrder(dictionary, scratch.address());
  }

  void checkOrder() {
    long previous = -1;
    for (int i = 0; i < count; i++) {
      long key = keyOfRun(i);
      if (key < previous) {
        throw new IllegalStateException(
            "keys out of order after sorting: %#x before %#x at key %d"
                .formatted(previous, key, i));
      }
      previous = key;
    }
  }

  @Override
  public boolean nextTerm() {
    if (terms < 0) {
      terms = findTerms();
      order.sort(terms);
    }
    if (current + 1 >= terms) {
      return false;
    }
    current++;
    if (current == lookedAt) {
      lookAhead();
    }
    long word = order.word(current);
    dictionary.copyKey(word, startTerm(dictionary.keyLength(word)));
    int start = order.start(current);
    list = keys + (long) KEY_BYTES * start;
    startList(endOfTerm(start) - start);
    return true;
  }

  /**
   * Reads the beginnings of the next terms and of their lists, which lie anywhere: together, so
   * that the processor waits for memory once, and not for each by itself, which takes 0.7 to 1.3 ns
   * a key. What is found is asked for once more by whoever needs it; the check is there so that the
   * compiler has it read at all.
   */
  private void lookAhead() {
    lookedAt = Math.min(terms, current + TOGETHER);
    long bits = 0;
    for (int i = current; i < lookedAt; i++) {
      bits |= dictionary.termId(order.word(i)) | keyOfRun(order.start(i));
    }
    if (bits < 0) {
      throw new IllegalStateException("keys or termIDs with a bit that none has");
    }
  }

  /** Puts the terms that have keys, and where those begin, into {@link #order}. */
  private int findTerms() {
    int found = 0;
    int start = 0;
    long word = dictionary.firstWord();
    for (int term = 0; term < dictionary.size(); term++) {
      int end = start;
      while (end < count && termAt(end) == term) {
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

  /** Where the keys end that have the term of the first: by steps that double, then by halves. */
  private int endOfTerm(int first) {
    int term = termAt(first);
    int last = first;
    int end = first + 1;
    for (int step = 1; end < count && termAt(end) == term; step <<= 1) {
      last = end;
      end = step < count - end ? end + step : count;
    }
    while (end - last > 1) {
      int middle = (last + end) >>> 1;
      if (termAt(middle) == term) {
        last = middle;
      } else {
        end = middle;
      }
    }
    return end;
  }

  private int termAt(int index) {
    return layout.term(keyOfRun(index));
  }

  private long keyOfRun(int index) {
    return OffHeap.getLong(keys + (long) KEY_BYTES * index);
  }

  @Override
  final long key(int index) {
    return OffHeap.getLong(list + (long) KEY_BYTES * index);
  }
}
