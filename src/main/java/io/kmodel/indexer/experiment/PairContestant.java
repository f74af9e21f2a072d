package io.kmodel.indexer.experiment;

import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.sort.device.DeviceLane;
import io.kmodel.indexer.sort.device.DevicePairs;
import io.kmodel.indexer.sort.device.PairSorter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
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

  PairContestant(String name, SortSetting setting, GpuInfo info, byte[] image) {
    long n = setting.keys();
    this.name = name;
    this.keyBytes = setting.bits() <= Integer.SIZE ? Integer.BYTES : Long.BYTES;
    this.sorter = PairSorter.of(name.substring(DeviceContestant.PREFIX.length()), keyBytes);
    Duration limit = GpuStream.patience(DeviceContestant.PATIENCE, (keyBytes + Integer.BYTES) * n);
    this.device = new DeviceUse(new GpuDevice(info, image, sorter.kernels()), limit);
    try {
      this.stream = device.newStream();
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
      MemorySegment staging = device.allocatePinned(Long.BYTES);
      this.lane = new DeviceLane(stream, device.pinned(), staging, () -> device.spin(stream));
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
    DeviceContestant.narrow(from, hostKeys, keyBytes);
    for (long i = 0; i < pairs.count(); i++) {
      hostValues.setAtIndex(ValueLayout.JAVA_INT, i, (int) i);
    }
    stream.upload(device.pinned(), hostKeys, pairs.keys(), hostKeys.byteSize());
    stream.upload(device.pinned(), hostValues, pairs.values(), hostValues.byteSize());
    device.await(stream);
  }

  @Override
  public void sort() {
    sorter.sort(lane, pairs);
    device.await(stream);
  }

  @Override
  public long timedSort() {
    stream.clearMarks();
    stream.mark();
    sorter.sort(lane, pairs);
    stream.mark();
    device.await(stream);
    return (long) (1e9 * stream.secondsBetween(0, 1));
  }

  @Override
  public void unload(MemorySegment to) {
    stream.download(device.pinned(), pairs.keys(), hostKeys, hostKeys.byteSize());
    stream.download(device.pinned(), pairs.values(), hostValues, hostValues.byteSize());
    device.await(stream);
    DeviceContestant.widen(hostKeys, to, keyBytes);
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
