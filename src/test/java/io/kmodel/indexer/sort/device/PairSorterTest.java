package io.kmodel.indexer.sort.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.experiment.DeviceUse;
import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Merge sort of keys with values against a stable sort of Java, by the driver on the CPU. */
@Tag("alone")
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
class PairSorterTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final StubDriver driver;

  PairSorterTest(StubDriver driver) {
    this.driver = driver;
  }

  /** Keys of all ones, which are also behind the end of a tile, are among the few. */
  @ParameterizedTest
  @CsvSource({"pairs, 8", "pairs, 4", "pairs-search, 8", "pairs-search, 4"})
  void keysTakeTheirValuesAlongInOrder(String name, int keyBytes) {
    PairSorter sorter = PairSorter.of(name, keyBytes);
    int tile = sorter.tile();
    SplittableRandom random = new SplittableRandom(tile);
    for (int n : new int[] {0, 1, tile - 1, tile, tile + 1, 3 * tile + 7}) {
      check(sorter, keyBytes, n, i -> random.nextLong());
      check(sorter, keyBytes, n, i -> random.nextLong(3) - 1);
    }
    check(sorter, keyBytes, 2 * tile + 1, i -> -1);
    check(sorter, keyBytes, 2 * tile, i -> 100_000 - i);
    assertThat(driver.kept()).isZero();
  }

  private void check(PairSorter sorter, int keyBytes, int n, LongUnaryOperator key) {
    long[] keys = new long[n];
    for (int i = 0; i < n; i++) {
      long any = key.applyAsLong(i);
      keys[i] = keyBytes == Long.BYTES ? any : any & 0xFFFF_FFFFL;
    }
    int[] expected =
        IntStream.range(0, n)
            .boxed()
            .sorted(Comparator.comparing(i -> keys[i], Long::compareUnsigned))
            .mapToInt(i -> i)
            .toArray();
    try (DeviceUse use = use(sorter)) {
      GpuStream stream = use.newStream();
      MemorySegment hostKeys = use.allocatePinned(Math.max(1, (long) n * keyBytes));
      MemorySegment hostValues = use.allocatePinned(Math.max(1, (long) n * Integer.BYTES));
      for (int i = 0; i < n; i++) {
        setKey(hostKeys, keyBytes, i, keys[i]);
        hostValues.setAtIndex(ValueLayout.JAVA_INT, i, i + 7);
      }
      long k = use.allocate(hostKeys.byteSize()).address();
      long v = use.allocate(hostValues.byteSize()).address();
      DevicePairs pairs =
          new DevicePairs(
              k,
              v,
              use.allocate(hostKeys.byteSize()).address(),
              use.allocate(hostValues.byteSize()).address(),
              use.allocate(Math.max(1, sorter.scratchBytes(n))).address(),
              n);
      stream.upload(use.pinned(), hostKeys, k, hostKeys.byteSize());
      stream.upload(use.pinned(), hostValues, v, hostValues.byteSize());
      MemorySegment staging = use.allocatePinned(Long.BYTES);
      sorter.sort(new DeviceLane(stream, use.pinned(), staging, () -> use.await(stream)), pairs);
      stream.download(use.pinned(), k, hostKeys, hostKeys.byteSize());
      stream.download(use.pinned(), v, hostValues, hostValues.byteSize());
      use.await(stream);
      for (int i = 0; i < n; i++) {
        assertThat(hostValues.getAtIndex(ValueLayout.JAVA_INT, i) - 7)
            .as("%d of %d", i, n)
            .isEqualTo(expected[i]);
        assertThat(getKey(hostKeys, keyBytes, i)).isEqualTo(keys[expected[i]]);
      }
    }
  }

  private static void setKey(MemorySegment keys, int keyBytes, int i, long key) {
    if (keyBytes == Long.BYTES) {
      keys.setAtIndex(ValueLayout.JAVA_LONG, i, key);
    } else {
      keys.setAtIndex(ValueLayout.JAVA_INT, i, (int) key);
    }
  }

  private static long getKey(MemorySegment keys, int keyBytes, int i) {
    return keyBytes == Long.BYTES
        ? keys.getAtIndex(ValueLayout.JAVA_LONG, i)
        : Integer.toUnsignedLong(keys.getAtIndex(ValueLayout.JAVA_INT, i));
  }

  private DeviceUse use(PairSorter sorter) {
    GpuDevice device =
        new GpuDevice(driver.probe().devices().getFirst(), StubDriver.image(), sorter.kernels());
    return new DeviceUse(device, LIMIT);
  }

  @Test
  void unknownSortersAndWidthsAreRefused() {
    assertThatThrownBy(() -> PairSorter.of("radix", 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("unknown sorter 'radix' of keys with values; available: pairs, pairs-search");
    assertThatThrownBy(() -> PairSorter.of("pairs", 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("keys have 4 or 8 bytes, not 2");
  }
}
