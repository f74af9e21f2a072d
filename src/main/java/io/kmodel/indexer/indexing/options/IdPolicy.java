package io.kmodel.indexer.indexing.options;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What happens to documents with the same id when indexes are merged. */
public enum IdPolicy {
  /** All of them stay. */
  KEEP,
  /** The first one stays. */
  SKIP,
  /** The merge fails. */
  ERROR,
  /** The last one stays: it replaces the others. */
  LAST;

  /**
   * Returns the policy that an index records.
   *
   * @throws IllegalArgumentException if there is no such policy
   */
  public static IdPolicy of(String label) {
    for (IdPolicy policy : values()) {
      if (policy.label().equals(label)) {
        return policy;
      }
    }
    List<String> known = Arrays.stream(values()).map(IdPolicy::label).toList();
    throw new IllegalArgumentException(
        "expected one of %s; got '%s'".formatted(String.join(", ", known), label));
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
