package io.kmodel.indexer.sort;

import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.MemorySegment;

/**
 * Keys that were counted by term, in the order in which they were added. A reader tells where each
 * term's list goes, then one pass moves every key behind the last one of its term. That puts all
 * keys in order, because a term's keys were added in order of documents and positions. The reader
 * may do so as often as it likes:
 *
 * <pre>{@code
 * count*  (startSending sendTo* move endsAsSent)*
 * }</pre>
 *
 * <p>Memory: the job's counters. Not thread-safe.
 */
public final class CountedKeys implements OrderedKeys {
  private static final int KEY_BYTES = 8;
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private final MemorySegment memory;
  private final MemorySegment scratch;
  private final long keys;
  private final int count;
  private final int termShift;

  /** Terms that have a counter. */
  private final int terms;

  /** By termID: first the number of keys, an int; then the address of the next key, a long. */
  private final long heads;

  /** Whether the heads are addresses. */
  private boolean isSending;

  /** A hash of where the lists sent so far will end. */
  private long expectedEnds;

  /** Counts the keys of a job. Later changes of the keys are noticed only when they are moved. */
  CountedKeys(KeyOrder.Job job) {
    MemorySegment counters = job.counters();
    if (counters == null) {
      throw new IllegalArgumentException("keys without counters cannot be counted");
    }
    this.memory = job.keys();
    this.scratch = job.scratch();
    this.keys = job.keys().address();
    this.count = Math.toIntExact(job.count());
    this.termShift = job.orderedBits();
    this.terms = Math.toIntExact(counters.byteSize() / CountingOrder.COUNTER_BYTES);
    this.heads = counters.address();
    OffHeap.clear(heads, (long) Integer.BYTES * terms);
    countKeys();
  }

  private void countKeys() {
    long start = OffHeap.start(keys);
    long first = heads;
    int shift = termShift;
    int size = terms;
    for (int i = 0; i < count; i++) {
      long term = OffHeap.getLong(start + (long) KEY_BYTES * i) >>> shift;
      if (term >= size) {
        throw new IllegalStateException(
            "a key has termID %d, but there are only %d terms".formatted(term, size));
      }
      long counter = first + Integer.BYTES * term;
      OffHeap.putInt(counter, OffHeap.getInt(counter) + 1);
    }
  }

  @Override
  public MemorySegment keys() {
    return memory;
  }

  @Override
  public MemorySegment scratch() {
    return scratch;
  }

  @Override
  public boolean byDevice() {
    return false;
  }

  /** The number of a term's keys. Must not be called after {@link #startSending}. */
  public int count(int term) {
    if (isSending) {
      throw new IllegalStateException("the counters have been replaced by addresses");
    }
    return OffHeap.getInt(heads + (long) Integer.BYTES * term);
  }

  /** Starts to send lists. Each term that has keys must be sent before {@link #move}. */
  public void startSending() {
    isSending = true;
    expectedEnds = 0;
    // The address of a term without keys stays 0.
    OffHeap.clear(heads, (long) Long.BYTES * terms);
  }

  /**
   * Sets where a term's list goes.
   *
   * @param address of its first key
   * @param ofTerm the number of its keys
   * @param keyBytes bytes from one key to the next
   * @return where the list will end
   */
  public long sendTo(int term, long address, int ofTerm, int keyBytes) {
    OffHeap.putLong(head(term), address);
    long end = address + (long) keyBytes * ofTerm;
    expectedEnds += hash(term, end);
    return end;
  }

  /**
   * Moves all keys to the lists. Between the termID and its low bits, each key has a document and a
   * position; a moved key has the position in another number of bits and the document above it. The
   * bits above the document are undefined.
   *
   * @param positionBits width of the position in the keys
   * @param packedPositionBits width of the position in the moved keys
   * @param packedBytes 4 or 5, the width of a moved key
   */
  public void move(int positionBits, int packedPositionBits, int packedBytes) {
    if (packedBytes == Integer.BYTES) {
      moveInts(positionBits, packedPositionBits);
    } else if (packedBytes == Integer.BYTES + 1) {
      moveFiveBytes(positionBits, packedPositionBits);
    } else {
      throw new IllegalArgumentException("keys of 4 or 5 bytes can be moved; got " + packedBytes);
    }
  }

  private void moveInts(int documentShift, int positionBits) {
    long start = OffHeap.start(keys);
    long first = heads;
    int shift = termShift;
    long positions = (1L << documentShift) - 1;
    for (int i = 0; i < count; i++) {
      long key = OffHeap.getLong(start + (long) KEY_BYTES * i);
      long to = take(first + Long.BYTES * (key >>> shift), Integer.BYTES);
      OffHeap.putInt(to, (int) (key >>> documentShift << positionBits | (key & positions)));
    }
  }

  private void moveFiveBytes(int documentShift, int positionBits) {
    long start = OffHeap.start(keys);
    long first = heads;
    int shift = termShift;
    long positions = (1L << documentShift) - 1;
    for (int i = 0; i < count; i++) {
      long key = OffHeap.getLong(start + (long) KEY_BYTES * i);
      long to = take(first + Long.BYTES * (key >>> shift), Integer.BYTES + 1);
      long moved = key >>> documentShift << positionBits | (key & positions);
      OffHeap.putInt(to, (int) moved);
      OffHeap.putByte(to + Integer.BYTES, (byte) (moved >>> Integer.SIZE));
    }
  }

  /** The address of a term's next key; the one after that is {@code keyBytes} further on. */
  private static long take(long head, int keyBytes) {
    long to = OffHeap.getLong(head);
    OffHeap.putLong(head, to + keyBytes);
    return to;
  }

  /**
   * Whether each list ends where it should after the move, that is, whether the moved keys are
   * those that were counted. This reads the ends of all lists in the order of memory: to check each
   * one when its term is read takes a tenth of the time of the move. Wrong ends are overlooked with
   * a probability of about 2^-64.
   */
  public boolean endsAsSent() {
    long ends = 0;
    for (int term = 0; term < terms; term++) {
      long end = OffHeap.getLong(head(term));
      ends += end == 0 ? 0 : hash(term, end);
    }
    return ends == expectedEnds;
  }

  /**
   * Checks where a term's list ended.
   *
   * @throws IllegalStateException if other keys were moved than were counted
   */
  public void requireEnd(int term, int ofTerm, long expected) {
    long end = OffHeap.getLong(head(term));
    if (end != expected) {
      throw new IllegalStateException(
          "%d keys of a term were counted, but others were moved: they end at %#x, not at %#x"
              .formatted(ofTerm, end, expected));
    }
  }

  private long head(int term) {
    return heads + (long) Long.BYTES * term;
  }

  /** A hash of one end that is independent of all others: one list's surplus is another's lack. */
  private static long hash(int term, long end) {
    return mix(end ^ mix(term));
  }

  private static long mix(long bits) {
    long x = bits ^ MULTIPLIER;
    return Math.unsignedMultiplyHigh(x, MULTIPLIER) ^ x * MULTIPLIER;
  }
}
