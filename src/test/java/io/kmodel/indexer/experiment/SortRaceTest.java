package io.kmodel.indexer.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("alone")
class SortRaceTest {
  private static final SortSetting SETTING =
      new SortSetting(20_000, 40, KeyDistribution.UNIFORM, 1);

  /** Makes a turn of two sorts. */
  private static final long KEYS_OF_A_TURN = 30_000;

  private final List<String> turns = new ArrayList<>();

  @Test
  void everySorterSortsAndIsTold() throws IOException {
    List<String> sorters = new ArrayList<>(SortContestants.DEFAULT);
    sorters.add("radix-8");
    sorters.add("buffered-radix-5");
    SortSetting setting = new SortSetting(70_001, 44, KeyDistribution.ZIPF, 2);
    List<SortMeasurement> measurements = new SortRace(sorters, 2, 0, 1).run(setting);
    assertThat(measurements).extracting(SortMeasurement::sorter).containsExactlyElementsOf(sorters);
    assertThat(measurements)
        .allSatisfy(m -> assertThat(m.seconds()).hasSize(2).allMatch(seconds -> seconds > 0));
    assertThat(new SortSummary(measurements).toString())
        .startsWith("70,001 zipf keys of 44 bits, 2 threads; medians of 2 rounds")
        .contains(sorters);
  }

  @ParameterizedTest
  @EnumSource
  void keysOfEveryDistributionAreSorted(KeyDistribution distribution) throws IOException {
    SortRace race = new SortRace(List.of("radix", "simd-merge", "buffered-radix-11"), 1, 0, 1);
    for (int bits : new int[] {1, 22, 62}) {
      assertThat(race.run(new SortSetting(50_000, bits, distribution, 1))).hasSize(3);
    }
  }

  @Test
  void sortersTakeTurnsAndEachRoundBeginsWithAnother() throws IOException {
    run(3, contestant("a", Arrays::sort), contestant("b", Arrays::sort));
    assertThat(turns).containsExactly("a", "a", "b", "b", "b", "b", "a", "a", "a", "a", "b", "b");
  }

  @Test
  void aRaceThatIsToldToStopTakesNoFurtherTurn() {
    SortContestant first =
        contestant(
            "a",
            keys -> {
              Arrays.sort(keys);
              Thread.currentThread().interrupt();
            });
    assertThatThrownBy(() -> run(3, first, contestant("b", Arrays::sort)))
        .isInstanceOf(ClosedByInterruptException.class);
    assertThat(Thread.interrupted()).as("it stays interrupted").isTrue();
    assertThat(turns).containsExactly("a", "a");
  }

  @Test
  void aSorterThatDoesNotSortEndsTheRace() {
    assertThatThrownBy(() -> run(1, contestant("lazy", keys -> {})))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageMatching("lazy did not sort: key \\d+ is \\d+, after \\d+");
  }

  @Test
  void aSorterThatChangesKeysEndsTheRace() {
    assertThatThrownBy(() -> run(1, contestant("zeros", keys -> Arrays.fill(keys, 0))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("zeros changed keys: expected ");
  }

  @Test
  void aSorterThatFailsOnceInATurnEndsTheRace() {
    SortContestant firstIsNotSorted =
        contestant(
            "late",
            keys -> {
              if (turns.size() > 1) {
                Arrays.sort(keys);
              }
            });
    assertThatThrownBy(() -> run(1, firstIsNotSorted))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("late did not sort: ");
  }

  /** The thread that asks is one of them. */
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "3, 3", "4, 4", "16, 16"})
  void theJdksParallelSortHasNoMoreThreadsThanItIsGiven(int given, int used) {
    assertThat(SortContestants.jdkThreads(given, SortContestants.jdkPool(given))).isEqualTo(used);
  }

  @Test
  void aSorterThatThereIsNotIsRefused() {
    assertThatThrownBy(() -> new SortRace(List.of("bogo"), 1, 0, 1).run(SETTING))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("unknown sorter 'bogo'; available: radix, simd-merge, ");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 63})
  void keysOfNoBitsOrTooManyAreRefused(int bits) {
    assertThatThrownBy(() -> new SortSetting(1, bits, KeyDistribution.UNIFORM, 1))
        .hasMessage("bits must be 1 to 62; got " + bits);
  }

  private void run(int rounds, SortContestant... contestants) throws IOException {
    try (Arena arena = Arena.ofShared()) {
      new SortRace(List.of("given"), rounds, 0, KEYS_OF_A_TURN)
          .run(SETTING, List.of(contestants), arena);
    }
  }

  /** One whose turns are noted. */
  private SortContestant contestant(String name, Consumer<long[]> sorter) {
    ArrayContestant array = new ArrayContestant(name, sorter, SETTING);
    return new SortContestant() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public void load(MemorySegment keys) {
        array.load(keys);
      }

      @Override
      public void sort() {
        turns.add(name);
        array.sort();
      }

      @Override
      public void unload(MemorySegment keys) {
        array.unload(keys);
      }

      @Override
      public void close() {
        array.close();
      }
    };
  }
}
