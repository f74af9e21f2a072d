package io.kmodel.indexer.run;

import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.sort.OffHeap;
import java.lang.foreign.MemorySegment;

/**
 * The keys of a run, not sorted but counted by term, and its terms in byte order. So it is known
 * where the list of each term will lie, and one pass that moves each key behind the last one of its
 * term puts all in order: a term's keys were added in order of documents and positions. A counting
 * sort (Knuth, TAOCP 3, 5.2, algorithm D) whose digit is the whole termID. Moving takes half of the
 * time of two passes of a radix sort, with counting two thirds, as most keys have one of the terms
 * that were seen first, whose counters and lines stay in the caches (docs/performance.md). Random
 * termIDs would not.
 *
 * <p>Whoever wants the lists goes through the terms, says where each one's keys are to go, and has
 * them moved, as often as wanted.
 *
 * <p>Memory: {@link #bytes} of what it is given. Not thread-safe.
 */
final class CountedKeys {
  private static final int KEY_BYTES = 8;

  /** For a term: an element while terms are put in order, and where its next key goes. */
  private static final int TERM_BYTES = TermOrder.ELEMENT_BYTES + Long.BYTES;

  /** Terms that are looked at together, see {@link #lookAhead}. */
  private static final int TOGETHER = 32;

  final Schema schema;
  final KeyLayout layout;
  private final TermDictionary dictionary;
  private final long keys;
  private final int count;

  /** By termID: at first how many keys it has, an int; then where the next of them goes, a long. */
  private final long heads;

  private final TermOrder order;

  /** Distinct terms. */
  private final int terms;

  /** The current one in the order. */
  private int current = -1;

  /** Terms up to here were looked at. */
  private int lookedAt;

  /**
   * Counts keys and puts their terms in order. Whether somebody changes them after that shows only
   * when they were moved.
   *
   * @param keys all of a run, in the order in which they were added
   * @param memory {@link #bytes} for the dictionary's terms, aligned to 8
   * @throws IllegalStateException if a key has a termID that no term has
   */
  CountedKeys(OffsetKeys.Run run, MemorySegment keys, MemorySegment memory) {
    this.schema = run.schema();
    this.layout = run.layout();
    this.dictionary = run.dictionary();
    if (memory.byteSize() < bytes(dictionary.size())) {
      throw new IllegalArgumentException(
          "%d terms need %d bytes to be counted; got %d"
              .formatted(dictionary.size(), bytes(dictionary.size()), memory.byteSize()));
    }
    this.keys = keys.address();
    this.count = Math.toIntExact(keys.byteSize() / KEY_BYTES);
    this.heads = memory.address();
    this.order = new TermOrder(dictionary, heads + (long) Long.BYTES * dictionary.size());
    OffHeap.clear(heads, (long) Integer.BYTES * dictionary.size());
    countKeys();
    this.terms = findTerms();
    order.sort(terms);
  }

  /** What counting the keys of so many terms takes. */
  static long bytes(int terms) {
    return (long) TERM_BYTES * terms;
  }

  private void countKeys() {
    long start = OffHeap.start(keys);
    long first = heads;
    int shift = layout.termShift();
    int size = dictionary.size();
    for (int i = 0; i < count; i++) {
      long term = OffHeap.getLong(start + (long) KEY_BYTES * i) >>> shift;
      if (term >= size) {
        throw new IllegalStateException(
            "a key with termID %d, where there are %d terms".formatted(term, size));
      }
      long counter = first + Integer.BYTES * term;
      OffHeap.putInt(counter, OffHeap.getInt(counter) + 1);
    }
  }

  /** Puts the terms that have keys, and how many, into {@link #order}. */
  private int findTerms() {
    int found = 0;
    long word = dictionary.firstWord();
    for (int term = 0; term < dictionary.size(); term++) {
      int ofTerm = OffHeap.getInt(heads + (long) Integer.BYTES * term);
      if (ofTerm > 0) {
        order.put(found++, word, ofTerm);
      }
      word = dictionary.wordAfter(word);
    }
    return found;
  }

  /** Goes to before the first term. */
  void rewind() {
    current = -1;
    lookedAt = 0;
  }

  /** Moves to the next term; false when there is none. */
  boolean nextTerm() {
    if (current + 1 >= terms) {
      return false;
    }
    current++;
    if (current == lookedAt) {
      lookAhead();
    }
    return true;
  }

  /**
   * Reads the beginnings of the next terms in the dictionary, which lie anywhere: together, so that
   * the processor waits for memory once, and not for each by itself. The check is there so that the
   * compiler has them read at all.
   */
  private void lookAhead() {
    lookedAt = Math.min(terms, current + TOGETHER);
    int bits = 0;
    for (int i = current; i < lookedAt; i++) {
      bits |= dictionary.termId(order.word(i));
    }
    if (bits < 0) {
      throw new IllegalStateException("a term with an ID that none has");
    }
  }

  /** Length of the current term's key. */
  int termLength() {
    return dictionary.keyLength(order.word(current));
  }

  /** Copies the current term's key to the start of {@code target}, with room for 8 bytes more. */
  void copyTerm(byte[] target) {
    dictionary.copyKey(order.word(current), target);
  }

  /** Keys of the current term. */
  int keyCount() {
    return order.start(current);
  }

  /** Says where the keys of the current term are to go. */
  void sendTo(long address) {
    OffHeap.putLong(head(), address);
  }

  private long head() {
    return heads + (long) Long.BYTES * dictionary.termId(order.word(current));
  }

  /** Where the next key of a term goes; the one after that goes so many bytes behind it. */
  private static long take(long head, int keyBytes) {
    long to = OffHeap.getLong(head);
    OffHeap.putLong(head, to + keyBytes);
    return to;
  }

  /** Moves all keys to where they were sent, in 8 bytes each. */
  private void move() {
    long start = OffHeap.start(keys);
    long first = heads;
    int shift = layout.termShift();
    for (int i = 0; i < count; i++) {
      long key = OffHeap.getLong(start + (long) KEY_BYTES * i);
      long to = take(first + Long.BYTES * (key >>> shift), KEY_BYTES);
      OffHeap.putLong(to, key);
    }
  }

  /** The same in 4 or 5 bytes each: of what is above the document, any bits. */
  void move(int keyBytes) {
    switch (keyBytes) {
      case Integer.BYTES -> moveInts();
      case Integer.BYTES + 1 -> moveFiveBytes();
      default -> throw new IllegalArgumentException("keys have 4 or 5 bytes; got " + keyBytes);
    }
  }

  private void moveInts() {
    long start = OffHeap.start(keys);
    long first = heads;
    int shift = layout.termShift();
    for (int i = 0; i < count; i++) {
      long key = OffHeap.getLong(start + (long) KEY_BYTES * i);
      long to = take(first + Long.BYTES * (key >>> shift), Integer.BYTES);
      OffHeap.putInt(to, (int) key);
    }
  }

  private void moveFiveBytes() {
    long start = OffHeap.start(keys);
    long first = heads;
    int shift = layout.termShift();
    for (int i = 0; i < count; i++) {
      long key = OffHeap.getLong(start + (long) KEY_BYTES * i);
      long to = take(first + Long.BYTES * (key >>> shift), Integer.BYTES + 1);
      OffHeap.putInt(to, (int) key);
      OffHeap.putByte(to + Integer.BYTES, (byte) (key >>> Integer.SIZE));
    }
  }

  /**
   * Sends the keys of each term behind those of the term before, and moves them.
   *
   * @param target as long as the keys
   */
  KeyLists moveTo(MemorySegment target) {
    long at = target.address();
    rewind();
    while (nextTerm()) {
      sendTo(at);
      at += (long) KEY_BYTES * keyCount();
    }
    move();
    rewind();
    return new Moved(target.address());
  }

  /** The lists where they were moved to. */
  private final class Moved extends KeyLists {
    private long next;

    Moved(long start) {
      super(CountedKeys.this.schema, CountedKeys.this.layout, KEY_BYTES);
      this.next = start;
    }

    @Override
    public boolean nextTerm() {
      if (!CountedKeys.this.nextTerm()) {
        return false;
      }
      copyTerm(startTerm(CountedKeys.this.termLength()));
      startList(next, CountedKeys.this.keyCount());
      next += (long) KEY_BYTES * CountedKeys.this.keyCount();
      requireEnd(next);
      return true;
    }
  }

  /** Fails where the keys of the current term that were moved are not those that were counted. */
  void requireEnd(long expected) {
    long end = OffHeap.getLong(head());
    if (end != expected) {
      throw new IllegalStateException(
          "%d keys of a term were counted, and others moved: they end at %#x, not at %#x"
              .formatted(keyCount(), end, expected));
    }
  }
}
