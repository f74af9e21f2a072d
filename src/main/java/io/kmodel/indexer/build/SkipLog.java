package io.kmodel.indexer.build;

import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts what was left out, by reason, and keeps the first few of each. Safe for many threads. */
public final class SkipLog implements SkipListener {
  /** One document that was left out. */
  public record Skipped(String place, String detail) {}

  private static final int KEPT_PER_REASON = 10;

  private final Map<SkipReason, Long> counts = new EnumMap<>(SkipReason.class);
  private final Map<SkipReason, List<Skipped>> examples = new EnumMap<>(SkipReason.class);

  @Override
  public synchronized void skipped(String place, SkipReason reason, String detail) {
    counts.merge(reason, 1L, Long::sum);
    List<Skipped> kept = examples.computeIfAbsent(reason, r -> new ArrayList<>());
    if (kept.size() < KEPT_PER_REASON) {
      kept.add(new Skipped(place, detail));
    }
  }

  public synchronized long total() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many, by reason. */
  public synchronized Map<SkipReason, Long> counts() {
    return new EnumMap<>(counts);
  }

  public synchronized Map<SkipReason, List<Skipped>> examples() {
    Map<SkipReason, List<Skipped>> copy = new EnumMap<>(SkipReason.class);
    examples.forEach((reason, kept) -> copy.put(reason, List.copyOf(kept)));
    return copy;
  }
}
