package io.kmodel.indexer.experiment.paper;

import io.kmodel.indexer.experiment.RaceDevice;
import io.kmodel.indexer.experiment.SortRace;
import java.util.List;
import java.util.Optional;

/**
 * How a paper is rerun.
 *
 * @param leastKeys keys of the smallest race in comparisons by number of keys
 * @param mostKeys keys of the largest race
 * @param rounds arrays of each distribution and size
 * @param keysOfATurn minimum keys per turn of a sorter, for the clock's precision
 * @param threads of the CPU's sorters that can use several
 * @param devices the GPUs, or none to leave their sorters out; most papers use the first one
 */
public record PaperSetting(
    long leastKeys,
    long mostKeys,
    int rounds,
    long keysOfATurn,
    int threads,
    List<RaceDevice> devices) {
  private static final long LEAST_KEYS = 1 << 16;

  public PaperSetting {
    devices = List.copyOf(devices);
    if (mostKeys < leastKeys) {
      throw new IllegalArgumentException(
          "a paper's comparisons need %d keys or more; got %d".formatted(leastKeys, mostKeys));
    }
    if (rounds < 1 || threads < 1) {
      throw new IllegalArgumentException(
          "rounds and threads must be at least 1; got %d and %d".formatted(rounds, threads));
    }
  }

  /** Sizes from 2^16 on. */
  public PaperSetting(long mostKeys, int rounds, int threads, List<RaceDevice> devices) {
    this(LEAST_KEYS, mostKeys, rounds, SortRace.KEYS_OF_A_TURN, threads, devices);
  }

  /** The first GPU, or empty. */
  public Optional<RaceDevice> device() {
    return devices.stream().findFirst();
  }
}
