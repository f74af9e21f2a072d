package io.kmodel.indexer.run;

import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.sort.CountedKeys;
import io.kmodel.indexer.sort.CountingOrder;
import java.lang.foreign.MemorySegment;

/**
 * The terms of a run in byte order, each with the number of its keys, which were counted and not
 * sorted. So the place of every list is known before a key is moved: a reader goes through the
 * terms, sends each one's keys to where it wants them, and has all keys moved in one pass. It may
 * do so as often as it likes.
 *
 * <p>Memory: the rest of the dictionary's, of which {@link #bytes} are used. Not thread-safe.
 */
final class CountedLists {
  /** Terms whose dictionary entries are read together, see {@link #lookAhead}. */
  private static final int TOGETHER = 32;

  private final Schema schema;
  private final KeyLayout layout;
  private final TermDictionary dictionary;
  private final CountedKeys keys;
  private final TermOrder order;

  /** Distinct terms that have keys. */
  private final int terms;

  /** Index of the current term in the order. */
  private int current = -1;

  /** Terms before this index have been read by {@link #lookAhead}. */
  private int lookedAt;

  /** Puts the terms of counted keys in byte order. */
  CountedLists(OffsetLists.Run run, CountedKeys keys) {
    this.schema = run.schema();
    this.layout = run.layout();
    this.dictionary = run.dictionary();
    this.keys = keys;
    MemorySegment memory = dictionary.rest();
    if (memory.byteSize() < bytes(dictionary.size())) {
      throw new IllegalArgumentException(
          "%d terms need %d bytes to be put in order; got %d"
              .formatted(dictionary.size(), bytes(dictionary.size()), memory.byteSize()));
    }
    this.order = new TermOrder(dictionary, memory.address() + counterBytes(dictionary.size()));
    this.terms = findTerms();
    order.sort(terms);
  }

  /** The bytes needed to count the keys of so many terms and to put the terms in order. */
  static long bytes(int terms) {
    return counterBytes(terms) + (long) TermOrder.ELEMENT_BYTES * terms;
  }

  /** The part of it that is for the counters, and comes first. */
  static long counterBytes(int terms) {
    return (long) CountingOrder.COUNTER_BYTES * terms;
  }

  Schema schema() {
    return schema;
  }

  /** Puts the terms that have keys, and their number of keys, into {@link #order}. */
  private int findTerms() {
    int found = 0;
    long word = dictionary.firstWord();
    for (int term = 0; term < dictionary.size(); term++) {
      int ofTerm = keys.count(term);
      if (ofTerm > 0) {
        order.put(found++, word, ofTerm);
      }
      word = dictionary.wordAfter(word);
    }
    return found;
  }

  /** Goes to before the first term. All terms must be sent somewhere then. */
  void startSending() {
    rewind();
    keys.startSending();
  }

  /** Goes to before the first term. */
  void rewind() {
    current = -1;
    lookedAt = 0;
  }

  /** Moves to the next term; false if there is none. */
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
   * Reads the dictionary entries of the next terms, which lie anywhere in memory: together, so that
   * the processor waits for memory once and not for each term. The check keeps the compiler from
   * removing the reads.
   */
  private void lookAhead() {
    lookedAt = Math.min(terms, current + TOGETHER);
    int bits = 0;
    for (int i = current; i < lookedAt; i++) {
      bits |= dictionary.termId(order.word(i));
    }
    if (bits < 0) {
      throw new IllegalStateException("a term in the dictionary has a negative ID");
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

  /** Number of keys of the current term. */
  int keyCount() {
    return order.start(current);
  }

  /**
   * Sets where the keys of the current term go, {@code keyBytes} each.
   *
   * @return where they will end
   */
  long sendTo(long address, int keyBytes) {
    return keys.sendTo(termId(), address, keyCount(), keyBytes);
  }

  /**
   * Moves all keys to where they were sent, {@link KeyLayout#packedBytes} each.
   *
   * @param packed wide enough for the documents and positions of all keys; the bits above the
   *     document are undefined afterwards
   */
  void move(KeyLayout packed) {
    if (packed.termShift() > Byte.SIZE * packed.packedBytes()) {
      throw new IllegalArgumentException(
          "documents and positions of %d bits do not fit a key of %d bytes"
              .formatted(packed.termShift(), packed.packedBytes()));
    }
    keys.move(layout.positionBits(), packed.positionBits(), packed.packedBytes());
  }

  /** Whether, after the move, the lists end where they should, see {@link CountedKeys}. */
  boolean endsAsSent() {
    return keys.endsAsSent();
  }

  /** Fails if the list of the current term does not end at this address. */
  void requireEnd(long expected) {
    keys.requireEnd(termId(), keyCount(), expected);
  }

  private int termId() {
    return dictionary.termId(order.word(current));
  }

  /**
   * Moves the keys so that each term's follow those of the term before.
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
      super(CountedLists.this.schema, packed, packed.packedBytes());
      this.next = start;
      this.endsAsSent = endsAsSent;
    }

    @Override
    public boolean nextTerm() {
      if (!CountedLists.this.nextTerm()) {
        return false;
      }
      copyTerm(startTerm(CountedLists.this.termLength()));
      startList(next, CountedLists.this.keyCount());
      next += (long) keyBytes * CountedLists.this.keyCount();
      if (!endsAsSent) {
        requireEnd(next);
      }
      return true;
    }
  }
}
