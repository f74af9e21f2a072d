package io.kmodel.indexer.sort.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.experiment.DeviceUse;
import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import io.kmodel.indexer.sort.device.DevicesSorter.Exchange;
import io.kmodel.indexer.sort.device.DevicesSorter.Phase;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sorts over several devices, against the JDK's sort of all keys. */
@Tag("alone")
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
class DevicesSorterTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** So few that exchanges through the host take many pieces. */
  private static final int BUFFER_BYTES = 64;

  private final StubDriver driver;
  private final SplittableRandom random = new SplittableRandom(3);
  private final List<Phase> phases = new ArrayList<>();

  DevicesSorterTest(StubDriver driver) {
    this.driver = driver;
  }

  /** Unsigned words of 4 or 8 bytes, sorted over devices that have so many of them each. */
  private long[] sorted(String name, int keyBytes, Exchange how, long[] keys, int... counts) {
    DevicesSorter sorter = new DevicesSorter(DeviceSorters.of(name, keyBytes), keyBytes, how);
    List<DeviceUse> uses = new ArrayList<>();
    try {
      for (GpuInfo info : driver.probe().devices()) {
        uses.add(new DeviceUse(new GpuDevice(info, StubDriver.image(), sorter.kernels()), LIMIT));
      }
      if (how == Exchange.BY_PEERS) {
        enableAccess(uses);
      }
      List<DevicePart> parts = new ArrayList<>();
      for (int device = 0; device < counts.length; device++) {
        long scratchBytes = sorter.scratchBytes(counts[device], counts.length);
        parts.add(part(uses.get(device), keyBytes, counts[device], scratchBytes, how));
      }
      put(parts, keyBytes, keys);
      sorter.sort(parts, phases::add);
      return get(parts, keyBytes, keys.length);
    } finally {
      Collections.reverse(uses);
      uses.forEach(DeviceUse::close);
    }
  }

  private static void enableAccess(List<DeviceUse> uses) {
    for (DeviceUse one : uses) {
      one.device().use();
      for (DeviceUse other : uses) {
        if (one != other) {
          assertThat(one.device().canAccess(other.device())).isTrue();
          one.device().enableAccess(other.device());
          one.device().enableAccess(other.device());
        }
      }
    }
  }

  private static DevicePart part(
      DeviceUse use, int keyBytes, int count, long scratchBytes, Exchange how) {
    use.device().use();
    GpuStream stream = use.newStream();
    MemorySegment staging = use.allocatePinned(64);
    DeviceLane lane = new DeviceLane(stream, use.pinned(), staging, () -> use.await(stream));
    long bytes = Math.ceilDiv(Math.max(1L, count) * keyBytes, Long.BYTES) * Long.BYTES;
    DeviceKeys keys =
        new DeviceKeys(
            use.allocate(bytes).address(),
            use.allocate(bytes).address(),
            use.allocate(scratchBytes).address(),
            count);
    MemorySegment buffers =
        how == Exchange.BY_HOST ? use.allocatePinned(2 * BUFFER_BYTES) : MemorySegment.NULL;
    return new DevicePart(use.device(), lane, keys, use.newStream(), buffers);
  }

  /** Packs keys into words of 8 bytes, which is what a lane sends. */
  private static void put(List<DevicePart> parts, int keyBytes, long[] keys) {
    int first = 0;
    for (DevicePart part : parts) {
      int count = (int) part.keys().count();
      int ofWord = Long.BYTES / keyBytes;
      long[] words = new long[Math.ceilDiv(count, ofWord)];
      for (int i = 0; i < count; i++) {
        words[i / ofWord] |= keys[first + i] << (Byte.SIZE * keyBytes * (i % ofWord));
      }
      part.device().use();
      part.lane().put(part.keys().address(), words, words.length);
      part.lane().await();
      first += count;
    }
  }

  private static long[] get(List<DevicePart> parts, int keyBytes, int all) {
    long[] keys = new long[all];
    int first = 0;
    for (DevicePart part : parts) {
      int count = (int) part.keys().count();
      int ofWord = Long.BYTES / keyBytes;
      part.device().use();
      long[] words = part.lane().get(part.keys().address(), Math.ceilDiv(count, ofWord));
      for (int i = 0; i < count; i++) {
        long word = words[i / ofWord];
        keys[first + i] =
            keyBytes == Long.BYTES ? word : (word >>> (Integer.SIZE * (i % 2))) & 0xFFFF_FFFFL;
      }
      first += count;
    }
    return keys;
  }

  private static long[] inOrder(long[] keys) {
    return LongStream.of(keys)
        .boxed()
        .sorted(Long::compareUnsigned)
        .mapToLong(Long::longValue)
        .toArray();
  }

  private void check(String name, Exchange how, LongUnaryOperator key, int... counts) {
    driver.reset(counts.length, 64 << 20);
    for (int keyBytes : new int[] {Integer.BYTES, Long.BYTES}) {
      long[] keys =
          LongStream.range(0, Arrays.stream(counts).sum())
              .map(key)
              .map(word -> keyBytes == Long.BYTES ? word : word & 0xFFFF_FFFFL)
              .toArray();
      assertThat(sorted(name, keyBytes, how, keys, counts))
          .as("%s of %d bytes, %s over %s", name, keyBytes, how, Arrays.toString(counts))
          .isEqualTo(inOrder(keys));
      assertThat(driver.kept()).isZero();
    }
  }

  /** Also shares around a merge's tiles of 4096 and 4352 keys, and devices without keys. */
  @ParameterizedTest
  @EnumSource
  void eachDeviceGetsTheKeysOfItsPlaces(Exchange how) {
    LongUnaryOperator any = i -> random.nextLong();
    check("merge", how, any, 100);
    check("merge", how, any, 1, 1);
    check("merge", how, any, 0, 3);
    check("merge", how, any, 37, 4, 0, 90, 61);
    check("radix", how, any, 4353, 4095);
    check("merge", how, any, 1500, 1499, 1499, 1499);
  }

  @Test
  void everySorterCanComeFirst() {
    for (String name : DeviceSorters.names()) {
      LongUnaryOperator key = name.equals("network") ? i -> random.nextLong() >>> 2 : this::next;
      check(name, Exchange.BY_PEERS, key, 300, 299, 299);
    }
  }

  private long next(long place) {
    return random.nextLong() + place;
  }

  /** Equal keys, few values, descending keys, and those above all signed ones. */
  @ParameterizedTest
  @EnumSource
  void specialKeysAreSorted(Exchange how) {
    check("merge", how, i -> 7, 50, 50, 49);
    check("merge", how, i -> random.nextLong(3), 200, 10, 99, 31);
    check("merge", how, i -> 10_000 - i, 128, 127, 127, 127);
    check("merge", how, i -> -random.nextLong(1, 5), 40, 40);
  }

  @ParameterizedTest
  @EnumSource
  void keysInOrderDoNotMove(Exchange how) {
    check("merge", how, i -> i / 3, 100, 101, 99, 100);
    assertThat(driver.calls("cuMemcpyPeerAsync")).isZero();
    assertThat(driver.calls("cuMemcpyDtoDAsync")).isZero();
    // For each width, the local sorts and two rounds of merges.
    assertThat(phases)
        .hasSize(2 * (1 + 2 * 3))
        .startsWith(Phase.SORT, Phase.PIVOTS, Phase.EXCHANGE, Phase.MERGE, Phase.PIVOTS);
  }

  @Test
  void onlyPeersNeedNoHost() {
    check("merge", Exchange.BY_PEERS, i -> 1000 - i, 100, 100);
    // Each device gets all keys of the other, with both widths.
    assertThat(driver.calls("cuMemcpyPeerAsync")).isEqualTo(4);
    check("merge", Exchange.BY_HOST, i -> 1000 - i, 100, 100);
    assertThat(driver.calls("cuMemcpyPeerAsync")).isZero();
    assertThat(driver.calls("cuCtxEnablePeerAccess")).isZero();
    assertThat(driver.calls("cuMemcpyHtoDAsync")).isGreaterThan(2 * 100 * 12 / BUFFER_BYTES);
  }

  @Test
  void devicesThatAreNotPeersRefuseAccess() {
    driver.reset(2, 64 << 20);
    driver.isolate();
    List<GpuInfo> infos = driver.probe().devices();
    try (GpuDevice one = new GpuDevice(infos.get(0), StubDriver.image(), List.of());
        GpuDevice other = new GpuDevice(infos.get(1), StubDriver.image(), List.of())) {
      assertThat(one.canAccess(other)).isFalse();
      assertThatThrownBy(() -> other.enableAccess(one))
          .isInstanceOf(GpuException.class)
          .hasMessageStartingWith("cuCtxEnablePeerAccess: CUDA_ERROR_PEER_ACCESS_UNSUPPORTED");
    }
    assertThat(driver.kept()).isZero();
  }

  /** A download of pivots adds 1, and so do later ones. */
  @Test
  void pivotsThatCannotBeAreNotFollowed() {
    driver.reset(2, 64 << 20);
    driver.damage();
    assertThatThrownBy(
            () -> sorted("merge", Long.BYTES, Exchange.BY_PEERS, new long[] {1, 2}, 1, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("device 0 of a sort got impossible pivots: keys 0 to 2 and 1 to 0");
    assertThat(driver.kept()).isZero();
  }

  @Test
  void placesAreSpreadEvenly() {
    assertThat(LongStream.rangeClosed(0, 4).map(i -> DevicesSorter.startOf((int) i, 4, 10)))
        .containsExactly(0L, 3L, 6L, 8L, 10L);
  }
}
