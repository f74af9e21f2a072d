package io.kmodel.indexer.indexing.options;

import java.util.Locale;

/**
 * What happens to a document whose text is nearly that of an earlier one.
 *
 * @param policy what happens to it
 * @param threshold the similarity from which two documents count as near duplicates: the share of
 *     their distinct sequences of five words that both have, from {@value #LEAST} to 1
 */
public record NearDuplicates(Policy policy, double threshold) {
  /** Below it, most candidates would be other documents, and comparing them would take long. */
  public static final double LEAST = 0.6;

  public static final double USUAL = 0.8;

  /** Raised with every change of signatures, which a resumed build may have from before. */
  private static final int SIGNATURES = 2;

  /** Documents are not compared. */
  public static final NearDuplicates KEEP = new NearDuplicates(Policy.KEEP, USUAL);

  /** What happens to near duplicates. */
  public enum Policy {
    /** They are indexed, and not looked for. */
    KEEP,
    /** They are indexed and listed. */
    REPORT,
    /** They are listed and left out. */
    SKIP
  }

  public NearDuplicates {
    if (!(threshold >= LEAST && threshold <= 1)) {
      throw new IllegalArgumentException(
          "the threshold of near duplicates must be %s to 1; got %s".formatted(LEAST, threshold));
    }
  }

  /** Whether documents are compared. */
  public boolean areFound() {
    return policy != Policy.KEEP;
  }

  /** Whether documents are left out. */
  public boolean areSkipped() {
    return policy == Policy.SKIP;
  }

  /** The policy, the threshold and the version of signatures in words. */
  @Override
  public String toString() {
    String name = policy.name().toLowerCase(Locale.ROOT);
    return areFound()
        ? "%s from %s, signatures of version %d".formatted(name, threshold, SIGNATURES)
        : name;
  }
}
