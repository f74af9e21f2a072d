package io.kmodel.indexer.experiment;

import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.sort.KeyCheck;
import io.kmodel.indexer.store.Interruption;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Races sorters on the same keys. They take turns round by round, each round begins with another
 * one, and a sorter's first rounds are not recorded. What each sort leaves is compared with what it
 * was given before its time counts: in order, and the same keys.
 *
 * <p>Memory: 16 bytes a key for the keys and the check, and what each sorter takes (16 bytes a key,
 * 8 on the heap for those that sort arrays).
 */
public final class SortRace {
  /** A turn sorts so many keys at least, in several sorts if need be, for the clock's sake. */
  private static final long KEYS_OF_A_TURN = 1 << 22;

  private static final long SEED = 20101; // any; the figures are those of these keys

  private final List<String> sorters;
  private final int rounds;
  private final int warmUpRounds;
  private final long keysOfATurn;

  /** A race of sorters that {@link SortContestants} knows. */
  public SortRace(List<String> sorters, int rounds, int warmUpRounds) {
    this(sorters, rounds, warmUpRounds, KEYS_OF_A_TURN);
  }

  SortRace(List<String> sorters, int rounds, int warmUpRounds, long keysOfATurn) {
    if (sorters.isEmpty() || rounds < 1 || warmUpRounds < 0) {
      throw new IllegalArgumentException(
          "a race has at least 1 sorter and 1 round; got %s, %d and %d to warm up"
              .formatted(sorters, rounds, warmUpRounds));
    }
    this.sorters = List.copyOf(sorters);
    this.rounds = rounds;
    this.warmUpRounds = warmUpRounds;
    this.keysOfATurn = keysOfATurn;
  }

  /**
   * Runs all rounds.
   *
   * @throws IllegalStateException if a sorter did not sort; there are no figures then
   * @throws java.nio.channels.ClosedByInterruptException if the thread is told to stop
   */
  public List<SortMeasurement> run(SortSetting setting) throws IOException {
    List<SortContestant> contestants = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      for (String sorter : sorters) {
        contestants.add(SortContestants.create(sorter, setting));
      }
      return run(setting, contestants, arena);
    } finally {
      contestants.forEach(SortContestant::close);
    }
  }

  List<SortMeasurement> run(SortSetting setting, List<SortContestant> contestants, Arena arena)
      throws IOException {
    long bytes = Long.BYTES * setting.keys();
    MemorySegment keys = OffHeap.allocate(bytes, arena);
    MemorySegment sorted = OffHeap.allocate(bytes, arena);
    setting.distribution().fill(keys, setting.keys(), setting.bits(), SEED);
    KeyCheck check = KeyCheck.of(keys, setting.keys());
    List<List<Double>> seconds = new ArrayList<>();
    contestants.forEach(contestant -> seconds.add(new ArrayList<>()));
    for (int round = -warmUpRounds; round < rounds; round++) {
      for (int turn = 0; turn < contestants.size(); turn++) {
        Interruption.requireNone();
        int who = Math.floorMod(round + turn, contestants.size());
        double time = turn(contestants.get(who), setting, keys, sorted, check);
        if (round >= 0) {
          seconds.get(who).add(time);
        }
      }
    }
    List<SortMeasurement> measurements = new ArrayList<>();
    for (int i = 0; i < contestants.size(); i++) {
      String name = contestants.get(i).name();
      int threads = SortContestants.threads(name, setting.threads());
      measurements.add(new SortMeasurement(name, setting, threads, seconds.get(i)));
    }
    return measurements;
  }

  /** The mean time of a sort in one turn. */
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
      long start = System.nanoTime();
      contestant.sort();
      nanos += System.nanoTime() - start;
      contestant.unload(sorted);
      check.verify(contestant.name(), sorted, setting.keys());
    }
    return nanos / 1e9 / sorts;
  }
}
