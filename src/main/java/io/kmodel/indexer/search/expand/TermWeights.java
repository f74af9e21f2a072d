package io.kmodel.indexer.search.expand;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Sets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * Weights of terms. They are floats, rounded at the same steps as Anserini's, because equal scores
 * need equal weights. Not thread-safe.
 */
final class TermWeights {
  private static final Comparator<Map.Entry<String, Float>> HEAVIEST_FIRST =
      Map.Entry.<String, Float>comparingByValue(Comparator.reverseOrder())
          .thenComparing(Map.Entry.comparingByKey());

  private final Map<String, Float> weights = new HashMap<>();

  void add(String term, float weight) {
    weights.merge(term, weight, Float::sum);
  }

  int size() {
    return weights.size();
  }

  double sum() {
    double sum = 0;
    for (float weight : weights.values()) {
      sum += weight;
    }
    return sum;
  }

  /** The weights, the heaviest first, equal ones in the order of their terms. */
  ImmutableMap<String, Float> heaviest(int count) {
    return weights.entrySet().stream()
        .sorted(HEAVIEST_FIRST)
        .limit(count)
        .collect(ImmutableMap.toImmutableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** The heaviest weights divided by their sum; none if that is 0. */
  TermWeights normalized(int count) {
    TermWeights result = new TermWeights();
    heaviest(count).forEach(result::add);
    double sum = result.sum();
    if (sum == 0) {
      return new TermWeights();
    }
    result.weights.replaceAll((term, weight) -> (float) (weight / sum));
    return result;
  }

  /** Adds these weights times {@code share} and others times the rest of 1. */
  TermWeights mixedWith(TermWeights others, float share) {
    TermWeights result = new TermWeights();
    for (String term : Sets.union(weights.keySet(), others.weights.keySet())) {
      result.add(term, (float) (share * of(term) + (1.0 - share) * others.of(term)));
    }
    return result;
  }

  private float of(String term) {
    return weights.getOrDefault(term, 0f);
  }
}
