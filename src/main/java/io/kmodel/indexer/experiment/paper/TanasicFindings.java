package io.kmodel.indexer.experiment.paper;

import io.kmodel.indexer.experiment.Spread;
import io.kmodel.indexer.experiment.paper.Figure.Line;
import io.kmodel.indexer.experiment.paper.TeamRaces.Sort;
import io.kmodel.indexer.experiment.paper.TeamTimes.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The claims of Tanasic et al., sections 5.1 to 5.4, beside the measurements. */
final class TanasicFindings {
  private final TeamRaces races;
  private final List<Integer> counts;
  private final int threads;

  /** The keys of most findings. */
  private final long keys;

  TanasicFindings(TeamRaces races, List<Integer> counts, int threads) {
    this.races = races;
    this.counts = counts;
    this.threads = threads;
    this.keys = races.sizes().getLast();
  }

  /** A sentence or two for each claim. */
  List<String> all(Figure withTransfers, List<String> onCpu) {
    return List.of(
        peak(),
        speedUps(),
        lastDoubling(),
        cpu(withTransfers, onCpu),
        transfers(),
        phases(),
        widths(),
        others(),
        limits());
  }

  private int most() {
    return counts.getLast();
  }

  private Sort merge(int keyBytes, int devices) {
    return new Sort(TeamRaces.MERGE, keyBytes, devices, keys);
  }

  private String peak() {
    Sort one = merge(Integer.BYTES, 1);
    long best =
        races.sizes().stream()
            .max(
                Comparator.comparingDouble(
                    size -> size / races.median(one.of(size), TeamTimes::sorting)))
            .orElseThrow();
    return String.format(
        Locale.ROOT,
        "The paper: one GPU is fastest at 2^20 records and slower with more. Here it is fastest at %,d keys of 32 bits of up to %,d.",
        best,
        keys);
  }

  private String speedUps() {
    return String.format(
        Locale.ROOT,
        "The paper: two GPUs sort up to 1.9 times as fast as one, four 3.3 times. Here, with %,d keys of 32 bits, %s.",
        keys,
        speedUps(TeamRaces.MERGE, Integer.BYTES));
  }

  private String speedUps(String sorter, int keyBytes) {
    Sort one = new Sort(sorter, keyBytes, 1, keys);
    List<String> some = new ArrayList<>();
    for (int count : counts) {
      if (count > 1) {
        double times = Spread.median(races.speedUps(one.on(count), one));
        some.add(String.format(Locale.ROOT, "%d GPUs %.2f times", count, times));
      }
    }
    return String.join(", ", some);
  }

  private String lastDoubling() {
    int before = counts.get(counts.size() - 2);
    Sort all = merge(Integer.BYTES, most());
    double least = Spread.of(ratios(all, before)).least();
    double largest = Spread.of(ratios(all, before)).most();
    return String.format(
        Locale.ROOT,
        "The paper: four GPUs sort up to 1.7 times as fast as two, and more GPUs gain only with enough keys. Here %d over %d gain %.2f to %.2f times, depending on the number of keys.",
        most(),
        before,
        least,
        largest);
  }

  private double[] ratios(Sort all, int before) {
    return races.sizes().stream()
        .mapToDouble(size -> Spread.median(races.speedUps(all.of(size), all.of(size).on(before))))
        .toArray();
  }

  private String cpu(Figure withTransfers, List<String> onCpu) {
    Line fastest =
        onCpu.stream()
            .map(withTransfers::line)
            .filter(line -> !Double.isNaN(line.at((double) keys)))
            .max(Comparator.comparingDouble(line -> line.at((double) keys)))
            .orElseThrow();
    String ratios =
        counts.stream()
            .map(
                count ->
                    String.format(
                        Locale.ROOT,
                        "%d GPU%s %.2f times",
                        count,
                        count == 1 ? "" : "s",
                        keys
                            / races.median(merge(Integer.BYTES, count), TeamTimes::all)
                            / 1e6
                            / fastest.at((double) keys)))
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "The paper: with transfers, as many GPUs as CPUs are about as fast, and four GPUs up to 1.8 times as fast as two CPUs. Here, over the CPU's %s of up to %d thread%s, %s at %,d keys of 32 bits.",
        fastest.name(),
        threads,
        threads == 1 ? "" : "s",
        ratios,
        keys);
  }

  private static double transferShare(TeamTimes times) {
    return 1 - times.sorting() / times.all();
  }

  private String transfers() {
    return String.format(
        Locale.ROOT,
        "The paper: transfers from and to the host take 17 to 32 %% of the time with four GPUs. Here, with %d, they take %.0f %% of it for 32 bits and %.0f %% for 64.",
        most(),
        100 * races.median(merge(Integer.BYTES, most()), TanasicFindings::transferShare),
        100 * races.median(merge(Long.BYTES, most()), TanasicFindings::transferShare));
  }

  private double share(Step step) {
    Sort all = merge(Integer.BYTES, most());
    return 100 * races.median(all, times -> times.of(step) / times.sorting());
  }

  private String phases() {
    return String.format(
        Locale.ROOT,
        "The paper: local sorts take 60 to 70 %% of a sort on four GPUs, the search for pivots 0.01 to 0.07 %%. Here, on %d, local sorts take %.0f %%, pivots %.2f %%, exchanges %.0f %% and merges %.0f %%.",
        most(),
        share(Step.SORT),
        share(Step.PIVOTS),
        share(Step.EXCHANGE),
        share(Step.MERGE));
  }

  private String widths() {
    double narrow = races.median(merge(Integer.BYTES, most()), TeamTimes::all);
    double wide = races.median(merge(Long.BYTES, most()), TeamTimes::all);
    return String.format(
        Locale.ROOT,
        "The paper: with keys of 64 bits instead of 32, and values, the rate is 79 to 85 %%. Here, without values, it is %.0f %% with transfers.",
        100 * narrow / wide);
  }

  private String others() {
    return String.format(
        Locale.ROOT,
        "The paper: any sort can come first on each GPU. Here, with %,d keys of 64 bits, the speed-up is %s with radix sort, and %s with the network in place.",
        keys,
        speedUps("radix", Long.BYTES),
        speedUps("network", Long.BYTES));
  }

  private String limits() {
    return String.format(
        Locale.ROOT,
        "Keys have no values here, and those of 64 bits have 62 random ones. They go from GPU to GPU %s.",
        races.arePeers() ? "directly" : "through the host's memory, since not all are peers");
  }
}
