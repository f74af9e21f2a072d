package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.analysis.DocumentAnalysis;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.BuildOptions.Resources;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Pipeline;
import io.kmodel.indexer.indexing.report.StageClock;
import io.kmodel.indexer.inversion.InversionStage;
import io.kmodel.indexer.inversion.ListForm;
import io.kmodel.indexer.inversion.NoDeviceException;
import io.kmodel.indexer.inversion.TextBlock;
import io.kmodel.indexer.run.RunMemory;
import io.kmodel.indexer.sort.DeviceChoice;
import io.kmodel.indexer.sort.DeviceListener;
import io.kmodel.indexer.sort.SortReport;
import io.kmodel.indexer.sort.SortStage;
import io.kmodel.indexer.sort.SortStages;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where the runs of a build are made: by the threads, with or without devices that sort, or by
 * devices that invert blocks of text. Safe for many threads.
 */
final class RunStage implements AutoCloseable {
  /**
   * The largest block that comes back as keys, which are encoded later anyhow; holds most splits of
   * large files whole.
   */
  private static final long LARGEST_KEYED = 128L << 20;

  /** The largest block that is encoded by the device: a segment, so few are better. */
  private static final long LARGEST_ENCODED = 1L << 30;

  /** Share of a thread's memory for the fields that are not inverted, and the most they need. */
  private static final int OTHERS_SHARE = 8;

  private static final long MOST_FOR_OTHERS = 128L << 20;

  private final Schema schema;
  private final MemoryPlan plan;
  private final StageClock clock;
  private final SortStage sorters;

  /** Run buffers per thread. */
  private final int buffers;

  /** Null if the threads make the keys. */
  private final @Nullable InversionStage inversion;

  private final List<Integer> inverted;

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
    this.inverted = tokenized(schema);
    boolean waits = options.resources().pipeline() == Pipeline.SERIAL;
    this.buffers = sorters.isAside() && !waits ? 2 : 1;
  }

  /**
   * Opens the devices that a build uses. If they cannot invert what the options want, they sort.
   *
   * @param wanted how the output takes lists; as keys if devices cannot encode them
   * @throws BuildException if a device was asked for that is not there
   */
  static RunStage open(
      BuildOptions options,
      MemoryPlan plan,
      DeviceStages devices,
      StageClock clock,
      ListForm wanted) {
    String obstacle = inverts(options) ? obstacle(options) : "";
    if (inverts(options) && obstacle.isEmpty()) {
      try {
        InversionStage inversion = openInversion(options, plan, devices, form(options, wanted));
        return new RunStage(options, plan, clock, SortStages.onlyCpu(), inversion, "");
      } catch (NoDeviceException e) {
        obstacle = "no device inverts: " + e.getMessage();
      } catch (IllegalArgumentException e) {
        throw new BuildException(String.valueOf(e.getMessage()));
      }
    }
    return new RunStage(options, plan, clock, openSorters(devices), null, obstacle);
  }

  /** Whether devices are to invert. */
  private static boolean inverts(BuildOptions options) {
    Resources resources = options.resources();
    return resources.pipeline() == Pipeline.INVERTED
        && !resources.device().equals(DeviceChoice.CPU);
  }

  /** Devices encode positions; lists without come back as keys. */
  private static ListForm form(BuildOptions options, ListForm wanted) {
    Schema schema = options.schema();
    boolean encodes =
        tokenized(schema).stream()
            .allMatch(field -> schema.field(field).detail() == Detail.POSITIONS);
    return encodes ? wanted : ListForm.KEYS;
  }

  /** The most bytes of text of a block if devices invert; 0 if the CPU makes the runs. */
  static long bytesOfBlock(BuildOptions options, MemoryPlan plan, ListForm wanted) {
    return inverts(options) && obstacle(options).isEmpty()
        ? bytesOfBlock(plan, form(options, wanted))
        : 0;
  }

  private static long bytesOfBlock(MemoryPlan plan, ListForm form) {
    long most = form == ListForm.LUCENE ? LARGEST_ENCODED : LARGEST_KEYED;
    return Math.min(TextBlock.capacityFor(plan.runBytes() - othersBytes(plan), form), most);
  }

  private static SortStage openSorters(DeviceStages devices) {
    try {
      return devices.sorting().get();
    } catch (IllegalArgumentException e) {
      throw new BuildException(String.valueOf(e.getMessage()));
    }
  }

  private static InversionStage openInversion(
      BuildOptions options, MemoryPlan plan, DeviceStages devices, ListForm form)
      throws NoDeviceException {
    Schema schema = options.schema();
    return devices
        .inversion()
        .open(schema, tokenized(schema), (int) bytesOfBlock(plan, form), form);
  }

  /** Why devices cannot invert texts as these options want; empty if they can. */
  private static String obstacle(BuildOptions options) {
    Schema schema = options.schema();
    List<Integer> fields = tokenized(schema);
    if (schema.hasOffsets()) {
      return "devices do not record offsets";
    }
    if (fields.size() > InversionStage.MAX_FIELDS) {
      return "devices take at most %d fields".formatted(InversionStage.MAX_FIELDS);
    }
    for (int field : fields) {
      AnalysisDefinition definition =
          options.text().analysis().definition(schema.field(field).name());
      if (!definition.equals(AnalysisDefinition.STANDARD)) {
        return "devices only have the analyzer 'standard'";
      }
    }
    return fields.isEmpty() ? "no field has a text" : "";
  }

  private static List<Integer> tokenized(Schema schema) {
    return IntStream.range(0, schema.size())
        .filter(field -> schema.field(field).tokenized())
        .boxed()
        .toList();
  }

  private static long othersBytes(MemoryPlan plan) {
    return Math.clamp(plan.runBytes() / OTHERS_SHARE, RunMemory.MIN_BYTES, MOST_FOR_OTHERS);
  }

  /** Empty runs of a thread, which closes them. */
  DocumentRuns newRuns(DocumentAnalysis analysis) {
    if (inversion == null) {
      return newBuffers(analysis);
    }
    return new InvertingRuns(
        inversion,
        new InvertingRuns.Settings(
            schema, analysis, inverted, othersBytes(plan), () -> newBuffers(analysis), clock));
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
