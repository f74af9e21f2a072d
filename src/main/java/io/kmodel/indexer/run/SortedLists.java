package io.kmodel.indexer.run;

import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.MemorySegment;

/**
 * Reads the sorted keys of a run as postings. The keys of a term are contiguous; only the distinct
 * terms are put in byte order, and each term's slice is decoded in place. The first call of {@link
 * #nextTerm} reads all keys, unless they have been checked before.
 *
 * <p>Memory: 20 bytes of scratch per term, for the order of terms and the ends of their keys. Not
 * thread-safe.
 */
class SortedLists extends KeyLists {
  private static final int KEY_BYTES = 8;

  /** Bytes of scratch per term: an element of {@link TermOrder}, and where its keys end. */
  private static final int TERM_BYTES = TermOrder.ELEMENT_BYTES + Integer.BYTES;

  /** Terms whose entries are read together, see {@link #lookAhead}. */
  private static final int TOGETHER = 32;

  private final TermDictionary dictionary;
  private final long keys;
  private final int count;
  private final TermOrder order;

  /** Address of an int per term of the dictionary: where its keys end. */
  private final long ends;

  /** Whether the order has been checked and the ends have been noted. */
  private boolean isChecked;

  /** Distinct terms that have keys; -1 until they are in order. */
  private int terms = -1;

  /** Index of the current term in the order. */
  private int current = -1;

  /** Terms before this index have been read by {@link #lookAhead}. */
  private int lookedAt;

  /**
   * Lists of a run.
   *
   * @param keys exactly the sorted keys
   * @param scratch with room for the dictionary's terms, see {@link #maxTerms}
   */
  SortedLists(OffsetLists.Run run, MemorySegment keys, MemorySegment scratch) {
    super(run.schema(), run.layout(), KEY_BYTES);
    this.dictionary = run.dictionary();
    this.keys = keys.address();
    this.count = Math.toIntExact(keys.byteSize() / KEY_BYTES);
    this.order = new TermOrder(dictionary, scratch.address());
    this.ends = scratch.address() + (long) TermOrder.ELEMENT_BYTES * dictionary.size();
  }

  /** The number of terms that a scratch has room for. */
  static long maxTerms(long scratchBytes) {
    return scratchBytes / TERM_BYTES;
  }

  /** Tells that {@link #checkOrder} has been called for the same keys in the same memory. */
  final void wereChecked() {
    isChecked = true;
  }

  /**
   * Checks that the keys are in order and notes in the scratch where each term's keys end, in one
   * pass.
   *
   * @throws IllegalStateException if they are out of order, or one has an unknown termID
   */
  void checkOrder() {
    int term = 0;
    for (int at = behindTerm(term, 0); at < count; at = behindTerm(term, at)) {
      long key = keyOfRun(at);
      if (at > 0 && key < keyOfRun(at - 1)) {
        throw new IllegalStateException(
            "keys out of order after sorting: %#x before %#x at key %d"
                .formatted(keyOfRun(at - 1), key, at));
      }
      // A long: for arbitrary keys the termID may exceed an int.
      long next = key >>> layout.termShift();
      if (next >= dictionary.size()) {
        throw new IllegalStateException(
            "a key has termID %d after sorting, but there are only %d terms"
                .formatted(next, dictionary.size()));
      }
      noteEnds(term, (int) next, at);
      term = (int) next;
    }
    noteEnds(term, dictionary.size(), count);
    isChecked = true;
  }

  @Override
  public boolean nextTerm() {
    if (terms < 0) {
      if (!isChecked) {
        checkOrder();
      }
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
    int end = endOfTerm(dictionary.termId(word));
    startList(keys + (long) KEY_BYTES * start, end - start);
    return true;
  }

  /** Index of the first key, from a key of a term on, with another term or below the previous. */
  private int behindTerm(int term, int from) {
    long start = OffHeap.start(keys);
    long previous = (long) term << layout.termShift();
    long last = ((term + 1L) << layout.termShift()) - 1;
    int at = from;
    for (; at < count; at++) {
      long key = OffHeap.getLong(start + (long) KEY_BYTES * at);
      // With 0 <= previous <= last, one difference is negative for every long that is not between
      // them. One branch takes half of the time of two.
      if ((key - previous | last - key) < 0) {
        break;
      }
      previous = key;
    }
    return at;
  }

  /** Notes where the keys of some terms end; those after the first have no keys. */
  private void noteEnds(int from, int to, int end) {
    for (int term = from; term < to; term++) {
      OffHeap.putInt(ends + (long) Integer.BYTES * term, end);
    }
  }

  /**
   * Reads the dictionary entries of the next terms and the first keys and ends of their lists,
   * which lie anywhere in memory: together, so that the processor waits for memory once and not for
   * each term. They are in the cache when they are needed. The check keeps the compiler from
   * removing the reads.
   */
  private void lookAhead() {
    lookedAt = Math.min(terms, current + TOGETHER);
    long bits = 0;
    for (int i = current; i < lookedAt; i++) {
      bits |= endOfTerm(dictionary.termId(order.word(i))) | keyOfRun(order.start(i));
    }
    if (bits < 0) {
      throw new IllegalStateException("a key or the end of a list is negative");
    }
  }

  /** Puts the terms that have keys, and where their keys start, into {@link #order}. */
  private int findTerms() {
    int found = 0;
    int start = 0;
    long word = dictionary.firstWord();
    for (int term = 0; term < dictionary.size(); term++) {
      int end = endOfTerm(term);
      if (end > start) {
        order.put(found++, word, start);
        start = end;
      }
      word = dictionary.wordAfter(word);
    }
    return found;
  }

  private int endOfTerm(int term) {
    return OffHeap.getInt(ends + (long) Integer.BYTES * term);
  }

  private long keyOfRun(int index) {
    return OffHeap.getLong(keys + (long) KEY_BYTES * index);
  }
}
