package io.kmodel.indexer.index;

import java.util.Arrays;

/**
 * How many terms are how frequent: by the power of two below the number of their documents, and of
 * their occurrences. Memory: a kilobyte. Not thread-safe.
 */
public final class TermDistribution {
  private final long[] byDocuments = new long[Long.SIZE];
  private final long[] byOccurrences = new long[Long.SIZE];

  /** Counts a term, both of whose numbers are at least 1. */
  void add(int documents, long occurrences) {
    byDocuments[power(documents)]++;
    byOccurrences[power(occurrences)]++;
  }

  private static int power(long number) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(number);
  }

  /** Terms in 2^i to 2^(i+1) − 1 documents, for i from 0 to the last that occurs. */
  public long[] byDocuments() {
    return trimmed(byDocuments);
  }

  /** The same by occurrences. */
  public long[] byOccurrences() {
    return trimmed(byOccurrences);
  }

  private static long[] trimmed(long[] counts) {
    int end = counts.length;
    while (end > 0 && counts[end - 1] == 0) {
      end--;
    }
    return Arrays.copyOf(counts, end);
  }
}
