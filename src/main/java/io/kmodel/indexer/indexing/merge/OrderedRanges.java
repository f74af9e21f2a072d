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
 * Merges term ranges concurrently and returns them in order; a limited number is in progress or
 * waits for its turn. A very frequent term makes a range that takes several times as long as
 * others. If it comes near the end, as in English, all other threads would be idle before it ends;
 * so such ranges start early. Used by one thread, besides those that merge.
 */
final class OrderedRanges<T extends Closeable> implements Closeable {
  /**
   * Limits on concurrency.
   *
   * @param threads that merge
   * @param ahead how many ranges may be in progress or wait, at least 1
   */
  record Limits(int threads, int ahead) {
    /** How many ranges may start early, so that one is left for each thread. */
    int early() {
      return Math.clamp(ahead - threads, 0, threads) / 2;
    }
  }

  /** Merges a range. */
  @FunctionalInterface
  interface Merging<T> {
    /**
     * Merges the range, in one of the threads.
     *
     * @param early whether the result will wait long for its turn
     */
    T merge(TermRange range, boolean early) throws IOException;
  }

  /** Runs tasks in some threads; they start in the order of the calls. */
  @FunctionalInterface
  interface Threads<T> {
    Future<T> submit(Callable<T> task);
  }

  /** A range may start early if it has this many times the mean bytes. */
  private static final int LONG = 2;

  private final List<TermRange> ranges;
  private final Limits limits;
  private final Merging<T> merging;
  private final Threads<T> threads;

  /** Results that are not taken yet; guards {@link #givenUp}. */
  private final Set<T> ready = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Whether results are to be discarded. */
  private boolean givenUp;

  /** Ranges that were started early, by position. */
  private final Map<Integer, Future<T>> early = new HashMap<>();

  /** Started ranges in order; the first one is next. */
  private final Deque<Future<T>> underWay = new ArrayDeque<>();

  private int next;

  /**
   * For ranges that are not started yet.
   *
   * @param first position of the first range to merge
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

  /** Starts merging. */
  void begin() {
    for (int place : longOnes(ranges, next, limits)) {
      early.put(place, begin(ranges.get(place), true));
    }
    beginNext();
  }

  /**
   * Finds the ranges that would end after all their successors if merged in order. The last ones
   * come first, because they would delay the end most.
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

  /** The next range; stays until {@link #remove}. */
  Future<T> element() {
    return underWay.element();
  }

  /** Removes the next range, whose result the caller owns now, and starts another one. */
  void remove() {
    Future<T> taken = underWay.remove();
    synchronized (ready) {
      ready.remove(taken.resultNow());
    }
    beginNext();
  }

  private void beginNext() {
    for (; next < ranges.size() && underWay.size() + early.size() < limits.ahead; next++) {
      Future<T> started = early.remove(next);
      underWay.add(started == null ? begin(ranges.get(next), false) : started);
    }
  }

  private Future<T> begin(TermRange range, boolean isEarly) {
    return threads.submit(() -> made(merging.merge(range, isEarly)));
  }

  /** Keeps a result until it is taken; called by the thread that merged it. */
  private T made(T part) throws IOException {
    synchronized (ready) {
      if (!givenUp) {
        ready.add(part);
        return part;
      }
    }
    try (part) {
      throw new CancellationException("the merge has failed; the range is discarded");
    }
  }

  /**
   * After a failure: closes the results that are ready. Threads that still merge close their
   * results themselves; this method does not wait for them.
   *
   * @throws IOException if a result could not be closed; the others are
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
