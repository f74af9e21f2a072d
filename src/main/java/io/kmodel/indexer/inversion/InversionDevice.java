package io.kmodel.indexer.inversion;

import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.sort.SortReport;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** A device that inverts, with its counts and times. Safe for many threads. */
final class InversionDevice {
  private static final int MOST_FAILURES = 3;

  private final GpuDevice gpu;
  private final AtomicInteger failures = new AtomicInteger();
  private final LongAdder blocks = new LongAdder();
  private final LongAdder tokens = new LongAdder();
  private final LongAdder uploadNanos = new LongAdder();
  private final LongAdder kernelNanos = new LongAdder();
  private final LongAdder downloadNanos = new LongAdder();
  private volatile boolean givenUp;

  InversionDevice(GpuDevice gpu) {
    this.gpu = gpu;
  }

  /** How long the steps of a block took, in seconds. */
  record Steps(double upload, double kernels, double download) {
    static Steps of(InversionLane lane) {
      return new Steps(lane.uploadSeconds(), lane.kernelSeconds(), lane.downloadSeconds());
    }
  }

  /** Counts a block that is right. */
  void count(InvertedText result, Steps steps) {
    failures.set(0);
    blocks.increment();
    tokens.add(result.tokens());
    uploadNanos.add((long) (1e9 * steps.upload));
    kernelNanos.add((long) (1e9 * steps.kernels));
    downloadNanos.add((long) (1e9 * steps.download));
  }

  /** Counts a failure; returns whether the device is given up now. */
  boolean hasFailed() {
    if (failures.incrementAndGet() >= MOST_FAILURES) {
      givenUp = true;
    }
    return givenUp;
  }

  void giveUp() {
    givenUp = true;
  }

  /** Whether it gets no more blocks. */
  boolean isGivenUp() {
    return givenUp;
  }

  /** The report's text for a device that was given up. */
  String givenUp(String reason) {
    return gpu.info() + " was given up: " + reason;
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

  void close() {
    gpu.close();
  }
}
