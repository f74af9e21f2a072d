package io.kmodel.indexer.indexing.report;

import com.google.common.util.concurrent.Uninterruptibles;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Samples the progress and CPU time of a build. It keeps at most {@value #MOST} samples; when there
 * are more, it drops every other one and halves its rate. Its daemon thread ends with it at the
 * latest.
 */
final class BuildSampler implements AutoCloseable {
  static final int MOST = 1024;
  private static final long FIRST_INTERVAL_MILLIS = 50;

  /**
   * A sample.
   *
   * @param nanos time, as {@link System#nanoTime} returns it
   * @param cpuNanos CPU time of the process so far, -1 if unknown
   * @param documents that this process has parsed
   * @param bytes of these documents, decompressed
   */
  record Sample(long nanos, long cpuNanos, long documents, long bytes) {}

  /** Initialized in the sampler's thread, because that takes Java some 20 ms. */
  private static final class OwnProcess {
    private static final @Nullable OperatingSystemMXBean SYSTEM =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  }

  private final BuildProgress progress;
  private final Thread thread = new Thread(this::watch, "sampler");
  private final List<Sample> samples = new ArrayList<>();
  private long intervalMillis = FIRST_INTERVAL_MILLIS;

  private BuildSampler(BuildProgress progress) {
    this.progress = progress;
    thread.setDaemon(true);
  }

  static BuildSampler start(BuildProgress progress) {
    BuildSampler sampler = new BuildSampler(progress);
    sampler.thread.start();
    return sampler;
  }

  private void watch() {
    try {
      while (true) {
        look();
        Thread.sleep(interval());
      }
    } catch (InterruptedException e) {
      // The build has ended.
    }
  }

  private synchronized long interval() {
    return intervalMillis;
  }

  private synchronized void look() {
    OperatingSystemMXBean system = OwnProcess.SYSTEM;
    samples.add(
        new Sample(
            System.nanoTime(),
            system == null ? -1 : system.getProcessCpuTime(),
            progress.ownDocuments(),
            progress.ownBytes()));
    if (samples.size() > MOST) {
      thin(samples);
      intervalMillis *= 2;
    }
  }

  /** Keeps every other sample, starting with the first. */
  static void thin(List<Sample> samples) {
    for (int i = 0; 2 * i < samples.size(); i++) {
      samples.set(i, samples.get(2 * i));
    }
    samples.subList((samples.size() + 1) / 2, samples.size()).clear();
  }

  /** All samples, the last one taken now; it replaces a sample that is hardly older. */
  synchronized List<Sample> samples() {
    if (samples.size() > 1
        && System.nanoTime() - samples.getLast().nanos() < intervalMillis * 500_000) {
      samples.removeLast();
    }
    look();
    return List.copyOf(samples);
  }

  @Override
  public void close() {
    thread.interrupt();
    Uninterruptibles.joinUninterruptibly(thread);
  }
}
