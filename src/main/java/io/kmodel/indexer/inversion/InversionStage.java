package io.kmodel.indexer.inversion;

import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.GpuProbe;
import io.kmodel.indexer.gpu.PinnedMemory;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.inversion.InversionLane.LostException;
import io.kmodel.indexer.inversion.InversionLane.RefusedException;
import io.kmodel.indexer.sort.DeviceChoice;
import io.kmodel.indexer.sort.SortReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Inverts blocks of text on devices: the calling thread waits for a lane, and then for the device.
 * Each device has up to three lanes, so that one block can be uploaded while another is inverted
 * and a third is downloaded. The calling thread inverts what a device refuses, fails to do or
 * returns damaged. A device that does not answer, or fails three times in a row, gets no more
 * blocks. Safe for many threads.
 *
 * <p>Memory: of each device, that of its lanes ({@link DeviceBlock}); on the host the blocks, which
 * are pinned as they are used and stay until the stage is closed, because the driver unpins nothing
 * while a device hangs.
 */
public final class InversionStage implements AutoCloseable {
  /** The most fields that are inverted. */
  public static final int MAX_FIELDS = 8;

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int LANES = 3;
  private static final int MOST_FAILURES = 3;
  private static final long POLL_MILLIS = 10;

  /** A device, with its counts and times. */
  private static final class Device {
    final GpuDevice gpu;
    final AtomicInteger failures = new AtomicInteger();
    final LongAdder blocks = new LongAdder();
    final LongAdder tokens = new LongAdder();
    final LongAdder uploadNanos = new LongAdder();
    final LongAdder kernelNanos = new LongAdder();
    final LongAdder downloadNanos = new LongAdder();
    volatile boolean givenUp;

    Device(GpuDevice gpu) {
      this.gpu = gpu;
    }

    SortReport.Device report() {
      return new SortReport.Device(
          gpu.info().toString(),
          blocks.sum(),
          tokens.sum(),
          uploadNanos.sum() / 1e9,
          kernelNanos.sum() / 1e9,
          downloadNanos.sum() / 1e9);
    }
  }

  /** A lane that takes a block whenever it is free. */
  private record Lane(Device device, InversionLane lane) {}

  private final Schema schema;
  private final int[] ordinals;
  private final int blockBytes;
  private final Duration patience;
  private final PinnedMemory pinned = new PinnedMemory();
  private final List<Device> devices = new ArrayList<>();
  private final List<Lane> lanes = new ArrayList<>();
  private final BlockingQueue<Lane> free = new LinkedBlockingQueue<>();

  /** All blocks, those that no thread has, and those that a lost device may still write to. */
  private final Set<TextBlock> blocks = ConcurrentHashMap.newKeySet();

  private final Queue<TextBlock> idle = new ConcurrentLinkedQueue<>();
  private final Set<TextBlock> lost = ConcurrentHashMap.newKeySet();

  private final LongAdder checkNanos = new LongAdder();

  /** How often the CPU inverted a block, by reason; 0 for a device that was never used. */
  private final Map<String, Long> reasons = new TreeMap<>();

  /**
   * Opens devices. One that cannot be opened, or has too little free memory, is left out and listed
   * among the report's reasons.
   *
   * @param image the compiled kernels
   * @param ordinals of the inverted fields, in order, at most {@link #MAX_FIELDS}
   * @param blockBytes the most bytes of text in a block
   * @param patience how long a device may take for each half of its work on a block, plus 10 s per
   *     GB
   * @throws GpuException if no device can be opened
   */
  public InversionStage(
      List<GpuInfo> infos,
      byte[] image,
      Schema schema,
      List<Integer> ordinals,
      int blockBytes,
      Duration patience) {
    this.schema = schema;
    this.ordinals = ordinals.stream().mapToInt(Integer::intValue).toArray();
    this.blockBytes = blockBytes;
    this.patience = patience;
    GpuException failure = null;
    for (GpuInfo info : infos) {
      try {
        open(info, image);
      } catch (GpuException e) {
        failure = e;
        reasons.put(info + " cannot be used: " + e.getMessage(), 0L);
      }
    }
    if (devices.isEmpty() && failure != null) {
      throw failure;
    }
  }

  /**
   * Opens the devices that a user has chosen.
   *
   * @throws NoDeviceException if none of them can be used; the message says why
   * @throws IllegalArgumentException if one that was named does not exist
   */
  public static InversionStage open(
      DeviceChoice choice, Schema schema, List<Integer> ordinals, int blockBytes)
      throws NoDeviceException {
    GpuProbe probe = GpuProbe.look();
    if (!probe.isAvailable()) {
      throw new NoDeviceException(probe.reason());
    }
    try {
      return new InversionStage(
          choice.among(probe), GpuProbe.kernels(), schema, ordinals, blockBytes, PATIENCE);
    } catch (GpuException e) {
      throw new NoDeviceException(e.getMessage());
    }
  }

  private void open(GpuInfo info, byte[] image) {
    GpuDevice gpu = new GpuDevice(info, image, DeviceBlock.KERNELS);
    long each = DeviceBlock.bytes(blockBytes, DeviceBlock.usualSlotBits(blockBytes));
    long count;
    try {
      count = Math.min(gpu.freeBytes(each) / each, LANES);
    } catch (GpuException e) {
      gpu.close();
      throw e;
    }
    Device device = new Device(gpu);
    devices.add(device);
    for (long i = 0; i < count; i++) {
      lanes.add(new Lane(device, new InversionLane(gpu, pinned, blockBytes, ordinals, patience)));
    }
    free.addAll(lanes.subList(lanes.size() - (int) count, lanes.size()));
  }

  /** An empty block for this stage. */
  public TextBlock newBlock() {
    TextBlock block = idle.poll();
    if (block == null) {
      block = new TextBlock(ordinals.length, blockBytes);
      blocks.add(block);
    }
    return block;
  }

  /** Takes a block back. */
  public void release(TextBlock block) {
    block.clear();
    if (!lost.contains(block)) {
      idle.add(block);
    }
  }

  /** Whether a lost device may still write to the memory of a block. */
  public boolean isLost(TextBlock block) {
    return lost.contains(block);
  }

  /** Whether no device takes blocks any more. */
  public boolean isGivenUp() {
    return devices.stream().allMatch(device -> device.givenUp);
  }

  /**
   * Inverts a block, on a device or in this thread. The result is valid until the block changes.
   */
  public InvertedText invert(TextBlock block) throws InterruptedException {
    if (block.bytes() > 0) {
      try {
        return invert(lane(), block);
      } catch (RefusedException e) {
        count(e.getMessage());
      }
    }
    return PlainInversion.invert(block, schema, ordinals);
  }

  /** A free lane of a device that works. */
  private Lane lane() throws InterruptedException, RefusedException {
    while (!isGivenUp()) {
      Lane lane = free.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
      if (lane != null && !lane.device.givenUp) {
        return lane;
      }
    }
    throw new RefusedException("every device was given up");
  }

  private InvertedText invert(Lane lane, TextBlock block) throws RefusedException {
    Device device = lane.device;
    try {
      InvertedText result = lane.lane.invert(block);
      device.failures.set(0);
      count(lane, result);
      free.add(lane);
      return result;
    } catch (RefusedException e) {
      free.add(lane);
      throw e;
    } catch (GpuException e) {
      boolean isGone = !e.isOutOfMemory() && device.failures.incrementAndGet() >= MOST_FAILURES;
      device.givenUp |= isGone;
      if (!lane.lane.settle()) {
        lose(device, block);
      } else if (!e.isOutOfMemory() || lane.lane.hasBuffers() || isAlone(lane)) {
        // A lane that finds no memory for its buffers is not used again if there are others.
        free.add(lane);
      }
      String reason = "%s failed with code %d".formatted(e.call(), e.code());
      throw new RefusedException(
          device.givenUp ? device.gpu.info() + " was given up: " + reason : reason);
    } catch (LostException e) {
      lose(device, block);
      throw new RefusedException(device.gpu.info() + " was given up: " + e.getMessage());
    }
  }

  private void lose(Device device, TextBlock block) {
    lost.add(block);
    device.givenUp = true;
  }

  private boolean isAlone(Lane lane) {
    return lanes.stream()
        .noneMatch(
            other ->
                !other.equals(lane) && other.device.equals(lane.device) && other.lane.hasBuffers());
  }

  private void count(Lane lane, InvertedText result) {
    Device device = lane.device;
    device.blocks.increment();
    device.tokens.add(result.tokens());
    device.uploadNanos.add((long) (1e9 * lane.lane.uploadSeconds()));
    device.kernelNanos.add((long) (1e9 * lane.lane.kernelSeconds()));
    device.downloadNanos.add((long) (1e9 * lane.lane.downloadSeconds()));
    checkNanos.add(lane.lane.checkNanos());
  }

  private void count(String reason) {
    synchronized (reasons) {
      reasons.merge(reason, 1L, Long::sum);
    }
  }

  /** What the devices and the CPU have done so far, each block as a run. */
  public SortReport report() {
    synchronized (reasons) {
      return new SortReport(
          devices.stream().map(Device::report).toList(),
          reasons.values().stream().mapToLong(Long::longValue).sum(),
          new TreeMap<>(reasons),
          checkNanos.sum() / 1e9);
    }
  }

  /**
   * Frees everything, in another thread, because the driver may not answer. Memory that is not
   * freed within twice the patience, or that a device may still write to, stays until the process
   * ends.
   */
  @Override
  public void close() {
    Thread closing = Thread.ofPlatform().daemon().name("gpu-close").start(this::free);
    boolean interrupted = false;
    long end = System.nanoTime() + 2 * patience.toNanos();
    while (closing.isAlive() && System.nanoTime() < end) {
      try {
        closing.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void free() {
    if (!lost.isEmpty()) {
      return;
    }
    boolean isUnpinned = tried(() -> blocks.forEach(this::unpin));
    if (isUnpinned) {
      blocks.forEach(TextBlock::close);
    }
    lanes.forEach(lane -> tried(lane.lane::close));
    devices.forEach(device -> tried(device.gpu::close));
  }

  private void unpin(TextBlock block) {
    devices.getFirst().gpu.use();
    pinned.unpin(block.text());
    pinned.unpin(block.parts());
    pinned.unpin(block.results());
  }

  /** Whether the driver did it; a device that failed earlier may refuse everything. */
  private static boolean tried(Runnable call) {
    try {
      call.run();
      return true;
    } catch (GpuException e) {
      return false;
    }
  }
}
