package io.kmodel.indexer.run;

import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.MemorySegment;

/**
 * The sorted keys of a run, read as postings. The keys of a term lie together; only the distinct
 * terms are put in byte order, and each term's slice is decoded where it lies. Who asks for the
 * first term has all keys read, if they were not checked before.
 *
 * <p>Memory: 20 bytes of the sorter's scratch for a term, for its place in that order and the end
 * of its keys. Not thread-safe.
 */
class SortedLists extends KeyLists {
  private static final int KEY_BYTES = 8;

  /** Of scratch for a term: an element while terms are put in order, and where its keys end. */
  private static final int TERM_BYTES = TermOrder.ELEMENT_BYTES + Integer.BYTES;

  /** Terms that are looked at together. */
  private static final int TOGETHER = 32;

  private final TermDictionary dictionary;
  private final long keys;
  private final int count;
  private final TermOrder order;

  /** Address of as many ints as the dictionary has terms: where each one's keys end. */
  private final long ends;

  /** Whether the keys are known to be in order, and their ends noted. */
  private boolean isChecked;

  /** Distinct terms, -1 until they are in order. */
  private int terms = -1;

  /** The current one in the order. */
  private int current = -1;

  /** Terms up to here were looked at. */
  private int lookedAt;

  /**
   * Of a run.
   *
   * @param keys exactly the keys, sorted
   * @param scratch has room for the dictionary's terms, see {@link #maxTerms}
   */
  SortedLists(OffsetLists.Run run, MemorySegment keys, MemorySegment scratch) {
    super(run.schema(), run.layout(), KEY_BYTES);
    this.dictionary = run.dictionary();
    this.keys = keys.address();
    this.count = Math.toIntExact(keys.byteSize() / KEY_BYTES);
    this.order = new TermOrder(dictionary, scratch.address());
    this.ends = scratch.address() + (long) TermOrder.ELEMENT_BYTES * dictionary.size();
  }

  /** How many terms a scratch has room for. */
  static long maxTerms(long scratchBytes) {
    return scratchBytes / TERM_BYTES;
  }

  /** Says that {@link #checkOrder} was called before, for the same keys in the same memory. */
  final void wereChecked() {
    isChecked = true;
  }

  /**
   * Checks that the keys are in order and notes in the scratch where those of each term end, in one
   * pass.
   *
   * @throws IllegalStateException if they are not, or one has a termID that no term has
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
      // In a long: in the layouts with the most terms no int holds that of any 64 bits.
      long next = key >>> layout.termShift();
      if (next >= dictionary.size()) {
        throw new IllegalStateException(
            "a key with termID %d after sorting, where there are %d terms"
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

  /** The first key from one of a term on that has another term, or is less than that before it. */
  private int behindTerm(int term, int from) {
    long start = OffHeap.start(keys);
    long previous = (long) term << layout.termShift();
    long last = ((term + 1L) << layout.termShift()) - 1;
    int at = from;
    for (; at < count; at++) {
      long key = OffHeap.getLong(start + (long) KEY_BYTES * at);
      // With 0 <= previous <= last, one of the two is negative for every long that is not between
      // them, and one branch takes half of the time of two.
      if ((key - previous | last - key) < 0) {
        break;
      }
      previous = key;
    }
    return at;
  }

  /** Notes where the keys of some terms end; of those behind the first there are none. */
  private void noteEnds(int from, int to, int end) {
    for (int term = from; term < to; term++) {
      OffHeap.putInt(ends + (long) Integer.BYTES * term, end);
    }
  }

  /**
   * Reads the beginnings of the next terms and of their lists, and where these end, all of which
   * lie anywhere: together, so that the processor waits for memory once, and not for each by
   * itself. What is found is asked for once more by whoever needs it; the check is there so that
   * the compiler has it read at all.
   */
  private void lookAhead() {
    lookedAt = Math.min(terms, current + TOGETHER);
    long bits = 0;
    for (int i = current; i < lookedAt; i++) {
      bits |= endOfTerm(dictionary.termId(order.word(i))) | keyOfRun(order.start(i));
    }
    if (bits < 0) {
      throw new IllegalStateException("keys or ends of lists with a bit that none has");
    }
  }

  /** Puts the terms that have keys, and where those begin, into {@link #order}. */
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
