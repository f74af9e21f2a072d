package io.kmodel.indexer.experiment.paper;

import com.google.common.io.Closer;
import io.kmodel.indexer.experiment.RaceDevice;
import io.kmodel.indexer.experiment.SortContestants;
import io.kmodel.indexer.experiment.Spread;
import io.kmodel.indexer.experiment.Turns;
import io.kmodel.indexer.experiment.strings.ByteStrings;
import io.kmodel.indexer.experiment.strings.CpuStrings;
import io.kmodel.indexer.experiment.strings.GpuStrings;
import io.kmodel.indexer.experiment.strings.StringContestant;
import io.kmodel.indexer.experiment.strings.StringSource;
import io.kmodel.indexer.sort.device.StringSorter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Races sorters of strings, with other strings in each round. They take turns; each round starts
 * with another sorter, and the first one is not recorded. Each order is checked before its time
 * counts. One thread of the CPU takes part up to 2^21 strings.
 */
final class StringRace {
  static final String IN_COMPARISONS = "GPU, ties in comparisons";
  static final String IN_ROUNDS = "GPU, in rounds";

  private static final long SEED = 2012; // Arbitrary, but figures are only comparable for one seed.

  /** One thread takes seconds for more. */
  private static final int MOST_OF_ONE_THREAD = 1 << 21;

  private final PaperSetting setting;
  private final RaceDevice device;
  private final Consumer<String> out;

  StringRace(PaperSetting setting, RaceDevice device, Consumer<String> out) {
    this.setting = setting;
    this.device = device;
    this.out = out;
  }

  /**
   * The figures of one sorter.
   *
   * @param strings number of strings
   * @param meanBytes of a string
   * @param seconds of each round
   */
  record Measurement(
      String sorter, int strings, double meanBytes, List<StringContestant.Seconds> seconds) {
    Measurement {
      seconds = List.copyOf(seconds);
    }

    /** Of a value of each round. */
    Spread spread(ToDoubleFunction<StringContestant.Seconds> value) {
      return Spread.of(seconds.stream().mapToDouble(value).toArray());
    }
  }

  /** Strings of the first recorded round. */
  static ByteStrings sample(StringSource source, int count) {
    return source.make(count, SEED);
  }

  /** Runs all rounds with so many strings. */
  List<Measurement> run(StringSource source, int count) throws IOException {
    ByteStrings strings = source.make(count, SEED - 1);
    try (Closer closer = Closer.create()) {
      List<StringContestant> contestants = new ArrayList<>();
      contestants.add(onDevice(closer, IN_COMPARISONS, StringSorter.inComparisons(), strings));
      contestants.add(onDevice(closer, IN_ROUNDS, StringSorter.inRounds(), strings));
      if (count <= MOST_OF_ONE_THREAD) {
        contestants.add(new CpuStrings(1));
      }
      if (SortContestants.jdkThreads(setting.threads()) > 1) {
        contestants.add(new CpuStrings(setting.threads()));
      }
      List<Measurement> measurements = run(source, strings, contestants);
      measurements.forEach(measurement -> out.accept(line(source, measurement)));
      return measurements;
    }
  }

  private StringContestant onDevice(
      Closer closer, String name, StringSorter sorter, ByteStrings strings) {
    GpuStrings contestant =
        new GpuStrings(name, sorter, device, strings.count(), strings.totalBytes());
    closer.register(contestant::close);
    return contestant;
  }

  private List<Measurement> run(
      StringSource source, ByteStrings first, List<StringContestant> contestants)
      throws IOException {
    int count = first.count();
    List<List<StringContestant.Seconds>> seconds =
        Turns.take(
            1,
            setting.rounds(),
            contestants.size(),
            round -> round < 0 ? first : source.make(count, SEED + round),
            (who, strings) -> {
              StringContestant contestant = contestants.get(who);
              contestant.load(strings);
              StringContestant.Seconds time = contestant.sort();
              strings.requireOrder(contestant.name(), contestant.order());
              return time;
            });
    double meanBytes = (double) first.totalBytes() / count;
    List<Measurement> measurements = new ArrayList<>();
    for (int i = 0; i < contestants.size(); i++) {
      measurements.add(
          new Measurement(contestants.get(i).name(), count, meanBytes, seconds.get(i)));
    }
    return measurements;
  }

  private static String line(StringSource source, Measurement measurement) {
    Spread sort = measurement.spread(StringContestant.Seconds::sort);
    return String.format(
        Locale.ROOT,
        "%,10d %-9s %-26s %10.3f ms  (%.3f to %.3f), with copies %.3f",
        measurement.strings(),
        source.name(),
        measurement.sorter(),
        1e3 * sort.median(),
        1e3 * sort.least(),
        1e3 * sort.most(),
        1e3 * measurement.spread(StringContestant.Seconds::withCopies).median());
  }
}
