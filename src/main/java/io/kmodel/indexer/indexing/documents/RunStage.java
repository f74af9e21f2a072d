package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.analysis.DocumentAnalysis;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.BuildOptions.Resources;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Pipeline;
import io.kmodel.indexer.indexing.report.StageClock;
import io.kmodel.indexer.inversion.InversionStage;
import io.kmodel.indexer.inversion.NoDeviceException;
import io.kmodel.indexer.sort.DeviceChoice;
import io.kmodel.indexer.sort.DeviceListener;
import io.kmodel.indexer.sort.SortReport;
import io.kmodel.indexer.sort.SortStage;
import io.kmodel.indexer.sort.SortStages;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where the runs of a build are made: by the threads, with or without devices that sort, or by
 * devices that invert blocks of text. Safe for many threads.
 */
final class RunStage implements AutoCloseable {
  private final Pipeline pipeline;
  private final Schema schema;
  private final MemoryPlan plan;
  private final StageClock clock;
  private final SortStage sorters;

  /** Run buffers per thread. */
  private final int buffers;

  /** Null if the threads make the keys. */
  private final @Nullable InversionStage inversion;

  /** Why devices do not invert although the user wants it; empty if they do. */
  private final String obstacle;

  private RunStage(
      BuildOptions options,
      MemoryPlan plan,
      StageClock clock,
      SortStage sorters,
      @Nullable InversionStage inversion,
      String obstacle) {
    this.schema = options.schema();
    this.plan = plan;
    this.clock = clock;
    this.sorters = sorters;
    this.inversion = inversion;
    this.obstacle = obstacle;
    this.pipeline = options.resources().pipeline();
    boolean waits = pipeline == Pipeline.SERIAL;
    this.buffers = sorters.isAside() && !waits ? 2 : 1;
  }

  /**
   * Opens the devices that a build uses. If they do not make runs from text, they sort, except that
   * under {@code auto} they then do nothing, because that gains nothing.
   *
   * @param choice whether devices invert
   * @param isLarge whether the crawl is known to be large enough for that
   * @throws BuildException if a device was asked for that is not there
   */
  static RunStage open(
      BuildOptions options,
      MemoryPlan plan,
      DeviceStages devices,
      StageClock clock,
      InversionChoice choice,
      boolean isLarge) {
    try {
      String obstacle = choice.inverts() && !isLarge ? choice.tooSmall() : choice.why();
      if (choice.inverts() && isLarge) {
        try {
          InversionStage inversion = openInversion(options, devices, choice);
          return new RunStage(options, plan, clock, SortStages.onlyCpu(), inversion, "");
        } catch (NoDeviceException e) {
          obstacle = "no device inverts: " + e.getMessage();
        }
      }
      Resources resources = options.resources();
      if (resources.pipeline() == Pipeline.AUTO && resources.device().equals(DeviceChoice.AUTO)) {
        return new RunStage(options, plan, clock, devices.none().apply(obstacle), null, "");
      }
      // Devices that were asked for sort, which needs no reason unless they were to invert.
      String why = resources.pipeline() == Pipeline.INVERTED ? obstacle : "";
      return new RunStage(options, plan, clock, devices.sorting().get(), null, why);
    } catch (IllegalArgumentException e) {
      throw new BuildException(String.valueOf(e.getMessage()));
    }
  }

  private static InversionStage openInversion(
      BuildOptions options, DeviceStages devices, InversionChoice choice) throws NoDeviceException {
    Schema schema = options.schema();
    return devices
        .inversion()
        .open(schema, InversionChoice.fields(options), (int) choice.blockBytes(), choice.form());
  }

  /** What devices do, also if they were left to choose. */
  Pipeline pipeline() {
    if (pipeline != Pipeline.AUTO) {
      return pipeline;
    }
    boolean inverts = inversion != null && !inversion.report().devices().isEmpty();
    return inverts ? Pipeline.INVERTED : Pipeline.OVERLAPPED;
  }

  /** Empty runs of a thread, which closes them. */
  DocumentRuns newRuns(DocumentAnalysis analysis) {
    if (inversion == null) {
      return newBuffers(analysis);
    }
    return new InvertingRuns(
        inversion,
        new InvertingRuns.Settings(
            schema,
            analysis,
            InversionChoice.othersBytes(plan),
            () -> newBuffers(analysis),
            clock));
  }

  private RunBuffers newBuffers(DocumentAnalysis analysis) {
    return new RunBuffers(schema, analysis, plan.runBytes(), buffers, sorters, clock);
  }

  /** Whether devices sort while threads continue. */
  boolean isAside() {
    return sorters.isAside();
  }

  void observe(DeviceListener listener) {
    sorters.observe(listener);
  }

  /** What the stage has done so far. */
  SortReport report() {
    SortReport sorted = sorters.report();
    SortReport report = inversion == null ? sorted : inversion.report();
    Map<String, Long> reasons = new TreeMap<>(report.cpuReasons());
    long cpuRuns = report.cpuRuns();
    if (inversion != null && sorted.cpuRuns() > 0) {
      reasons.put("larger than a block, or no device left", sorted.cpuRuns());
      cpuRuns += sorted.cpuRuns();
    }
    if (!obstacle.isEmpty()) {
      reasons.put(obstacle, 0L);
    }
    return new SortReport(report.devices(), cpuRuns, reasons, report.checkSeconds());
  }

  @Override
  public void close() {
    try (sorters) {
      if (inversion != null) {
        inversion.close();
      }
    }
  }
}
