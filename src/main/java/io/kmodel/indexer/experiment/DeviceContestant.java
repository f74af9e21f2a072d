package io.kmodel.indexer.experiment;

import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.sort.device.DeviceKeys;
import io.kmodel.indexer.sort.device.DeviceLane;
import io.kmodel.indexer.sort.device.DeviceSorter;
import io.kmodel.indexer.sort.device.DeviceSorters;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/**
 * A contestant that sorts in a device's memory, timed by CUDA events without the transfers. Keys of
 * up to 32 bits have 4 bytes there, as in papers.
 */
final class DeviceContestant implements SortContestant {
  /** Names of sorters on a device start with it. */
  static final String PREFIX = "gpu-";

  /** How long a device may take for an empty job. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final long STAGING_BYTES = 4 << 20;

  private final String name;
  private final int keyBytes;
  private final DeviceSorter sorter;
  private final DeviceUse device;
  private final GpuStream stream;
  private final DeviceLane lane;
  private final DeviceKeys keys;
  private final MemorySegment host;

  DeviceContestant(String name, SortSetting setting, GpuInfo info, byte[] image) {
    this.name = name;
    this.keyBytes = setting.bits() <= Integer.SIZE ? Integer.BYTES : Long.BYTES;
    this.sorter = DeviceSorters.of(name.substring(PREFIX.length()), keyBytes);
    Duration limit = GpuStream.patience(PATIENCE, keyBytes * setting.keys());
    this.device = new DeviceUse(new GpuDevice(info, image, sorter.kernels()), limit);
    try {
      this.stream = device.newStream();
      long bytes = keyBytes * setting.keys();
      this.host = device.allocatePinned(bytes);
      MemorySegment staging = device.allocatePinned(STAGING_BYTES);
      this.keys =
          new DeviceKeys(
              device.allocate(bytes).address(),
              sorter.needsSecondBuffer() ? device.allocate(bytes).address() : 0,
              device.allocate(Math.max(Long.BYTES, sorter.scratchBytes(setting.keys()))).address(),
              setting.keys());
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
    narrow(from, host, keyBytes);
    stream.upload(device.pinned(), host, keys.address(), host.byteSize());
    device.await(stream);
  }

  @Override
  public void sort() {
    sorter.sort(lane, keys);
    device.await(stream);
  }

  @Override
  public long timedSort() {
    stream.clearMarks();
    stream.mark();
    sorter.sort(lane, keys);
    stream.mark();
    device.await(stream);
    return (long) (1e9 * stream.secondsBetween(0, 1));
  }

  @Override
  public void unload(MemorySegment to) {
    stream.download(device.pinned(), keys.address(), host, host.byteSize());
    device.await(stream);
    widen(host, to, keyBytes);
  }

  /** Fills a memory with a race's keys, as the device takes them. */
  static void narrow(MemorySegment from, MemorySegment host, int keyBytes) {
    if (keyBytes == Long.BYTES) {
      host.copyFrom(from.asSlice(0, host.byteSize()));
      return;
    }
    for (long i = 0; i < host.byteSize() / Integer.BYTES; i++) {
      host.setAtIndex(ValueLayout.JAVA_INT, i, (int) from.getAtIndex(ValueLayout.JAVA_LONG, i));
    }
  }

  /** The reverse of narrow. */
  static void widen(MemorySegment host, MemorySegment to, int keyBytes) {
    if (keyBytes == Long.BYTES) {
      to.copyFrom(host);
      return;
    }
    for (long i = 0; i < host.byteSize() / Integer.BYTES; i++) {
      int key = host.getAtIndex(ValueLayout.JAVA_INT, i);
      to.setAtIndex(ValueLayout.JAVA_LONG, i, Integer.toUnsignedLong(key));
    }
  }

  @Override
  public void close() {
    device.close();
  }
}
