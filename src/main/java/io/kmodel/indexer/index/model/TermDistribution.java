package io.kmodel.indexer.index.model;

import java.util.Arrays;

/**
 * Counts terms by the power of two at or below their document frequency, and at or below their
 * total frequency. Memory: 1 KiB. Not thread-safe.
 */
public final class TermDistribution {
  private final long[] byDocuments = new long[Long.SIZE];
  private final long[] byOccurrences = new long[Long.SIZE];

  /** Counts a term; both numbers must be at least 1. */
  public void add(int documents, long occurrences) {
    byDocuments[power(documents)]++;
    byOccurrences[power(occurrences)]++;
  }

  private static int power(long number) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(number);
  }

  /** Number of terms in 2^i to 2^(i+1) − 1 documents, for i from 0 to the largest that occurs. */
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
