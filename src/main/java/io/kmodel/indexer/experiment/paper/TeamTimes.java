package io.kmodel.indexer.experiment.paper;

import io.kmodel.indexer.sort.device.DevicesSorter.Phase;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How long the steps of a sort over several devices took, in seconds of the host's clock: events of
 * different devices cannot be compared. A step ends when all devices have finished it.
 */
final class TeamTimes {
  /** In their order; those from PIVOTS to MERGE are sums over all rounds of merges. */
  enum Step {
    UPLOAD,
    SORT,
    PIVOTS,
    EXCHANGE,
    MERGE,
    DOWNLOAD;

    static Step of(Phase phase) {
      return switch (phase) {
        case SORT -> SORT;
        case PIVOTS -> PIVOTS;
        case EXCHANGE -> EXCHANGE;
        case MERGE -> MERGE;
      };
    }
  }

  private final Map<Step, Double> seconds = new EnumMap<>(Step.class);
  private long lap;

  /** Starts the clock. */
  void start() {
    lap = System.nanoTime();
  }

  /** Adds the time since the last call to a step. */
  void lap(Step step) {
    long now = System.nanoTime();
    seconds.merge(step, (now - lap) / 1e9, Double::sum);
    lap = now;
  }

  double of(Step step) {
    return seconds.getOrDefault(step, 0.0);
  }

  /** All steps but the transfers from and to the host. */
  double sorting() {
    return all() - of(Step.UPLOAD) - of(Step.DOWNLOAD);
  }

  double all() {
    return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  static TeamTimes mean(List<TeamTimes> some) {
    TeamTimes mean = new TeamTimes();
    for (Step step : Step.values()) {
      mean.seconds.put(
          step, some.stream().mapToDouble(times -> times.of(step)).average().orElseThrow());
    }
    return mean;
  }
}
