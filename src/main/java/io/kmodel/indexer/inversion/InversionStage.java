package io.kmodel.indexer.inversion;

import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.GpuProbe;
import io.kmodel.indexer.gpu.PinnedMemory;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.inversion.InversionLane.DamagedException;
import io.kmodel.indexer.inversion.InversionLane.LostException;
import io.kmodel.indexer.inversion.InversionLane.RefusedException;
import io.kmodel.indexer.sort.DeviceChoice;
import io.kmodel.indexer.sort.SortReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Inverts blocks of text on devices: the calling thread waits for a lane, and then for the device.
 * Each device has up to four lanes, or eight if there are stems, so that one block can be uploaded
 * while another is inverted and a third is downloaded. The calling thread inverts what a device
 * refuses, fails to do or returns damaged. A device that does not answer, or fails three times in a
 * row, gets no more blocks. Safe for many threads.
 *
 * <p>Memory: of each device, that of its lanes ({@link DeviceBlock}); on the host 32 MiB of pinned
 * memory for each lane, and the blocks, which their users close.
 */
public final class InversionStage implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How long threads wait for a first device. */
  private static final Duration OPENING = Duration.ofSeconds(60);

  private static final int MOST_LANES = 4;

  /** The same where threads make stems while a lane waits. */
  private static final int MOST_LANES_FOR_STEMS = 8;

  /** Blocks are made smaller so that a device has room for so many lanes. */
  private static final int USUAL_LANES = 2;

  /** Blocks are not made smaller than that to have more lanes. */
  private static final int LEAST_BLOCK = 1 << 25;

  private static final long POLL_MILLIS = 10;

  /** A lane that takes a block whenever it is free. */
  private record Lane(InversionDevice device, InversionLane lane) {}

  private final Schema schema;
  private final InvertedFields fields;
  private final ListForm form;
  private final Duration patience;
  private final PinnedMemory pinned = new PinnedMemory();
  private final List<InversionDevice> devices = new CopyOnWriteArrayList<>();
  private final List<Lane> lanes = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Lane> free = new LinkedBlockingQueue<>();

  /** Opens the devices, which takes some tenths of a second, while blocks are filled. */
  private final Thread opening;

  private volatile boolean areOpen;

  /** Whether no device was opened in time. */
  private volatile boolean doNotOpen;

  /** The most bytes of text in a block; less once a device turns out to have little memory. */
  private volatile int blockBytes;

  /** Whether a device did not answer, so that it may still use the memory for transfers. */
  private volatile boolean isLost;

  private final LongAdder checkNanos = new LongAdder();

  /** How often the CPU inverted a block, by reason; 0 for a device that was never used. */
  private final Map<String, Long> reasons = new TreeMap<>();

  /**
   * Starts to open devices. One that cannot be opened, or has too little free memory, is left out
   * and listed among the report's reasons.
   *
   * @param probe finds the devices, in another thread
   * @param image the compiled kernels
   * @param mostBytes of text in a block
   * @param form how lists come back
   * @param patience how long a device may take for each step of its work on a block, plus 10 s per
   *     GB
   */
  public InversionStage(
      Supplier<GpuProbe> probe,
      byte[] image,
      Schema schema,
      InvertedFields fields,
      int mostBytes,
      ListForm form,
      Duration patience) {
    this.form = form;
    this.schema = schema;
    this.fields = fields;
    this.blockBytes = mostBytes;
    this.patience = patience;
    this.opening = Thread.ofPlatform().daemon().name("gpu-open").start(() -> openAll(probe, image));
  }

  /**
   * Opens the devices that a user has chosen. Under {@code auto} another thread also looks for
   * them, since that alone may take a quarter of a second.
   *
   * @throws NoDeviceException if no device is found; the message says why. Under {@code auto} this
   *     may only turn out later, and the CPU then inverts
   * @throws IllegalArgumentException if one that was named does not exist
   */
  public static InversionStage open(
      DeviceChoice choice, Schema schema, InvertedFields fields, int blockBytes, ListForm form)
      throws NoDeviceException {
    String obstacle = GpuProbe.obstacle();
    if (!obstacle.isEmpty()) {
      throw new NoDeviceException(obstacle);
    }
    Supplier<GpuProbe> probe = GpuProbe::look;
    if (choice.kind() == DeviceChoice.Kind.GPU) {
      GpuProbe found = GpuProbe.look();
      if (!found.isAvailable()) {
        throw new NoDeviceException(found.reason());
      }
      GpuProbe chosen = new GpuProbe(choice.among(found), List.of(), "");
      probe = () -> chosen;
    }
    return new InversionStage(
        probe, GpuProbe.kernels(), schema, fields, blockBytes, form, PATIENCE);
  }

  /** Whether there may be a device, as far as that can be told without starting the driver. */
  public static boolean mayHaveDevice() {
    return GpuProbe.obstacle().isEmpty();
  }

  private void openAll(Supplier<GpuProbe> probe, byte[] image) {
    try {
      GpuProbe found = probe.get();
      if (!found.isAvailable()) {
        count("no device inverts: " + found.reason(), 0);
      }
      int bytes = blockBytes;
      for (GpuInfo info : found.devices()) {
        while (bytes > LEAST_BLOCK && USUAL_LANES * laneBytes(bytes) > info.memoryBytes()) {
          bytes /= 2;
        }
      }
      blockBytes = bytes;
      for (GpuInfo info : found.devices()) {
        try {
          open(info, image);
        } catch (GpuException | OutOfMemoryError e) {
          count(info + " cannot be used: " + e.getMessage(), 0);
        }
      }
    } finally {
      areOpen = true;
    }
  }

  private void open(GpuInfo info, byte[] image) {
    GpuDevice gpu = new GpuDevice(info, image, DeviceBlock.KERNELS);
    List<Lane> opened = new ArrayList<>();
    InversionDevice device = new InversionDevice(gpu);
    try {
      long each = laneBytes(blockBytes);
      int most = fields.hasStems() ? MOST_LANES_FOR_STEMS : MOST_LANES;
      long room = gpu.freeBytes(each);
      // One table may have to grow.
      long grown = DeviceBlock.Shape.usual(blockBytes, form).grown().bytes();
      long count = Math.min(Math.max(room / each == 0 ? 0 : 1, (room - grown) / each), most);
      for (long i = 0; i < count; i++) {
        opened.add(
            new Lane(device, new InversionLane(gpu, pinned, blockBytes, form, fields, patience)));
      }
    } catch (GpuException | OutOfMemoryError e) {
      gpu.close();
      throw e;
    }
    devices.add(device);
    lanes.addAll(opened);
    free.addAll(opened);
  }

  private long laneBytes(int bytes) {
    return DeviceBlock.Shape.usual(bytes, form).bytes();
  }

  /** The most bytes of text in a block, as far as is known; a block with more goes to the CPU. */
  public int blockBytes() {
    return blockBytes;
  }

  /** The fields that are inverted. */
  public InvertedFields fields() {
    return fields;
  }

  /** An empty block for this stage. */
  public TextBlock newBlock() {
    return new TextBlock(fields.size(), blockBytes, form);
  }

  /** Whether no device takes blocks any more. */
  public boolean isGivenUp() {
    return (areOpen || doNotOpen) && devices.stream().allMatch(InversionDevice::isGivenUp);
  }

  /**
   * Inverts a block, on a device or in this thread. The result is valid until the block changes.
   */
  public InvertedText invert(TextBlock block) throws InterruptedException {
    if (block.bytes() > 0) {
      try {
        return invert(lane(), block);
      } catch (RefusedException e) {
        count(e.getMessage(), 1);
      }
    }
    return PlainInversion.invert(block, schema, fields);
  }

  /** A free lane of a device that works. */
  private Lane lane() throws InterruptedException, RefusedException {
    long start = System.nanoTime();
    while (!isGivenUp()) {
      Lane lane = free.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
      if (lane != null && !lane.device.isGivenUp()) {
        return lane;
      }
      if (!areOpen && lanes.isEmpty() && System.nanoTime() - start > OPENING.toNanos()) {
        doNotOpen = true;
      }
    }
    throw new RefusedException("no device can be used, or every one was given up");
  }

  private DeviceResult invert(Lane lane, TextBlock block) throws RefusedException {
    InversionDevice device = lane.device;
    DeviceResult result;
    InversionDevice.Steps steps;
    try {
      result = lane.lane.invert(block);
      steps = InversionDevice.Steps.of(lane.lane);
      free.add(lane);
    } catch (DamagedException e) {
      free.add(lane);
      throw failed(device, String.valueOf(e.getMessage()));
    } catch (RefusedException e) {
      free.add(lane);
      throw e;
    } catch (GpuException e) {
      String reason = "%s failed with code %d".formatted(e.call(), e.code());
      boolean isGivenUp = !e.isOutOfMemory() && device.hasFailed();
      if (!lane.lane.settle()) {
        lose(device);
      } else if (!e.isOutOfMemory() || lane.lane.hasBuffers() || isAlone(lane)) {
        // A lane that finds no memory for its buffers is not used again if there are others.
        free.add(lane);
      }
      throw new RefusedException(isGivenUp ? device.givenUp(reason) : reason);
    } catch (LostException e) {
      lose(device);
      throw new RefusedException(device.givenUp(e.getMessage()));
    }
    check(result, device);
    device.count(result, steps);
    return result;
  }

  private void check(DeviceResult result, InversionDevice device) throws RefusedException {
    long start = System.nanoTime();
    String wrong = result.check();
    checkNanos.add(System.nanoTime() - start);
    if (!wrong.isEmpty()) {
      throw failed(device, wrong);
    }
  }

  private static RefusedException failed(InversionDevice device, String wrong) {
    return new RefusedException(device.hasFailed() ? device.givenUp(wrong) : wrong);
  }

  private void lose(InversionDevice device) {
    isLost = true;
    device.giveUp();
  }

  private boolean isAlone(Lane lane) {
    return lanes.stream()
        .noneMatch(
            other ->
                !other.equals(lane) && other.device.equals(lane.device) && other.lane.hasBuffers());
  }

  private void count(String reason, long blocks) {
    synchronized (reasons) {
      reasons.merge(reason, blocks, Long::sum);
    }
  }

  /** What the devices and the CPU have done so far, each block as a run. */
  public SortReport report() {
    synchronized (reasons) {
      return new SortReport(
          devices.stream().map(InversionDevice::report).toList(),
          reasons.values().stream().mapToLong(Long::longValue).sum(),
          new TreeMap<>(reasons),
          checkNanos.sum() / 1e9);
    }
  }

  /**
   * Closes the devices, in another thread, because the driver may not answer. Devices that are not
   * closed within twice the patience, and memory that a device may still use, stays until the
   * process ends.
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
    try {
      opening.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException("the closing thread was interrupted", e);
    }
    if (!isLost) {
      lanes.forEach(lane -> tried(lane.lane::close));
      devices.forEach(device -> tried(device::close));
    }
  }

  /** A device that failed earlier may refuse everything. */
  private static void tried(Runnable call) {
    try {
      call.run();
    } catch (GpuException e) {
      // Its memory is freed when the process ends.
    }
  }
}
