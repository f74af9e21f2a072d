package io.kmodel.indexer.experiment;

import com.google.common.io.Closer;
import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.sort.KeyCheck;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Races sorters on the same keys. They take turns; each round starts with another sorter, and the
 * first rounds are not recorded. Each output is checked before its time counts: it must be in order
 * and have the same keys as the input.
 *
 * <p>Memory: 16 bytes per key for the keys and the check, and each sorter's memory (16 bytes per
 * key; 8 on the heap for sorters of arrays).
 */
public final class SortRace {
  /** Minimum keys per turn, reached by several sorts if necessary, for the clock's precision. */
  public static final long KEYS_OF_A_TURN = 1 << 22;

  private static final long SEED =
      20101; // Arbitrary, but figures are only comparable for one seed.

  private final List<String> sorters;
  private final int rounds;
  private final int warmUpRounds;
  private final long keysOfATurn;
  private final Optional<RaceDevice> device;
  private final boolean freshKeys;

  /** Creates a race of sorters known to {@link SortContestants}. */
  public SortRace(List<String> sorters, int rounds, int warmUpRounds) {
    this(sorters, rounds, warmUpRounds, KEYS_OF_A_TURN);
  }

  /**
   * Creates a race with turns of another size.
   *
   * @param keysOfATurn minimum keys per turn, reached by several sorts if necessary
   */
  public SortRace(List<String> sorters, int rounds, int warmUpRounds, long keysOfATurn) {
    this(sorters, rounds, warmUpRounds, keysOfATurn, Optional.empty(), false);
  }

  private SortRace(
      List<String> sorters,
      int rounds,
      int warmUpRounds,
      long keysOfATurn,
      Optional<RaceDevice> device,
      boolean freshKeys) {
    if (sorters.isEmpty() || rounds < 1 || warmUpRounds < 0) {
      throw new IllegalArgumentException(
          "a race needs at least 1 sorter and 1 round; got %s, %d rounds and %d to warm up"
              .formatted(sorters, rounds, warmUpRounds));
    }
    this.sorters = List.copyOf(sorters);
    this.rounds = rounds;
    this.warmUpRounds = warmUpRounds;
    this.keysOfATurn = keysOfATurn;
    this.device = device;
    this.freshKeys = freshKeys;
  }

  /** The same race with sorters of a GPU on this device instead of the first one. */
  public SortRace on(RaceDevice other) {
    return new SortRace(sorters, rounds, warmUpRounds, keysOfATurn, Optional.of(other), freshKeys);
  }

  /** The same race with other keys of the same distribution in each round. */
  public SortRace withFreshKeys() {
    return new SortRace(sorters, rounds, warmUpRounds, keysOfATurn, device, true);
  }

  /**
   * Runs all rounds.
   *
   * @throws IllegalStateException if a sorter failed; there are no figures then
   * @throws java.nio.channels.ClosedByInterruptException if the thread is interrupted
   */
  public List<SortMeasurement> run(SortSetting setting) throws IOException {
    List<SortContestant> contestants = new ArrayList<>();
    Closer closer = Closer.create();
    try (closer;
        Arena arena = Arena.ofShared()) {
      for (String sorter : sorters) {
        SortContestant contestant = create(sorter, setting);
        closer.register(contestant::close);
        contestants.add(contestant);
      }
      return run(setting, contestants, arena);
    }
  }

  private SortContestant create(String sorter, SortSetting setting) {
    return SortContestants.isOnDevice(sorter)
        ? SortContestants.create(sorter, setting, device.orElseGet(RaceDevice::first))
        : SortContestants.create(sorter, setting);
  }

  List<SortMeasurement> run(SortSetting setting, List<SortContestant> contestants, Arena arena)
      throws IOException {
    long bytes = Long.BYTES * setting.keys();
    MemorySegment keys = OffHeap.allocate(bytes, arena);
    MemorySegment sorted = OffHeap.allocate(bytes, arena);
    KeyCheck first = filled(keys, setting, SEED);
    List<List<Double>> seconds =
        Turns.take(
            warmUpRounds,
            rounds,
            contestants.size(),
            round -> freshKeys && round > 0 ? filled(keys, setting, SEED + round) : first,
            (who, check) -> turn(contestants.get(who), setting, keys, sorted, check));
    List<SortMeasurement> measurements = new ArrayList<>();
    for (int i = 0; i < contestants.size(); i++) {
      String name = contestants.get(i).name();
      int threads = SortContestants.threads(name, setting.threads());
      measurements.add(new SortMeasurement(name, setting, threads, seconds.get(i)));
    }
    return measurements;
  }

  /** Makes keys, and what their order is checked with. */
  private static KeyCheck filled(MemorySegment keys, SortSetting setting, long seed) {
    setting.distribution().fill(keys, setting.keys(), setting.bits(), seed);
    return KeyCheck.of(keys, setting.keys());
  }

  /** The mean time per sort in one turn. */
  private double turn(
      SortContestant contestant,
      SortSetting setting,
      MemorySegment keys,
      MemorySegment sorted,
      KeyCheck check) {
    long sorts = Math.ceilDiv(keysOfATurn, setting.keys());
    long nanos = 0;
    for (long i = 0; i < sorts; i++) {
      contestant.load(keys);
      nanos += contestant.timedSort();
      contestant.unload(sorted);
      check.verify(contestant.name(), sorted, setting.keys());
    }
    return nanos / 1e9 / sorts;
  }
}
