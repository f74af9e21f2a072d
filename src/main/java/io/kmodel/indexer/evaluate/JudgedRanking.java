package io.kmodel.indexer.evaluate;

import com.google.common.collect.ImmutableList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * One topic's documents, best first, with their judgements. A document is relevant if its judgement
 * is at or above a level, and not relevant if it is from 0 to below the level. Ranks count from 1.
 */
public final class JudgedRanking {
  private static final int NOT_JUDGED = -1;

  private final int[] relevances;
  private final int level;
  private final int relevant;
  private final int notRelevant;
  private final ImmutableList<Integer> gains;

  JudgedRanking(List<String> documents, Map<String, Integer> judgements, int level) {
    this.relevances =
        documents.stream().mapToInt(id -> judgements.getOrDefault(id, NOT_JUDGED)).toArray();
    this.level = level;
    this.relevant = (int) judgements.values().stream().filter(judged -> judged >= level).count();
    this.notRelevant = (int) judgements.values().stream().filter(this::isBelowLevel).count();
    this.gains =
        judgements.values().stream()
            .filter(relevance -> relevance > 0)
            .sorted(Comparator.reverseOrder())
            .collect(ImmutableList.toImmutableList());
  }

  private boolean isBelowLevel(int relevance) {
    return relevance >= 0 && relevance < level;
  }

  int retrieved() {
    return relevances.length;
  }

  /** Documents judged relevant, found or not. */
  int relevant() {
    return relevant;
  }

  /** Documents judged not relevant, found or not. */
  int notRelevant() {
    return notRelevant;
  }

  /** The relevance of the document at a rank; negative if it is not judged. */
  int relevance(int rank) {
    return relevances[rank - 1];
  }

  boolean isRelevant(int rank) {
    return relevance(rank) >= level;
  }

  boolean isNotRelevant(int rank) {
    return isBelowLevel(relevance(rank));
  }

  /** Relevant documents among the first k. */
  int relevantRetrieved(int k) {
    int found = 0;
    for (int rank = 1; rank <= Math.min(k, retrieved()); rank++) {
      found += isRelevant(rank) ? 1 : 0;
    }
    return found;
  }

  /** All relevance values above 0, in descending order; independent of the level. */
  ImmutableList<Integer> gains() {
    return gains;
  }
}
