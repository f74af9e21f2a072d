package io.kmodel.indexer.indexing.report;

import io.kmodel.indexer.index.model.FieldStatistics;
import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.model.TermDistribution;
import io.kmodel.indexer.index.model.TopTerms;
import io.kmodel.indexer.index.verify.ColumnNumbers;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.parse.html.HtmlCounts;
import io.kmodel.indexer.sort.SortReport;
import io.kmodel.indexer.source.JsonCounts;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collects the data of the report while a build runs. */
public final class BuildLog implements AutoCloseable {
  private final StageClock clock = new StageClock();
  private final List<SkipLog> skipLogs = new ArrayList<>();
  private final SkipLog skips = new SkipLog();
  private final HtmlCounts html = new HtmlCounts();
  private final List<BuildReport.Phase> phases = new ArrayList<>();
  private BuildReport.Sorting sorting = BuildReport.Sorting.NONE;
  private final SourceCounts sources = new SourceCounts();
  private BuildReport.@Nullable Origin origin;
  private final long start;
  private long phaseStart;
  private final BuildProgress progress;
  private final BuildSampler sampler;

  /**
   * Contents of a finished index.
   *
   * @param sharedIds documents with the id of an earlier one, -1 if unknown
   * @param terms distinct terms, -1 if unknown
   * @param fields statistics of the fields; empty if unknown
   * @param topTerms the terms that most documents have; empty if unknown
   * @param emptyColumns columns of metadata that no document has a value for
   */
  public record Content(
      int documents,
      long sharedIds,
      long terms,
      long postings,
      long tokens,
      List<BuildReport.FieldFigures> fields,
      List<BuildReport.TopTerm> topTerms,
      List<String> emptyColumns) {
    /** The contents of an index of this program's format. */
    public static Content of(IndexMetadata index, List<TopTerms.Top> top) {
      Schema schema = index.schema();
      long distinct = 0;
      long postings = 0;
      long tokens = 0;
      List<BuildReport.FieldFigures> fields = new ArrayList<>();
      for (int field = 0; field < schema.size(); field++) {
        FieldStatistics statistics = index.statistics().get(field);
        distinct += statistics.terms();
        postings += statistics.postings();
        tokens += schema.field(field).tokenized() ? statistics.tokens() : 0;
        fields.add(BuildReport.FieldFigures.of(schema.field(field).name(), statistics));
      }
      long ids = index.statistics().get(schema.ordinal(Schema.ID)).terms();
      return new Content(
          index.documentCount(),
          index.documentCount() - ids,
          distinct,
          postings,
          tokens,
          fields,
          top.stream().map(term -> BuildReport.TopTerm.of(term, schema)).toList(),
          emptyColumns(index));
    }

    private static List<String> emptyColumns(IndexMetadata index) {
      return ColumnNumbers.of(index).stream()
          .filter(column -> column.documents() == 0)
          .map(ColumnNumbers::name)
          .toList();
    }
  }

  /** Safe for many threads. */
  public StageClock clock() {
    return clock;
  }

  private BuildLog(BuildProgress progress) {
    clock.timeline().begin();
    start = clock.timeline().origin();
    phaseStart = start;
    this.progress = progress;
    sampler = BuildSampler.start(progress);
  }

  /** Starts the log of a build, and its first phase. */
  public static BuildLog start(BuildProgress progress) {
    return new BuildLog(progress);
  }

  /** Ends a phase and starts the next. */
  public void endPhase(String name) {
    long now = System.nanoTime();
    phases.add(new BuildReport.Phase(name, (now - phaseStart) / 1e9));
    phaseStart = now;
  }

  /** Adds the skipped documents of the next piece of the collection. */
  public void add(SkipLog log) {
    skipLogs.add(log);
    skips.addAll(log);
  }

  /** Adds the result of the next split. */
  public void add(SplitResult split) {
    add(split.skips());
    html.addAll(split.html());
    sources.addAll(split.sources());
  }

  /** Writes the list of all skipped documents, in the order of the collection, into an index. */
  public void listSkipped(Path index) throws IOException {
    SkipLog.join(
        skipLogs.stream().flatMap(log -> Stream.ofNullable(log.file())).toList(),
        index.resolve(BuildReport.SKIPPED_FILE_NAME));
  }

  /** Sets what the index is made of. */
  public void madeOf(BuildReport.Origin what) {
    origin = what;
  }

  /** Called when all runs are sorted. */
  public void sorted(BuildOptions.Resources resources, SortReport stage) {
    sorting =
        new BuildReport.Sorting(
            resources.device().toString(),
            name(resources.pipeline()),
            clock.seconds(Activity.SORT) - stage.checkSeconds(),
            stage);
  }

  /** Writes the reports of a build into its index. */
  public BuildReport report(
      BuildOptions options, Content content, int runs, Path index, @Nullable TermDistribution terms)
      throws IOException {
    Timeline timeline = clock.timeline();
    List<BuildSampler.Sample> samples = sampler.samples();
    BuildReport.Stretch oneCore =
        BusyCores.longestWithOne(BusyCores.of(samples, timeline.lanes(), timeline.origin()));
    BuildReport report = report(options, content, runs, files(index), oneCore, cpuSeconds(samples));
    write(report, index, new ReportPage.Drawing(timeline, samples, terms));
    return report;
  }

  /**
   * Writes the reports of an index that was joined from parts.
   *
   * @param parts the reports of the parts, in order
   */
  public BuildReport joined(
      BuildOptions options,
      Content content,
      List<BuildReport> parts,
      Path index,
      @Nullable TermDistribution terms)
      throws IOException {
    List<BuildSampler.Sample> samples = sampler.samples();
    BuildReport own =
        report(
            options, content, 0, files(index), new BuildReport.Stretch(0, 0), cpuSeconds(samples));
    BuildReport report = JoinedReport.of(own, parts);
    write(report, index, new ReportPage.Drawing(clock.timeline(), samples, terms));
    return report;
  }

  private static void write(BuildReport report, Path index, ReportPage.Drawing drawing)
      throws IOException {
    report.write(index);
    ReportPage.write(index, report, drawing);
  }

  /** The report of a build without an index; it is not written. */
  public BuildReport withoutIndex(BuildOptions options, Content content) {
    return report(
        options,
        content,
        0,
        List.of(),
        new BuildReport.Stretch(0, 0),
        cpuSeconds(sampler.samples()));
  }

  /** The files of an index that are no reports. */
  private static List<BuildReport.FileSize> files(Path index) throws IOException {
    try (Stream<Path> all = Files.list(index)) {
      List<BuildReport.FileSize> files = new ArrayList<>();
      for (Path file : all.sorted().toList()) {
        if (!BuildReport.FILE_NAMES.contains(file.getFileName().toString())) {
          long bytes = Files.isDirectory(file) ? Directories.bytes(file, "") : Files.size(file);
          files.add(new BuildReport.FileSize(file.getFileName().toString(), bytes));
        }
      }
      return List.copyOf(files);
    }
  }

  private static double cpuSeconds(List<BuildSampler.Sample> samples) {
    long from = samples.getFirst().cpuNanos();
    long to = samples.getLast().cpuNanos();
    return from < 0 || to < 0 ? -1 : (to - from) / 1e9;
  }

  private BuildReport report(
      BuildOptions options,
      Content content,
      int runs,
      List<BuildReport.FileSize> files,
      BuildReport.Stretch oneCore,
      double cpuSeconds) {
    return new BuildReport(
        options.output().toString(),
        options.content(),
        (System.nanoTime() - start) / 1e9,
        content.documents(),
        content.tokens(),
        content.terms(),
        content.postings(),
        runs,
        sources.total().bytes(),
        sources.byFormat(),
        files.stream().mapToLong(BuildReport.FileSize::bytes).sum(),
        ProcessMemory.peakResidentBytes(),
        htmlReport(),
        jsonReport(),
        sorting,
        content.sharedIds(),
        skips.total(),
        byReason(SkipReason.Kind.LOST),
        skips.total(SkipReason.Kind.IN_PART),
        byReason(SkipReason.Kind.NOTED),
        byReason(SkipReason.Kind.PASSED),
        skips.unused(),
        content.emptyColumns(),
        examplesByReason(),
        oneCore,
        List.copyOf(phases),
        workDone(),
        content.fields(),
        content.topTerms(),
        files,
        Execution.of(options.resources(), System.nanoTime() - start, cpuSeconds, progress),
        origin);
  }

  /** Ends sampling. */
  @Override
  public void close() {
    sampler.close();
  }

  private BuildReport.Html htmlReport() {
    Map<String, Long> unsure = new TreeMap<>();
    html.unsure().forEach((why, count) -> unsure.put(name(why), count));
    return new BuildReport.Html(html.fast(), html.jsoup(), unsure);
  }

  private BuildReport.JsonObjects jsonReport() {
    JsonCounts json = skips.objects();
    Map<String, Long> unsure = new TreeMap<>();
    json.unsure().forEach((why, count) -> unsure.put(name(why), count));
    return new BuildReport.JsonObjects(json.fast(), json.jackson(), unsure);
  }

  private Map<String, Long> byReason(SkipReason.Kind kind) {
    Map<String, Long> counts = new TreeMap<>();
    skips
        .counts()
        .forEach(
            (reason, count) -> {
              if (reason == SkipReason.UNREAD_VALUE && kind == SkipReason.Kind.NOTED) {
                skips.unread().forEach((what, number) -> counts.put(labelOfUnread(what), number));
              } else if (reason.kind() == kind) {
                counts.put(reason.label(), count);
              }
            });
    return counts;
  }

  /** The label of a column's values that could not be read. */
  private static String labelOfUnread(String what) {
    return SkipReason.UNREAD_VALUE.label() + " " + what;
  }

  private Map<String, List<String>> examplesByReason() {
    Map<String, List<String>> examples = new TreeMap<>();
    skips
        .examples()
        .forEach(
            (reason, kept) -> {
              if (reason == SkipReason.UNREAD_VALUE) {
                for (String what : skips.unread().keySet()) {
                  examples.put(
                      labelOfUnread(what),
                      texts(kept.stream().filter(s -> s.detail().startsWith(what + ": "))));
                }
              } else if (reason.kind() != SkipReason.Kind.PASSED) {
                examples.put(reason.label(), texts(kept.stream()));
              }
            });
    return examples;
  }

  private static List<String> texts(Stream<SkipLog.Skipped> skipped) {
    return skipped.map(s -> s.place() + ": " + s.detail()).toList();
  }

  private List<BuildReport.WorkDone> workDone() {
    List<BuildReport.WorkDone> work = new ArrayList<>();
    for (Activity kind : Activity.values()) {
      if (!kind.isIdle()) {
        work.add(new BuildReport.WorkDone(kind.label(), clock.seconds(kind), clock.bytes(kind)));
      }
    }
    return work;
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
