package io.kmodel.indexer.experiment;

import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.GpuMemory;
import io.kmodel.indexer.gpu.GpuProbe;
import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.sort.GpuSortStage;
import io.kmodel.indexer.sort.KModelSchedule;
import io.kmodel.indexer.sort.KernelShape;
import io.kmodel.indexer.sort.KeyCheck;
import io.kmodel.indexer.sort.KeyOrder;
import io.kmodel.indexer.sort.KeySorter;
import io.kmodel.indexer.sort.RadixKeySorter;
import io.kmodel.indexer.sort.SortReport;
import io.kmodel.indexer.sort.SortStage;
import io.kmodel.indexer.sort.lab.KModelSorter;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Times sorters of packed keys on the same keys. On a device, CUDA events time the sorting network,
 * and a stream of runs (up, sorted, back) is compared with the throughput of the connection in both
 * directions at once. The CPU's sorters are timed, too. Before a time is reported, the output is
 * checked for order and for the sum of the keys. A stream reuses its memory, so only its last four
 * runs are checked, and that the device completed all runs. Memory: 16 bytes per key, four times
 * that for a device.
 */
public final class SortExperiment {
  private static final int KEY_BYTES = 8;
  private static final int TERM_SHIFT = 40;
  private static final int KEY_BITS = 62;

  /** The maximum number of keys for the network on the CPU, which is slow. */
  private static final long MOST_FOR_ORACLE = 1 << 20;

  /** Minimum runs of a stream, so that filling and draining the pipeline carry little weight. */
  private static final int STREAM = 40;

  private static final int IN_FLIGHT = 4;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final long keys;
  private final Distribution distribution;
  private final int rounds;
  private final Consumer<String> out;

  /** Time limit for an answer of a device. */
  private final Duration limit;

  /**
   * Creates an experiment.
   *
   * @param keys number of keys per sort
   * @param rounds number of recorded sorts, after one that is not; also runs of a stream, if above
   *     40
   */
  public SortExperiment(long keys, Distribution distribution, int rounds, Consumer<String> out) {
    this(keys, distribution, rounds, out, LIMIT);
  }

  /** The same with another time limit for devices. */
  SortExperiment(
      long keys, Distribution distribution, int rounds, Consumer<String> out, Duration limit) {
    if (keys < 1 || rounds < 1) {
      throw new IllegalArgumentException(
          "keys and rounds must be at least 1; got %d and %d".formatted(keys, rounds));
    }
    this.keys = keys;
    this.distribution = distribution;
    this.rounds = rounds;
    this.out = out;
    this.limit = limit;
  }

  private long bytes() {
    return KEY_BYTES * keys;
  }

  private MemorySegment filled(Arena arena, long seed) {
    MemorySegment memory = OffHeap.allocatePages(2 * bytes(), arena);
    distribution.fill(memory, keys, seed);
    return memory;
  }

  private static void require(boolean sorted, String who) {
    if (!sorted) {
      throw new IllegalStateException(who + " did not sort the keys");
    }
  }

  // ---- CPU

  /**
   * Times the CPU's sorters, in one thread.
   *
   * @throws java.nio.channels.ClosedByInterruptException if the thread is interrupted
   */
  public void runOnCpu() throws IOException {
    KeySorter radix = new RadixKeySorter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = filled(arena, 1);
      MemorySegment sorted = memory.asSlice(0, bytes());
      MemorySegment scratch = memory.asSlice(bytes());
      time("cpu, radix, 62 bits", () -> radix.sort(sorted, keys, scratch, 0, KEY_BITS), sorted);
      if (distribution == Distribution.ZIPF) {
        time(
            "cpu, radix, the termID's 22 bits",
            () -> radix.sort(sorted, keys, scratch, TERM_SHIFT, KEY_BITS),
            sorted);
      }
      if (keys <= MOST_FOR_ORACLE) {
        time(
            "cpu, the network's oracle",
            () -> KModelSorter.sort(sorted, keys, 13, 3, KModelSchedule.Mode.CROSS_STAGE),
            sorted);
      }
    }
  }

  private void time(String what, Runnable sort, MemorySegment sorted) throws IOException {
    double[] seconds = new double[rounds];
    for (int round = -1; round < rounds; round++) {
      Interruption.requireNone();
      distribution.fill(sorted, keys, round);
      KeyCheck check = KeyCheck.of(sorted, keys);
      long start = System.nanoTime();
      sort.run();
      if (round >= 0) {
        seconds[round] = (System.nanoTime() - start) / 1e9;
      }
      check.verify(what, sorted, keys);
    }
    out.accept(Spread.of(seconds).line(what, keys));
  }

  // ---- devices

  /**
   * Times the network and the stream of runs on each device. A device that fails is skipped.
   *
   * @return the last failure
   */
  public Optional<GpuException> runOnAll(List<GpuInfo> infos) throws InterruptedException {
    return runOnAll(infos, GpuProbe.kernels());
  }

  Optional<GpuException> runOnAll(List<GpuInfo> infos, byte[] image) throws InterruptedException {
    Optional<GpuException> failure = Optional.empty();
    for (GpuInfo info : infos) {
      out.accept(info.toString());
      try {
        runOn(info, image);
      } catch (GpuException e) {
        out.accept(
            String.format(
                Locale.ROOT, "%-34s skipped: %s", "gpu:" + info.ordinal(), e.getMessage()));
        failure = Optional.of(e);
      }
    }
    return failure;
  }

  private void runOn(GpuInfo info, byte[] image) throws InterruptedException {
    double duplex = timeOnDevice(info, image);
    timeStream(info, image, duplex);
  }

  /** Returns the number of keys per second that can be sent up and back at the same time. */
  double timeOnDevice(GpuInfo info, byte[] image) {
    try (DeviceUse device =
        new DeviceUse(new GpuDevice(info, image, KernelShape.PACKED.kernels()), limit)) {
      GpuMemory first = device.allocate(bytes());
      GpuMemory second = device.allocate(bytes());
      GpuStream stream = device.newStream();
      GpuStream back = device.newStream();
      MemorySegment memory = device.allocatePinned(2 * bytes());
      distribution.fill(memory, keys, 1);
      MemorySegment sorted = memory.asSlice(bytes());
      timeNetwork(info, device, memory, stream, first);
      double seconds = Double.MAX_VALUE;
      for (int round = 0; round < rounds; round++) {
        long start = System.nanoTime();
        stream.upload(device.pinned(), memory, first, bytes());
        back.download(device.pinned(), second, sorted, bytes());
        device.await(stream);
        device.await(back);
        seconds = Math.min(seconds, (System.nanoTime() - start) / 1e9);
      }
      out.accept(
          String.format(
              Locale.ROOT,
              "%-34s %10.1f GB/s each way, at once: %.3f Gk/s",
              "gpu:" + info.ordinal() + ", connection",
              bytes() / seconds / 1e9,
              keys / seconds / 1e9));
      return keys / seconds;
    }
  }

  private void timeNetwork(
      GpuInfo info, DeviceUse device, MemorySegment memory, GpuStream stream, GpuMemory onDevice) {
    MemorySegment sorted = memory.asSlice(bytes());
    double[] seconds = new double[rounds];
    for (int round = -1; round < rounds; round++) {
      stream.clearMarks();
      stream.upload(device.pinned(), memory, onDevice, bytes());
      stream.mark();
      KernelShape.PACKED.sort(stream, onDevice, keys);
      stream.mark();
      stream.download(device.pinned(), onDevice, sorted, bytes());
      device.await(stream);
      if (round >= 0) {
        seconds[round] = stream.secondsBetween(0, 1);
      }
      require(KeyCheck.isSorted(memory, sorted, keys), info.toString());
    }
    out.accept(Spread.of(seconds).line("gpu:" + info.ordinal() + ", in place", keys));
  }

  /** Times runs as in a build: up, sorted and back, with four in flight. */
  void timeStream(GpuInfo info, byte[] image, double duplex) throws InterruptedException {
    String what = "gpu:" + info.ordinal() + ", up, sorted and back";
    boolean isFree = true;
    Arena arena = Arena.ofShared();
    try (SortStage stage =
        new GpuSortStage(List.of(info), image, KernelShape.PACKED, new RadixKeySorter())) {
      if (keys > stage.largestJob()) {
        out.accept(
            String.format(
                Locale.ROOT,
                "%-34s skipped: a run can have at most %,d keys here, with four in flight",
                what,
                stage.largestJob()));
        return;
      }
      List<MemorySegment> memories = new ArrayList<>();
      for (int i = 0; i < IN_FLIGHT; i++) {
        memories.add(filled(arena, i));
      }
      try {
        timeStream(stage, memories, what, duplex);
      } finally {
        for (MemorySegment memory : memories) {
          isFree &= stage.release(memory);
        }
      }
    } finally {
      if (isFree) {
        arena.close();
      }
    }
  }

  private void timeStream(SortStage stage, List<MemorySegment> memories, String what, double duplex)
      throws InterruptedException {
    List<KeyOrder.Job> jobs = new ArrayList<>();
    for (MemorySegment memory : memories) {
      jobs.add(
          new KeyOrder.Job(memory.asSlice(0, bytes()), memory.asSlice(bytes()), keys, 0, KEY_BITS));
    }
    stream(stage, jobs, IN_FLIGHT);
    int runs = Math.max(rounds, STREAM);
    long start = System.nanoTime();
    List<KeyOrder.Ticket> last = stream(stage, jobs, runs);
    double seconds = (System.nanoTime() - start) / 1e9;
    for (KeyOrder.Ticket ticket : last) {
      ticket.await();
    }
    SortReport report = stage.report();
    SortReport.Device device = report.devices().getFirst();
    // If the CPU takes over a run because the device failed, only the report says so.
    require(
        report.cpuRuns() == 0 && device.runs() == IN_FLIGHT + runs,
        "%s: the device completed %d of %d runs %s and"
            .formatted(what, device.runs(), IN_FLIGHT + runs, report.cpuReasons()));
    double rate = runs * (double) keys / seconds;
    out.accept(
        String.format(
            Locale.ROOT,
            "%-34s %10.3f ms a run, %d runs  %7.3f Gk/s, %.0f %% of the connection's; %s",
            what,
            1e3 * seconds / runs,
            runs,
            rate / 1e9,
            100 * rate / duplex,
            steps(device)));
  }

  /** Durations of a run's steps while other runs are in progress. */
  private static String steps(SortReport.Device device) {
    double millis = 1e3 / device.runs();
    return String.format(
        Locale.ROOT,
        "up %.3f ms, sorted %.3f ms, back %.3f ms",
        millis * device.uploadSeconds(),
        millis * device.sortSeconds(),
        millis * device.downloadSeconds());
  }

  /** Submits runs and returns the tickets of the last ones, which have settled. */
  private static List<KeyOrder.Ticket> stream(SortStage stage, List<KeyOrder.Job> jobs, int runs) {
    Deque<KeyOrder.Ticket> inFlight = new ArrayDeque<>();
    for (int i = 0; i < runs; i++) {
      if (inFlight.size() == jobs.size()) {
        inFlight.removeFirst().settle();
      }
      inFlight.addLast(stage.submit(jobs.get(i % jobs.size())));
    }
    inFlight.forEach(KeyOrder.Ticket::settle);
    return List.copyOf(inFlight);
  }
}
