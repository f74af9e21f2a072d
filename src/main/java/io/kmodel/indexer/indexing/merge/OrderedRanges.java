package io.kmodel.indexer.indexing.merge;

import com.google.common.io.Closer;
import io.kmodel.indexer.merge.TermRange;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;

/**
 * Ranges of terms that are merged side by side and wanted in order: so many of them are at work, or
 * wait until it is their turn. A term that is very frequent is a range that takes several times as
 * long as others, and where such a one stands near the end, as English's does, all threads but its
 * own would be done before; so it is begun first. Used by one thread, beside those that merge.
 */
final class OrderedRanges<T extends Closeable> implements Closeable {
  /**
   * How many ranges are merged at a time.
   *
   * @param threads that merge
   * @param ahead how many ranges may be at work or wait, at least 1
   */
  record Limits(int threads, int ahead) {
    /** How many ranges may be begun before it is their turn, with one left for each thread. */
    int early() {
      return Math.clamp(ahead - threads, 0, threads) / 2;
    }
  }

  /** Merges a range. */
  @FunctionalInterface
  interface Merging<T> {
    /**
     * Merges it, in one of the threads.
     *
     * @param early whether it will wait for long until it is its turn
     */
    T merge(TermRange range, boolean early) throws IOException;
  }

  /** Has tasks run by some threads, begun in the order of the calls. */
  @FunctionalInterface
  interface Threads<T> {
    Future<T> submit(Callable<T> task);
  }

  /** Of the mean's bytes, in a range that may have to be begun first. */
  private static final int LONG = 2;

  private final List<TermRange> ranges;
  private final Limits limits;
  private final Merging<T> merging;
  private final Threads<T> threads;

  /** What was merged and is not taken yet; guards the next. */
  private final Set<T> ready = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Whether nobody wants what is still at work. */
  private boolean givenUp;

  /** Those that were begun first, by their places. */
  private final Map<Integer, Future<T>> early = new HashMap<>();

  /** In order; the first is whose turn it is. */
  private final Deque<Future<T>> underWay = new ArrayDeque<>();

  private int next;

  /**
   * Some ranges, none of which is begun yet.
   *
   * @param first the range that is wanted first
   * @param merging merges a range
   * @param threads in which it does
   */
  OrderedRanges(
      List<TermRange> ranges, int first, Limits limits, Merging<T> merging, Threads<T> threads) {
    this.ranges = ranges;
    this.limits = limits;
    this.merging = merging;
    this.threads = threads;
    this.next = first;
  }

  /** Begins with merging. */
  void begin() {
    for (int place : longOnes(ranges, next, limits)) {
      early.put(place, begin(ranges.get(place), true));
    }
    beginNext();
  }

  /**
   * Which ranges would end after all that follow them if they were merged in order, last ones
   * first, since these would be missed the most.
   */
  private static List<Integer> longOnes(List<TermRange> ranges, int first, Limits limits) {
    long total = ranges.stream().mapToLong(TermRange::bytes).sum();
    long least = LONG * total / ranges.size();
    List<Integer> found = new ArrayList<>();
    long after = 0;
    for (int place = ranges.size() - 1; place >= first; place--) {
      long bytes = ranges.get(place).bytes();
      boolean isLong = bytes > least && bytes > after / limits.threads;
      if (isLong && found.size() < limits.early()) {
        found.add(place);
      }
      after += bytes;
    }
    return found;
  }

  boolean isEmpty() {
    return underWay.isEmpty();
  }

  /** The range whose turn it is; it stays until {@link #remove}. */
  Future<T> element() {
    return underWay.element();
  }

  /** Ends its turn, and begins with another one; what was merged is the caller's now. */
  void remove() {
    Future<T> taken = underWay.remove();
    synchronized (ready) {
      ready.remove(taken.resultNow());
    }
    beginNext();
  }

  private void beginNext() {
    for (; next < ranges.size() && underWay.size() + early.size() < limits.ahead; next++) {
      Future<T> begun = early.remove(next);
      underWay.add(begun == null ? begin(ranges.get(next), false) : begun);
    }
  }

  private Future<T> begin(TermRange range, boolean isEarly) {
    return threads.submit(() -> made(merging.merge(range, isEarly)));
  }

  /** Keeps what was merged until it is taken; in the thread that has merged it. */
  private T made(T part) throws IOException {
    synchronized (ready) {
      if (!givenUp) {
        ready.add(part);
        return part;
      }
    }
    try (part) {
      throw new CancellationException("nobody wants the range any more");
    }
  }

  /**
   * After a failure: closes what is ready, and sees to it that what is still at work is closed by
   * its thread, for which nobody waits here.
   *
   * @throws IOException if one could not be closed; the others are
   */
  @Override
  public void close() throws IOException {
    underWay.addAll(early.values());
    underWay.forEach(one -> one.cancel(false));
    try (Closer closer = Closer.create()) {
      synchronized (ready) {
        givenUp = true;
        ready.forEach(closer::register);
        ready.clear();
      }
    }
  }
}
