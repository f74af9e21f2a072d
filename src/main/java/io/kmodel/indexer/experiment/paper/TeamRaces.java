package io.kmodel.indexer.experiment.paper;

import io.kmodel.indexer.experiment.Spread;
import io.kmodel.indexer.experiment.Turns;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Races of numbers of devices and of sorters on them. They take turns with the same keys, other
 * ones in each round; the first round is not recorded. Each result is checked before its time
 * counts.
 */
final class TeamRaces {
  static final String MERGE = "merge";

  /** The first one sorts any number of keys, the others only the most. */
  static final List<String> SORTERS = List.of(MERGE, "radix", "network");

  private static final long SEED = 2013; // Arbitrary, but figures are only comparable for one seed.

  /** A sort of keys of 4 or 8 bytes on the first devices. */
  record Sort(String sorter, int keyBytes, int devices, long keys) {
    Sort of(long otherKeys) {
      return new Sort(sorter, keyBytes, devices, otherKeys);
    }

    Sort on(int otherDevices) {
      return new Sort(sorter, keyBytes, otherDevices, keys);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s of %,d keys of %d bits on %d GPU%s",
          sorter,
          keys,
          Byte.SIZE * keyBytes,
          devices,
          devices == 1 ? "" : "s");
    }
  }

  private final PaperSetting setting;
  private final List<Long> sizes;
  private final Consumer<String> out;
  private final Map<Sort, List<TeamTimes>> recorded = new LinkedHashMap<>();
  private boolean arePeers;

  TeamRaces(PaperSetting setting, List<Long> sizes, Consumer<String> out) {
    this.setting = setting;
    this.sizes = List.copyOf(sizes);
    this.out = out;
  }

  /** 1, 2, 4 … devices, and all. */
  List<Integer> counts() {
    int all = setting.devices().size();
    List<Integer> counts = new ArrayList<>();
    for (int count = 1; count < all; count *= 2) {
      counts.add(count);
    }
    counts.add(all);
    return counts;
  }

  List<Long> sizes() {
    return sizes;
  }

  /** Whether keys went from device to device without the host. */
  boolean arePeers() {
    return arePeers;
  }

  /**
   * Runs all rounds of all sizes.
   *
   * @throws IllegalStateException if a result is wrong
   * @throws java.nio.channels.ClosedByInterruptException if the thread is interrupted
   */
  void run(List<Integer> keyBytes) throws IOException {
    try (Arena arena = Arena.ofShared();
        DeviceTeam team = new DeviceTeam(setting.devices(), counts(), SORTERS, sizes.getLast())) {
      arePeers = team.arePeers();
      TeamKeys keys = new TeamKeys(sizes.getLast(), arena);
      for (int width : keyBytes) {
        for (long size : sizes) {
          race(team, keys, sorts(width, size));
        }
      }
    }
  }

  private List<Sort> sorts(int keyBytes, long keys) {
    List<Sort> sorts = new ArrayList<>();
    for (String sorter : SORTERS) {
      if (sorter.equals(MERGE) || keys == sizes.getLast()) {
        counts().forEach(count -> sorts.add(new Sort(sorter, keyBytes, count, keys)));
      }
    }
    return sorts;
  }

  private void race(DeviceTeam team, TeamKeys keys, List<Sort> sorts) throws IOException {
    Sort any = sorts.getFirst();
    List<List<TeamTimes>> times =
        Turns.take(
            1,
            setting.rounds(),
            sorts.size(),
            round -> {
              keys.fill(any.keys(), any.keyBytes(), SEED + round);
              return keys;
            },
            (who, filled) -> turn(team, filled, sorts.get(who)));
    for (int i = 0; i < sorts.size(); i++) {
      recorded.put(sorts.get(i), times.get(i));
    }
    sorts.forEach(sort -> out.accept(line(sort)));
  }

  /** Sorts small numbers of keys several times, for the clock's precision. */
  private TeamTimes turn(DeviceTeam team, TeamKeys keys, Sort sort) {
    List<TeamTimes> some = new ArrayList<>();
    for (long i = 0; i < Math.ceilDiv(setting.keysOfATurn(), sort.keys()); i++) {
      keys.load(team.host());
      some.add(team.sort(sort.sorter(), sort.keyBytes(), sort.devices(), sort.keys()));
      keys.verify(sort.toString(), team.host());
    }
    return TeamTimes.mean(some);
  }

  private String line(Sort sort) {
    return String.format(
        Locale.ROOT,
        "%-50s %10.3f ms, %10.3f ms with transfers",
        sort,
        1e3 * median(sort, TeamTimes::sorting),
        1e3 * median(sort, TeamTimes::all));
  }

  /** The times of each round. */
  List<TeamTimes> times(Sort sort) {
    List<TeamTimes> times = recorded.get(sort);
    if (times == null) {
      throw new IllegalArgumentException("no such race: " + sort);
    }
    return times;
  }

  double median(Sort sort, ToDoubleFunction<TeamTimes> value) {
    return Spread.median(times(sort).stream().mapToDouble(value).toArray());
  }

  /** How many times as fast one sort is as another in each round, without transfers. */
  double[] speedUps(Sort sort, Sort other) {
    double[] speedUps = new double[setting.rounds()];
    for (int round = 0; round < speedUps.length; round++) {
      speedUps[round] = times(other).get(round).sorting() / times(sort).get(round).sorting();
    }
    return speedUps;
  }
}
