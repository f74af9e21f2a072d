package io.kmodel.indexer.experiment.paper;

import io.kmodel.indexer.experiment.SortContestants;
import io.kmodel.indexer.experiment.SortMeasurement;
import io.kmodel.indexer.experiment.SortRace;
import io.kmodel.indexer.experiment.SortSetting;
import io.kmodel.indexer.experiment.SortSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Runs a paper's races and shows each as a table. */
final class Races {
  private final PaperSetting setting;
  private final Consumer<String> out;

  Races(PaperSetting setting, Consumer<String> out) {
    this.setting = setting;
    this.out = out;
  }

  /**
   * The numbers of keys of races, from the least to the most, each four times the one before, or
   * less at the end.
   */
  List<Long> sizes() {
    List<Long> sizes = new ArrayList<>();
    for (long keys = setting.leastKeys(); keys <= setting.mostKeys(); keys *= 4) {
      sizes.add(keys);
    }
    if (sizes.getLast() < setting.mostKeys()) {
      sizes.add(setting.mostKeys());
    }
    return sizes;
  }

  List<Long> most() {
    return List.of(setting.mostKeys());
  }

  /** Races all sorters that this machine can run. */
  Figure run(Comparison comparison) throws IOException {
    out.accept("\n" + comparison.title());
    List<SortMeasurement> all = new ArrayList<>();
    List<String> sorters = usable(comparison.sorters());
    SortRace race =
        new SortRace(sorters, setting.rounds(), 1, setting.keysOfATurn()).withFreshKeys();
    if (setting.device().isPresent()) {
      race = race.on(setting.device().get());
    }
    for (SortSetting keys : comparison.settings()) {
      List<SortMeasurement> measurements = race.run(keys);
      out.accept("\n" + new SortSummary(measurements).toString().stripTrailing());
      all.addAll(measurements);
    }
    return comparison.figure(all);
  }

  private List<String> usable(List<String> sorters) {
    List<String> usable = new ArrayList<>();
    for (String sorter : sorters) {
      boolean isUsable =
          SortContestants.isOnDevice(sorter)
              ? setting.device().isPresent()
              : SortContestants.whyNot(sorter).isEmpty();
      if (isUsable) {
        usable.add(sorter);
      }
    }
    return usable;
  }
}
