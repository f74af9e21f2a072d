package io.kmodel.indexer.experiment.strings;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;

/**
 * How often strings tie: what Figures 8 and 9 of Davidson et al. count. A key is a string's first
 * bytes, and a tie two equal keys of strings that have more bytes.
 */
public final class StringTies {
  private final ByteStrings strings;
  private final int[] order;

  /** Counts for strings in their order. */
  public StringTies(ByteStrings strings, int[] order) {
    this.strings = strings;
    this.order = order;
  }

  /**
   * Ties among the comparisons of each step of a merge sort that merges two lists at a time, from
   * lists of one string on.
   *
   * @param keyBytes of a key, 1 to 8
   */
  public long[] tiesOfSteps(int keyBytes) {
    int n = order.length;
    int[] read = new int[n];
    for (int rank = 0; rank < n; rank++) {
      read[order[rank]] = rank;
    }
    int[] groups = groups(keyBytes);
    int[] write = new int[n];
    long[] ties = new long[n < 2 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(n - 1)];
    for (int step = 0; step < ties.length; step++) {
      for (long from = 0; from < n; from += 2L << step) {
        int middle = (int) Math.min(n, from + (1L << step));
        int end = (int) Math.min(n, from + (2L << step));
        ties[step] += merge(read, write, (int) from, middle, end, groups);
      }
      int[] swap = read;
      read = write;
      write = swap;
    }
    return ties;
  }

  /** By rank, the first rank of a tie with it. Strings that end within the key tie with none. */
  private int[] groups(int keyBytes) {
    int[] groups = new int[order.length];
    for (int rank = 0; rank < groups.length; rank++) {
      groups[rank] = rank > 0 && isTied(rank, keyBytes) ? groups[rank - 1] : rank;
    }
    return groups;
  }

  private boolean isTied(int rank, int keyBytes) {
    int before = order[rank - 1];
    int here = order[rank];
    int shift = Long.SIZE - Byte.SIZE * keyBytes;
    return strings.length(before) > keyBytes
        && strings.length(here) > keyBytes
        && strings.firstBytes(before) >>> shift == strings.firstBytes(here) >>> shift;
  }

  private static long merge(int[] read, int[] write, int from, int middle, int end, int[] groups) {
    long ties = 0;
    int left = from;
    int right = middle;
    for (int to = from; to < end; to++) {
      if (left == middle || right == end) {
        write[to] = left == middle ? read[right++] : read[left++];
        continue;
      }
      if (groups[read[left]] == groups[read[right]]) {
        ties++;
      }
      write[to] = read[left] < read[right] ? read[left++] : read[right++];
    }
    return ties;
  }

  /** Sets of tied strings by the logarithm of their size, rounded down, from two strings on. */
  public long[] setsBySize(int keyBytes) {
    int[] groups = groups(keyBytes);
    long[] counts = new long[Integer.SIZE];
    int first = 0;
    for (int rank = 1; rank <= groups.length; rank++) {
      if (rank == groups.length || groups[rank] != groups[first]) {
        counts[Integer.SIZE - 1 - Integer.numberOfLeadingZeros(rank - first)]++;
        first = rank;
      }
    }
    counts[0] = 0;
    return counts;
  }

  /**
   * Strings by their length.
   *
   * @param most the length of the last count, which has longer ones, too
   */
  public long[] byLength(int most) {
    return histogram(most, counter -> Arrays.stream(order).map(strings::length).forEach(counter));
  }

  /** The same by the bytes that a string shares with the one before it in order. */
  public long[] byShared(int most) {
    IntUnaryOperator shared = rank -> strings.shared(order[rank - 1], order[rank]);
    return histogram(
        most,
        counter -> {
          for (int rank = 1; rank < order.length; rank++) {
            counter.accept(shared.applyAsInt(rank));
          }
        });
  }

  private static long[] histogram(int most, Consumer<IntConsumer> values) {
    long[] counts = new long[most + 1];
    values.accept(value -> counts[Math.min(value, most)]++);
    return counts;
  }
}
