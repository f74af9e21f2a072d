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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Inverts blocks of text on devices: the calling thread waits for a lane, and then for the device.
 * Each device has three lanes, so that one block can be uploaded while another is inverted and a
 * third is downloaded. What a device cannot do, or does not do correctly, the calling thread does;
 * a device that does not answer, or fails three times in a row, gets no more blocks. Safe for many
 * threads.
 *
 * <p>Memory: of each device, that of its lanes ({@link DeviceBlock}); on the host nothing but the
 * blocks, which are pinned as they are used.
 */
public final class InversionStage implements AutoCloseable {
  /** The most fields that are inverted. */
  public static final int MAX_FIELDS = 8;

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int LANES = 3;
  private static final int MOST_FAILURES = 3;
  private static final long POLL_MILLIS = 10;

  /** What a device has done. */
  private record Work(
      String name, LongAdder blocks, LongAdder tokens, LongAdder up, LongAdder on, LongAdder down) {
    Work(String name) {
      this(
          name,
          new LongAdder(),
          new LongAdder(),
          new LongAdder(),
          new LongAdder(),
          new LongAdder());
    }

    SortReport.Device report() {
      return new SortReport.Device(
          name, blocks.sum(), tokens.sum(), up.sum() / 1e9, on.sum() / 1e9, down.sum() / 1e9);
    }
  }

  private final Schema schema;
  private final int[] ordinals;
  private final int blockBytes;
  private final PinnedMemory pinned = new PinnedMemory();
  private final List<GpuDevice> devices = new ArrayList<>();
  private final BlockingQueue<InversionLane> lanes = new LinkedBlockingQueue<>();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile boolean lost;
  private volatile String givenUp = "";

  private final Map<GpuDevice, Work> works = new LinkedHashMap<>();
  private final LongAdder checkNanos = new LongAdder();
  private final Map<String, LongAdder> refused = new ConcurrentSkipListMap<>();

  /**
   * Opens devices.
   *
   * @param image the compiled kernels
   * @param ordinals of the inverted fields, in order, at most {@link #MAX_FIELDS}
   * @param blockBytes the most bytes of text in a block
   * @param patience how long a device may take for a block, plus 10 s per GB
   * @throws GpuException if the driver fails, or a device has too little memory for a lane
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
    try {
      for (GpuInfo info : infos) {
        open(info, image, patience);
      }
    } catch (GpuException e) {
      close();
      throw e;
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

  private void open(GpuInfo info, byte[] image, Duration patience) {
    GpuDevice device = new GpuDevice(info, image, DeviceBlock.KERNELS);
    devices.add(device);
    works.put(device, new Work(info.toString()));
    long lane = DeviceBlock.bytes(blockBytes, DeviceBlock.usualSlotBits(blockBytes));
    long free = device.freeBytes(lane);
    for (int i = 0; i < Math.clamp(free / lane, 1, LANES); i++) {
      lanes.add(new InversionLane(device, pinned, blockBytes, ordinals, patience));
    }
  }

  /** A new block for this stage. */
  public TextBlock newBlock() {
    return new TextBlock(ordinals.length, blockBytes);
  }

  /** Whether there is no device any more that takes blocks. */
  public boolean isGivenUp() {
    return !givenUp.isEmpty();
  }

  /**
   * Inverts a block, on a device or in this thread. The result is valid until the block changes.
   */
  public InvertedText invert(TextBlock block) throws InterruptedException {
    InversionLane lane = block.bytes() == 0 ? null : lane();
    if (lane != null) {
      try {
        return invert(lane, block);
      } catch (RefusedException e) {
        count(e.getMessage());
      }
    } else if (block.bytes() > 0) {
      count(givenUp);
    }
    return PlainInversion.invert(block, schema, ordinals);
  }

  private InvertedText invert(InversionLane lane, TextBlock block) throws RefusedException {
    boolean answers = true;
    try {
      InvertedText result = lane.invert(block);
      failures.set(0);
      count(lane, result);
      return result;
    } catch (LostException e) {
      answers = false;
      lost = true;
      giveUp(lane, e.getMessage());
      throw new RefusedException(givenUp);
    } catch (GpuException e) {
      if (!e.isOutOfMemory() && failures.incrementAndGet() >= MOST_FAILURES) {
        giveUp(lane, e.getMessage());
      }
      throw new RefusedException(e.getMessage());
    } finally {
      if (answers) {
        lanes.add(lane);
      }
    }
  }

  private void giveUp(InversionLane lane, String why) {
    givenUp = lane.device().info() + " was given up: " + why;
  }

  private void count(InversionLane lane, InvertedText result) {
    Work work = works.get(lane.device());
    if (work != null) {
      work.blocks.increment();
      work.tokens.add(result.tokens());
      work.up.add((long) (1e9 * lane.uploadSeconds()));
      work.on.add((long) (1e9 * lane.kernelSeconds()));
      work.down.add((long) (1e9 * lane.downloadSeconds()));
    }
    checkNanos.add(lane.checkNanos());
  }

  private void count(String reason) {
    refused.computeIfAbsent(reason, key -> new LongAdder()).increment();
  }

  /** A free lane; null if there is no device any more. */
  private @Nullable InversionLane lane() throws InterruptedException {
    while (!isGivenUp()) {
      InversionLane lane = lanes.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
      if (lane != null) {
        return lane;
      }
    }
    return null;
  }

  /** Frees a block. Memory that a lost device may still write to stays until the process ends. */
  public void release(TextBlock block) {
    if (lost) {
      return;
    }
    if (!devices.isEmpty()) {
      devices.getFirst().use();
      pinned.unpin(block.text());
      pinned.unpin(block.parts());
      pinned.unpin(block.results());
    }
    block.close();
  }

  /** What the devices and the CPU have done so far, each block as a run. */
  public SortReport report() {
    Map<String, Long> reasons = new TreeMap<>();
    refused.forEach((reason, count) -> reasons.put(reason, count.sum()));
    return new SortReport(
        works.values().stream().map(Work::report).toList(),
        reasons.values().stream().mapToLong(Long::longValue).sum(),
        reasons,
        checkNanos.sum() / 1e9);
  }

  @Override
  public void close() {
    if (lost) {
      return;
    }
    lanes.forEach(InversionLane::close);
    lanes.clear();
    devices.forEach(GpuDevice::close);
    devices.clear();
  }
}
