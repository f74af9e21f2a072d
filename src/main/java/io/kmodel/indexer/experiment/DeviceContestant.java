package io.kmodel.indexer.experiment;

import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.sort.device.DeviceKeys;
import io.kmodel.indexer.sort.device.DeviceLane;
import io.kmodel.indexer.sort.device.DeviceSorter;
import io.kmodel.indexer.sort.device.DeviceSorters;
import java.lang.foreign.MemorySegment;

/**
 * A contestant that sorts in a device's memory, timed by CUDA events without the transfers. Keys of
 * up to 32 bits have 4 bytes there, as in papers.
 */
final class DeviceContestant implements SortContestant {
  /** Names of sorters on a device start with it. */
  static final String PREFIX = "gpu-";

  private static final long STAGING_BYTES = 4 << 20;

  private final String name;
  private final int keyBytes;
  private final DeviceSorter sorter;
  private final DeviceUse device;
  private final GpuStream stream;
  private final DeviceLane lane;
  private final DeviceKeys keys;
  private final MemorySegment host;

  DeviceContestant(String name, SortSetting setting, RaceDevice on) {
    this.name = name;
    this.keyBytes = setting.bits() <= Integer.SIZE ? Integer.BYTES : Long.BYTES;
    this.sorter = DeviceSorters.of(name.substring(PREFIX.length()), keyBytes);
    long bytes = keyBytes * setting.keys();
    this.device = DeviceUse.of(on, sorter.kernels(), bytes);
    try {
      this.lane = device.newLane(STAGING_BYTES);
      this.stream = lane.stream();
      this.host = device.allocatePinned(bytes);
      this.keys =
          new DeviceKeys(
              device.allocate(bytes).address(),
              sorter.needsSecondBuffer() ? device.allocate(bytes).address() : 0,
              device.allocate(Math.max(Long.BYTES, sorter.scratchBytes(setting.keys()))).address(),
              setting.keys());
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
    ManyKeys.narrow(from, host, keyBytes);
    stream.upload(device.pinned(), host, keys.address(), host.byteSize());
    device.await(stream);
  }

  @Override
  public void sort() {
    timedSort();
  }

  @Override
  public long timedSort() {
    return device.nanosOf(stream, () -> sorter.sort(lane, keys));
  }

  @Override
  public void unload(MemorySegment to) {
    stream.download(device.pinned(), keys.address(), host, host.byteSize());
    device.await(stream);
    ManyKeys.widen(host, to, keyBytes);
  }

  @Override
  public void close() {
    device.close();
  }
}
