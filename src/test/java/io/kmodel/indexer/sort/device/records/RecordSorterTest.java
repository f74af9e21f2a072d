package io.kmodel.indexer.sort.device.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.kmodel.indexer.experiment.DeviceUse;
import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import io.kmodel.indexer.sort.device.DeviceLane;
import io.kmodel.indexer.sort.device.records.DeviceRecords.Layout;
import io.kmodel.indexer.sort.device.records.DeviceRecords.Pair;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sorters of records against a stable sort of their numbers in Java, by the driver on the CPU. */
@Tag("alone")
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
class RecordSorterTest {
  private final StubDriver driver;

  RecordSorterTest(StubDriver driver) {
    this.driver = driver;
  }

  /** A sorter and its layout. */
  record Which(String name, Layout layout) {
    RecordSorter sorter() {
      return RecordSorters.of(name, layout);
    }
  }

  static List<Which> all() {
    return Stream.of(Layout.values())
        .flatMap(layout -> RecordSorters.names().stream().map(name -> new Which(name, layout)))
        .toList();
  }

  /** Around the tiles of radix sort, GRS, gathers and samples, with rows of 4, 8 and 16 bytes. */
  @ParameterizedTest
  @MethodSource("all")
  void recordsAroundTheTilesAreSortedWhole(Which which) {
    Random random = new Random(20_111);
    int[] sizes = {1, 2, 511, 513, 1023, 1025, 2048, 2049, 4097, 14_337};
    try (Bench bench = bench(which, 14_337, 4)) {
      for (int i = 0; i < sizes.length; i++) {
        bench.sort(sizes[i], 1 + i % 4, at -> random.nextInt());
      }
    }
    assertThat(driver.kept()).isZero();
  }

  /** Samples need several rounds, and copy equal keys after an odd number of them. */
  @ParameterizedTest
  @MethodSource("all")
  void specialKeysAreSorted(Which which) {
    int n = 5003;
    Random random = new Random(5003);
    List<IntUnaryOperator> inputs =
        List.of(
            at -> at,
            at -> n - at,
            at -> -1,
            at -> 0,
            at -> at % 3 - 1,
            at -> 1 << random.nextInt(Integer.SIZE),
            at -> at < n - 1 ? Integer.MIN_VALUE : 7);
    try (Bench bench = bench(which, n, 3)) {
      for (IntUnaryOperator keys : inputs) {
        bench.sort(n, 3, keys);
      }
    }
  }

  /** More records than samples put into short buckets at once, and parts of equal ones. */
  @Test
  void samplesSortInSeveralRounds() {
    Random random = new Random(1);
    for (Layout layout : Layout.values()) {
      try (Bench bench = bench(new Which("sample-direct", layout), 60_000, 2)) {
        bench.sort(60_000, 2, at -> random.nextInt(8));
        // Half of all keys are within one bucket, which is cut again.
        bench.sort(60_000, 2, at -> at % 2 == 0 ? random.nextInt() : at / 2);
      }
    }
  }

  @Test
  void noRecordsNeedNoKernel() {
    for (Which which : all()) {
      try (Bench bench = bench(which, 1, 1)) {
        bench.sort(0, 1, at -> at);
      }
    }
    assertThat(driver.calls("cuLaunchKernel")).isZero();
  }

  @Test
  void aDeviceWithTooLittleMemoryIsNamedByTheDriver() {
    driver.reset(1, 20 << 20);
    assertThatThrownBy(() -> bench(new Which("radix-direct", Layout.HYBRID), 1 << 20, 20))
        .hasMessageContaining("OUT_OF_MEMORY");
    assertThat(driver.kept()).isZero();
  }

  @Test
  void anUnknownSorterIsRefusedByName() {
    assertThatThrownBy(() -> RecordSorters.of("bogo", Layout.HYBRID))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "unknown sorter 'bogo' of records; available: sample-direct, sample-indirect,"
                + " radix-direct, radix-indirect, grs-direct, grs-indirect");
  }

  private Bench bench(Which which, int most, int mostOthers) {
    return new Bench(which, driver.probe().devices().getFirst(), most, mostOthers);
  }

  /** Sorts records on a device, where guard words behind each piece of memory must stay. */
  private static final class Bench implements AutoCloseable {
    private static final int ALIGNMENT = 256;
    private static final int GUARD = 0x5AFE_C0DE;

    private final Which which;
    private final RecordSorter sorter;
    private final DeviceUse device;
    private final GpuStream stream;
    private final DeviceLane lane;
    private final MemorySegment host;
    private final long memory;

    Bench(Which which, GpuInfo info, int most, int mostOthers) {
      this.which = which;
      this.sorter = which.sorter();
      GpuDevice gpu = new GpuDevice(info, StubDriver.image(), sorter.kernels());
      this.device = new DeviceUse(gpu, Duration.ofSeconds(60));
      try {
        this.stream = device.newStream();
        this.host = device.allocatePinned(new Places(0, most, mostOthers).end + ALIGNMENT);
        this.memory = device.allocate(host.byteSize()).address();
        MemorySegment staging = device.allocatePinned(1 << 10);
        this.lane = new DeviceLane(stream, device.pinned(), staging, () -> device.await(stream));
      } catch (RuntimeException e) {
        device.close();
        throw e;
      }
    }

    /** Places in memory, each with guard words behind it. */
    private final class Places {
      final List<Long> guards = new ArrayList<>();
      final Pair keys;
      final Pair fields;
      final long scratch;
      private long end;

      Places(long start, int n, int others) {
        this.end = start;
        this.keys = new Pair(take(4L * n), take(4L * n));
        this.fields = new Pair(take(4L * n * others), take(4L * n * others));
        this.scratch = take(sorter.scratchBytes(n));
      }

      private long take(long bytes) {
        long taken = end;
        guards.add(taken + bytes);
        end = Math.ceilDiv(taken + bytes + 1, ALIGNMENT) * ALIGNMENT;
        return taken;
      }
    }

    private int word(long address) {
      return host.get(ValueLayout.JAVA_INT, address - memory);
    }

    void sort(int n, int others, IntUnaryOperator keyOf) {
      Places at = new Places(memory, n, others);
      int[] keys = IntStream.range(0, n).map(keyOf).toArray();
      for (long i = 0; i < at.end - memory; i += Integer.BYTES) {
        host.set(ValueLayout.JAVA_INT, i, GUARD);
      }
      for (int i = 0; i < n; i++) {
        host.set(ValueLayout.JAVA_INT, at.keys.first() - memory + 4L * i, keys[i]);
        for (int field = 0; field < others; field++) {
          host.set(
              ValueLayout.JAVA_INT,
              at.fields.first() - memory + place(i, field, n, others),
              value(i, field));
        }
      }
      stream.upload(device.pinned(), host, memory, at.end - memory);
      long sorted = sorter.sort(lane, new DeviceRecords(at.keys, at.fields, at.scratch, n, others));
      assertThat(sorted).isIn(at.fields.first(), at.fields.second());
      stream.download(device.pinned(), memory, host, at.end - memory);
      device.await(stream);
      for (long guard : at.guards) {
        assertThat(word(guard)).isEqualTo(GUARD);
      }
      verify(keys, at.keys.first(), sorted, others);
    }

    private void verify(int[] keys, long sortedKeys, long sortedFields, int others) {
      int n = keys.length;
      Integer[] expected = IntStream.range(0, n).boxed().toArray(Integer[]::new);
      Arrays.sort(expected, (a, b) -> Integer.compareUnsigned(keys[a], keys[b]));
      int[] numbers = new int[n];
      for (int i = 0; i < n; i++) {
        assertThat(word(sortedKeys + 4L * i)).as("key %d", i).isEqualTo(keys[expected[i]]);
        int number = word(sortedFields + place(i, 0, n, others));
        for (int field = 1; field < others; field++) {
          if (word(sortedFields + place(i, field, n, others)) != value(number, field)) {
            fail("field %d of record %d of %d is not that of %d", field, i, n, number);
          }
        }
        numbers[i] = number;
      }
      if (!sorter.isStable()) {
        orderEqual(numbers, keys, sortedKeys);
      }
      assertThat(numbers).isEqualTo(Stream.of(expected).mapToInt(number -> number).toArray());
    }

    /** Puts the numbers of records with equal keys in order. */
    private void orderEqual(int[] numbers, int[] keys, long sortedKeys) {
      for (int from = 0, to; from < keys.length; from = to) {
        to = from + 1;
        while (to < keys.length && word(sortedKeys + 4L * to) == word(sortedKeys + 4L * from)) {
          to++;
        }
        Arrays.sort(numbers, from, to);
      }
    }

    /** In bytes. */
    private long place(int record, int field, int n, int others) {
      return which.layout() == Layout.BY_FIELD
          ? 4L * ((long) field * n + record)
          : 4L * ((long) record * others + field);
    }

    private static int value(int number, int field) {
      return number + field * 0x1000_0000;
    }

    @Override
    public void close() {
      device.close();
    }
  }
}
