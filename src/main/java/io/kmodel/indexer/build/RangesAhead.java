package io.kmodel.indexer.build;

import io.kmodel.indexer.merge.TermRange;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;

/**
 * Ranges of terms that are merged side by side and wanted in order: so many of them are at work, or
 * wait until it is their turn. A term that is very frequent is a range that takes several times as
 * long as others, and where such a one stands near the end, as English's does, all threads but its
 * own would be done before; so it is begun first. Used by one thread.
 */
final class RangesAhead<T extends Closeable> {
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

  /** Has a range merged. */
  @FunctionalInterface
  interface Merging<T> {
    /**
     * Begins with one.
     *
     * @param early whether it will wait for long until it is its turn
     */
    Future<T> begin(TermRange range, boolean early);
  }

  /** Of the mean's bytes, in a range that may have to be begun first. */
  private static final int LONG = 2;

  private final List<TermRange> ranges;
  private final Limits limits;
  private final Merging<T> merging;

  /** Those that were begun first, by their places. */
  private final Map<Integer, Future<T>> early = new HashMap<>();

  /** In order; the first is whose turn it is. */
  private final Deque<Future<T>> underWay = new ArrayDeque<>();

  private int next;

  /**
   * Some ranges, none of which is begun yet.
   *
   * @param first the range that is wanted first
   * @param merging merges the ranges in the order of the calls
   */
  RangesAhead(List<TermRange> ranges, int first, Limits limits, Merging<T> merging) {
    this.ranges = ranges;
    this.limits = limits;
    this.merging = merging;
    this.next = first;
  }

  /** Begins with merging. */
  void begin() {
    for (int place : longOnes(ranges, next, limits)) {
      early.put(place, merging.begin(ranges.get(place), true));
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

  /** Ends its turn, and begins with another one. */
  void remove() {
    underWay.remove();
    beginNext();
  }

  private void beginNext() {
    for (; next < ranges.size() && underWay.size() + early.size() < limits.ahead; next++) {
      Future<T> begun = early.remove(next);
      underWay.add(begun == null ? merging.begin(ranges.get(next), false) : begun);
    }
  }

  /** After a failure: closes what is ready; what is at work is given up, with what comes of it. */
  void closeAll() throws IOException {
    underWay.addAll(early.values());
    for (Future<T> one : underWay) {
      if (!one.cancel(false) && one.state() == Future.State.SUCCESS) {
        one.resultNow().close();
      }
    }
  }
}
