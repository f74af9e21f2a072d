package io.kmodel.indexer.run;

import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.memory.OffHeap;
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

  /** A checksum of where the lists will end, of those that were sent so far. */
  private long expectedEnds;

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
    // A term without keys is sent nowhere.
    OffHeap.clear(heads, (long) Long.BYTES * dictionary.size());
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

  /** Goes to before the first term, of which all are to be sent somewhere. */
  void startSending() {
    rewind();
    expectedEnds = 0;
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

  /**
   * Says where the keys of the current term are to go, in so many bytes each.
   *
   * @return where they will end
   */
  long sendTo(long address, int keyBytes) {
    int term = dictionary.termId(order.word(current));
    OffHeap.putLong(head(term), address);
    long end = address + (long) keyBytes * keyCount();
    expectedEnds += hash(term, end);
    return end;
  }

  /**
   * Whether, after keys were moved, each list ends where it was to: whether the keys that were
   * moved are those that were counted. Of all lists together, in the order in which their ends lie
   * in memory: to look for the end of each when its term's turn comes takes as long as a tenth of
   * moving the keys. Where ends are wrong, it says otherwise but for a chance of about 2^-64.
   */
  boolean endsAsSent() {
    long ends = 0;
    for (int term = 0; term < dictionary.size(); term++) {
      long end = OffHeap.getLong(head(term));
      ends += end == 0 ? 0 : hash(term, end);
    }
    return ends == expectedEnds;
  }

  /** Of one end, of which the others know nothing: what one list has too many, another misses. */
  private static long hash(int term, long end) {
    return TermDictionary.mix(end ^ TermDictionary.mix(term));
  }

  private long head(int term) {
    return heads + (long) Long.BYTES * term;
  }

  /** Where the next key of a term goes; the one after that goes so many bytes behind it. */
  private static long take(long head, int keyBytes) {
    long to = OffHeap.getLong(head);
    OffHeap.putLong(head, to + keyBytes);
    return to;
  }

  /**
   * Moves all keys to where they were sent, in another layout, in {@link KeyLayout#packedBytes}
   * each.
   *
   * @param packed wide enough for the documents and positions of all keys; what it has above the
   *     document may be anything afterwards
   */
  void move(KeyLayout packed) {
    if (packed.termShift() > Byte.SIZE * packed.packedBytes()) {
      throw new IllegalArgumentException(packed.termShift() + " bits are no key of a run");
    }
    if (packed.packedBytes() == Integer.BYTES) {
      moveInts(packed.positionBits());
    } else {
      moveFiveBytes(packed.positionBits());
    }
  }

  private void moveInts(int positionBits) {
    long start = OffHeap.start(keys);
    long first = heads;
    int shift = layout.termShift();
    int documentShift = layout.positionBits();
    int positions = layout.maxPosition();
    for (int i = 0; i < count; i++) {
      long key = OffHeap.getLong(start + (long) KEY_BYTES * i);
      long to = take(first + Long.BYTES * (key >>> shift), Integer.BYTES);
      OffHeap.putInt(to, (int) (key >>> documentShift << positionBits | (key & positions)));
    }
  }

  private void moveFiveBytes(int positionBits) {
    long start = OffHeap.start(keys);
    long first = heads;
    int shift = layout.termShift();
    int documentShift = layout.positionBits();
    int positions = layout.maxPosition();
    for (int i = 0; i < count; i++) {
      long key = OffHeap.getLong(start + (long) KEY_BYTES * i);
      long to = take(first + Long.BYTES * (key >>> shift), Integer.BYTES + 1);
      long moved = key >>> documentShift << positionBits | (key & positions);
      OffHeap.putInt(to, (int) moved);
      OffHeap.putByte(to + Integer.BYTES, (byte) (moved >>> Integer.SIZE));
    }
  }

  /**
   * Sends the keys of each term behind those of the term before, and moves them.
   *
   * @param target as long as the keys
   * @param packed see {@link #move}
   */
  KeyLists moveTo(MemorySegment target, KeyLayout packed) {
    long at = target.address();
    startSending();
    while (nextTerm()) {
      at = sendTo(at, packed.packedBytes());
    }
    move(packed);
    rewind();
    return new Moved(target.address(), packed, endsAsSent());
  }

  /** The lists where they were moved to. */
  private final class Moved extends KeyLists {
    private final boolean endsAsSent;
    private long next;

    Moved(long start, KeyLayout packed, boolean endsAsSent) {
      super(CountedKeys.this.schema, packed, packed.packedBytes());
      this.next = start;
      this.endsAsSent = endsAsSent;
    }

    @Override
    public boolean nextTerm() {
      if (!CountedKeys.this.nextTerm()) {
        return false;
      }
      copyTerm(startTerm(CountedKeys.this.termLength()));
      startList(next, CountedKeys.this.keyCount());
      next += (long) keyBytes * CountedKeys.this.keyCount();
      if (!endsAsSent) {
        requireEnd(next);
      }
      return true;
    }
  }

  /** Fails where the keys of the current term that were moved are not those that were counted. */
  void requireEnd(long expected) {
    long end = OffHeap.getLong(head(dictionary.termId(order.word(current))));
    if (end != expected) {
      throw new IllegalStateException(
          "%d keys of a term were counted, and others moved: they end at %#x, not at %#x"
              .formatted(keyCount(), end, expected));
    }
  }
}
