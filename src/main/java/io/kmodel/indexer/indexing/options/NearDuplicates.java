package io.kmodel.indexer.indexing.options;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

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
  private static final int SIGNATURES = 3;

  /** Options of a build, by name. */
  private static final String POLICY = "near-duplicates";

  private static final String SIMILARITY = "near-duplicate-similarity";
  private static final String VERSION = "the version of signatures";

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

  /** Adds what decides which documents are found, by name; nothing if they are not compared. */
  void addTo(Map<String, String> options) {
    if (areFound()) {
      options.put(POLICY, name(policy));
      options.put(SIMILARITY, String.valueOf(threshold));
      options.put(VERSION, String.valueOf(SIGNATURES));
    }
  }

  /** Whether a build with these options compared documents. */
  public static boolean areFoundWith(Map<String, String> options) {
    return options.containsKey(POLICY);
  }

  /** If only one of two builds compared documents, leaves the policy as their only difference. */
  public static void nameDifference(Map<String, String> before, Map<String, String> now) {
    if (areFoundWith(before) != areFoundWith(now)) {
      for (Map<String, String> options : List.of(before, now)) {
        options.putIfAbsent(POLICY, name(Policy.KEEP));
        options.keySet().removeAll(Set.of(SIMILARITY, VERSION));
      }
    }
  }

  private static String name(Policy policy) {
    return policy.name().toLowerCase(Locale.ROOT);
  }
}
