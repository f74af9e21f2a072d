package io.kmodel.indexer.experiment.strings;

import io.kmodel.indexer.experiment.DeviceUse;
import io.kmodel.indexer.experiment.RaceDevice;
import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.sort.device.DeviceLane;
import io.kmodel.indexer.sort.device.DeviceStrings;
import io.kmodel.indexer.sort.device.StringSorter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A sorter of strings on a device, timed by CUDA events. Strings and order are copied from and to
 * pinned memory.
 */
public final class GpuStrings implements StringContestant {
  private static final long STAGING_BYTES = 1 << 12;

  private final String name;
  private final StringSorter sorter;
  private final DeviceUse device;
  private final GpuStream stream;
  private final DeviceLane lane;
  private final long starts;
  private final long order;
  private final long scratch;
  private final MemorySegment hostStarts;
  private final MemorySegment hostOrder;

  /** Memory for the strings' bytes. More of it may replace it, and it is freed with the device. */
  private long bytes;

  private MemorySegment hostBytes = MemorySegment.NULL;

  /** Of the loaded strings, up to a multiple of 8. */
  private long loadedBytes;

  /**
   * Creates a contestant for a number of strings.
   *
   * @param mostBytes about how many bytes they have
   */
  public GpuStrings(String name, StringSorter sorter, RaceDevice race, int count, long mostBytes) {
    this.name = name;
    this.sorter = sorter;
    this.device = DeviceUse.of(race, sorter.kernels(), mostBytes);
    try {
      this.lane = device.newLane(STAGING_BYTES);
      this.stream = lane.stream();
      this.hostStarts = device.allocatePinned((count + 1L) * Long.BYTES);
      this.hostOrder = device.allocatePinned((long) count * Integer.BYTES);
      this.starts = device.allocate(hostStarts.byteSize()).address();
      this.order = device.allocate(hostOrder.byteSize()).address();
      this.scratch = device.allocate(sorter.scratchBytes(count)).address();
      makeRoom(mostBytes);
    } catch (RuntimeException | OutOfMemoryError e) {
      device.closeAfter(e);
      throw e;
    }
  }

  private void makeRoom(long wanted) {
    if (wanted > hostBytes.byteSize()) {
      long room = (wanted + wanted / Long.BYTES) / Long.BYTES * Long.BYTES + Long.BYTES;
      hostBytes = device.allocatePinned(room);
      bytes = device.allocate(room).address();
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void load(ByteStrings strings) {
    loadedBytes = Math.ceilDiv(strings.totalBytes(), (long) Long.BYTES) * Long.BYTES;
    makeRoom(loadedBytes);
    MemorySegment.copy(
        strings.bytes(), 0, hostBytes, ValueLayout.JAVA_BYTE, 0, (int) strings.totalBytes());
    MemorySegment.copy(
        strings.starts(), 0, hostStarts, ValueLayout.JAVA_LONG, 0, strings.count() + 1);
  }

  @Override
  public Seconds sort() {
    long count = hostOrder.byteSize() / Integer.BYTES;
    stream.clearMarks();
    stream.mark();
    stream.upload(device.pinned(), hostBytes, bytes, loadedBytes);
    stream.upload(device.pinned(), hostStarts, starts, hostStarts.byteSize());
    stream.mark();
    sorter.sort(lane, new DeviceStrings(bytes, starts, count), order, scratch);
    stream.mark();
    stream.download(device.pinned(), order, hostOrder, hostOrder.byteSize());
    stream.mark();
    device.await(stream);
    return new Seconds(stream.secondsBetween(1, 2), stream.secondsBetween(0, 3));
  }

  @Override
  public int[] order() {
    return hostOrder.toArray(ValueLayout.JAVA_INT);
  }

  @Override
  public void close() {
    device.close();
  }
}
