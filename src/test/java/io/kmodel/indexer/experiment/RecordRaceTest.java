package io.kmodel.indexer.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import io.kmodel.indexer.sort.device.records.DeviceRecords.Layout;
import io.kmodel.indexer.sort.device.records.RecordSorters;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Races of records by the driver on the CPU, and their checks. */
@Tag("alone")
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
class RecordRaceTest {
  private final StubDriver driver;

  RecordRaceTest(StubDriver driver) {
    this.driver = driver;
  }

  private RecordRace race(long count, int mostOthers) {
    RaceDevice device = new RaceDevice(driver.probe().devices().getFirst(), StubDriver.image());
    return new RecordRace(device, count, mostOthers);
  }

  @ParameterizedTest
  @EnumSource
  void everySorterHasATimeForEachRound(Layout layout) throws IOException {
    try (RecordRace race = race(3000, 5)) {
      for (int others : new int[] {5, 2}) {
        Map<String, List<Double>> times = race.run(layout, others, 2);
        assertThat(times.keySet()).containsExactlyElementsOf(RecordSorters.names());
        assertThat(times.values())
            .allSatisfy(seconds -> assertThat(seconds).hasSize(2).allMatch(time -> time > 0));
      }
    }
    assertThat(driver.kept()).isZero();
  }

  @Test
  void aDeviceWithTooLittleMemoryEndsTheRace() {
    driver.reset(1, 100 << 20);
    assertThatThrownBy(() -> race(1_000_000, 20))
        .isInstanceOf(GpuException.class)
        .hasMessageContaining("cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2), 80,000,000 bytes");
    assertThat(driver.kept()).isZero();
  }

  @Test
  void aResultThatIsDamagedOnItsWayBackEndsTheRace() {
    driver.damage();
    try (RecordRace race = race(1000, 2)) {
      assertThatThrownBy(() -> race.run(Layout.HYBRID, 2, 1))
          .hasRootCauseInstanceOf(IllegalStateException.class)
          .hasMessageContaining("changed");
    }
    assertThat(driver.kept()).isZero();
  }

  @Test
  void anInterruptedRaceEnds() {
    try (RecordRace race = race(1000, 2)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> race.run(Layout.HYBRID, 2, 1))
          .isInstanceOf(ClosedByInterruptException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(driver.kept()).isZero();
  }

  // ---- the check

  private static final int COUNT = 2500;
  private static final long SEED = 7;

  /** Sorted records with one other field beside their number. */
  private static final class Result implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final ForkJoinPool pool = new ForkJoinPool(2);
    private final int[] keys;
    private final long[] rows;
    private final MemorySegment sortedKeys = arena.allocate(ValueLayout.JAVA_INT, COUNT);
    private final MemorySegment sortedRows = arena.allocate(ValueLayout.JAVA_LONG, COUNT);
    private final NumberedRecords records =
        new NumberedRecords(pool, sortedKeys, sortedRows, COUNT, 2, Layout.HYBRID);

    Result() {
      records.fillKeys(SEED);
      records.fillFields();
      this.keys = sortedKeys.toArray(ValueLayout.JAVA_INT);
      this.rows = sortedRows.toArray(ValueLayout.JAVA_LONG);
      List<Integer> order =
          IntStream.range(0, COUNT)
              .boxed()
              .sorted((a, b) -> Integer.compareUnsigned(keys[a], keys[b]))
              .toList();
      for (int i = 0; i < COUNT; i++) {
        put(i, keys[order.get(i)], rows[order.get(i)]);
      }
    }

    int key(int at) {
      return sortedKeys.getAtIndex(ValueLayout.JAVA_INT, at);
    }

    long row(int at) {
      return sortedRows.getAtIndex(ValueLayout.JAVA_LONG, at);
    }

    void put(int at, int key, long row) {
      sortedKeys.setAtIndex(ValueLayout.JAVA_INT, at, key);
      sortedRows.setAtIndex(ValueLayout.JAVA_LONG, at, row);
    }

    @Override
    public void close() {
      pool.close();
      arena.close();
    }
  }

  private static void requireRefused(Consumer<Result> damage, String message) {
    try (Result result = new Result()) {
      damage.accept(result);
      assertThatThrownBy(() -> result.records.verify("x", SEED, true))
          .hasMessageContaining(message);
    }
  }

  @Test
  void sortedRecordsPassOnlyWithTheirKeys() {
    try (Result result = new Result()) {
      assertThatCode(() -> result.records.verify("x", SEED, true)).doesNotThrowAnyException();
      assertThatThrownBy(() -> result.records.verify("x", SEED + 1, true))
          .hasMessageContaining("x changed the key of record ");
    }
  }

  /** Beside the border of pieces that different threads check, too. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1023, 1024, COUNT - 1})
  void eachKindOfDamageIsFound(int at) {
    requireRefused(
        result -> result.put(at, result.key(at) + 1, result.row(at)),
        "x changed the key of record " + at);
    requireRefused(
        result -> result.put(at, result.key(at), result.row(at) + (1L << Integer.SIZE)),
        "x changed field 1 of record " + at);
    requireRefused(
        result -> {
          int key = result.key(at);
          long row = result.row(at);
          result.put(at, result.key(at - 1), result.row(at - 1));
          result.put(at - 1, key, row);
        },
        "x did not sort record " + at);
    requireRefused(
        result -> result.put(at, result.key(at - 1), result.row(at - 1)),
        "x exchanged record %d and the one before, which have equal keys".formatted(at));
  }

  /** Order alone does not show that a record is there twice if equal keys may be in any order. */
  @Test
  void aRecordInPlaceOfAnotherIsFoundByTheSum() {
    try (Result result = new Result()) {
      result.put(1, result.key(0), result.row(0));
      assertThatThrownBy(() -> result.records.verify("x", SEED, false))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("x lost records and repeated others");
    }
  }
}
