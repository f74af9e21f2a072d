package io.kmodel.indexer.experiment;

import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.sort.device.DeviceLane;
import io.kmodel.indexer.sort.device.DevicePairs;
import io.kmodel.indexer.sort.device.PairSorter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A contestant that sorts keys with values of 32 bits in a device's memory, timed by CUDA events
 * without the transfers. A value is its key's place in the input; it must have moved with the key,
 * and those of equal keys must stay in order.
 */
final class PairContestant implements SortContestant {
  private final String name;
  private final int keyBytes;
  private final PairSorter sorter;
  private final DeviceUse device;
  private final GpuStream stream;
  private final DeviceLane lane;
  private final DevicePairs pairs;
  private final MemorySegment hostKeys;
  private final MemorySegment hostValues;

  /** The keys that were loaded. */
  private @Nullable MemorySegment loaded;

  PairContestant(String name, SortSetting setting, RaceDevice on) {
    long n = setting.keys();
    this.name = name;
    this.keyBytes = setting.bits() <= Integer.SIZE ? Integer.BYTES : Long.BYTES;
    this.sorter = PairSorter.of(name.substring(DeviceContestant.PREFIX.length()), keyBytes);
    this.device = DeviceUse.of(on, sorter.kernels(), (keyBytes + Integer.BYTES) * n);
    try {
      this.lane = device.newLane(Long.BYTES);
      this.stream = lane.stream();
      this.hostKeys = device.allocatePinned(keyBytes * n);
      this.hostValues = device.allocatePinned(Integer.BYTES * n);
      this.pairs =
          new DevicePairs(
              device.allocate(hostKeys.byteSize()).address(),
              device.allocate(hostValues.byteSize()).address(),
              device.allocate(hostKeys.byteSize()).address(),
              device.allocate(hostValues.byteSize()).address(),
              device.allocate(sorter.scratchBytes(n)).address(),
              n);
    } catch (RuntimeException | OutOfMemoryError e) {
      device.closeAfter(e);
      throw e;
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void load(MemorySegment from) {
    loaded = from;
    ManyKeys.narrow(from, hostKeys, keyBytes);
    for (long i = 0; i < pairs.count(); i++) {
      hostValues.setAtIndex(ValueLayout.JAVA_INT, i, (int) i);
    }
    stream.upload(device.pinned(), hostKeys, pairs.keys(), hostKeys.byteSize());
    stream.upload(device.pinned(), hostValues, pairs.values(), hostValues.byteSize());
    device.await(stream);
  }

  @Override
  public void sort() {
    timedSort();
  }

  @Override
  public long timedSort() {
    return device.nanosOf(stream, () -> sorter.sort(lane, pairs));
  }

  @Override
  public void unload(MemorySegment to) {
    stream.download(device.pinned(), pairs.keys(), hostKeys, hostKeys.byteSize());
    stream.download(device.pinned(), pairs.values(), hostValues, hostValues.byteSize());
    device.await(stream);
    ManyKeys.widen(hostKeys, to, keyBytes);
    checkValues(to);
  }

  /** Places of the keys, in strict order, are a permutation. */
  private void checkValues(MemorySegment sorted) {
    MemorySegment before = loaded;
    if (before == null) {
      throw new IllegalStateException("no keys were loaded");
    }
    boolean isRight =
        LongStream.range(0, pairs.count()).parallel().allMatch(i -> isRight(before, sorted, i));
    if (!isRight) {
      throw new IllegalStateException(name + " separated values from their keys or their order");
    }
  }

  private boolean isRight(MemorySegment before, MemorySegment sorted, long i) {
    long key = sorted.getAtIndex(ValueLayout.JAVA_LONG, i);
    int value = hostValues.getAtIndex(ValueLayout.JAVA_INT, i);
    if (value < 0 || value >= pairs.count()) {
      return false;
    }
    boolean isBehind =
        i == 0
            || sorted.getAtIndex(ValueLayout.JAVA_LONG, i - 1) != key
            || hostValues.getAtIndex(ValueLayout.JAVA_INT, i - 1) < value;
    return isBehind && before.getAtIndex(ValueLayout.JAVA_LONG, value) == key;
  }

  @Override
  public void close() {
    device.close();
  }
}
