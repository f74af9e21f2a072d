package io.kmodel.indexer.evaluate;

import com.google.common.collect.ImmutableList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** One topic's documents, best first, with what was judged of them. Ranks count from 1. */
public final class JudgedRanking {
  private static final int NOT_JUDGED = -1;

  private final int[] relevances;
  private final ImmutableList<Integer> gains;
  private final int notRelevant;

  JudgedRanking(List<String> documents, Map<String, Integer> judgements) {
    this.relevances =
        documents.stream().mapToInt(id -> judgements.getOrDefault(id, NOT_JUDGED)).toArray();
    this.gains =
        judgements.values().stream()
            .filter(relevance -> relevance > 0)
            .sorted(Comparator.reverseOrder())
            .collect(ImmutableList.toImmutableList());
    this.notRelevant = (int) judgements.values().stream().filter(judged -> judged == 0).count();
  }

  int retrieved() {
    return relevances.length;
  }

  /** Documents judged relevant, found or not. */
  int relevant() {
    return gains.size();
  }

  /** Documents judged not relevant, found or not. */
  int notRelevant() {
    return notRelevant;
  }

  /** Below 0 where it is not judged. */
  int relevance(int rank) {
    return relevances[rank - 1];
  }

  boolean isRelevant(int rank) {
    return relevance(rank) > 0;
  }

  /** Relevant documents among the first k. */
  int relevantRetrieved(int k) {
    int found = 0;
    for (int rank = 1; rank <= Math.min(k, retrieved()); rank++) {
      found += isRelevant(rank) ? 1 : 0;
    }
    return found;
  }

  /** The relevance of all relevant documents, best first. */
  ImmutableList<Integer> gains() {
    return gains;
  }
}
