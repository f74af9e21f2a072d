package io.kmodel.indexer.sort;

/**
 * A counting sort (Knuth, TAOCP 3, 5.2, algorithm D) whose digit is the whole termID. It counts the
 * keys of each term; {@link CountedKeys} then moves each key once, to wherever the reader wants the
 * list of its term. Counting and moving take two thirds of the time of a radix sort's two passes,
 * because most keys have one of the terms that were seen first, whose counters and list ends stay
 * in the caches. Random termIDs would not.
 *
 * <p>Memory: the job's counters. Safe for many threads on different keys.
 */
public final class CountingOrder implements KeyOrder {
  /** Bytes of counters for a term. */
  public static final int COUNTER_BYTES = Long.BYTES;

  /**
   * Counts the keys in the calling thread.
   *
   * @throws IllegalArgumentException if the job has no counters
   * @throws IllegalStateException if a key has a termID without a counter
   */
  @Override
  public Ticket submit(Job job) {
    return Ticket.ended(new CountedKeys(job));
  }
}
