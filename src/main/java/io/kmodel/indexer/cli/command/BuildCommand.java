package io.kmodel.indexer.cli.command;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.cli.option.AnalysisOptions;
import io.kmodel.indexer.cli.option.DeviceOptions;
import io.kmodel.indexer.cli.option.ExportArguments;
import io.kmodel.indexer.cli.option.ExportTarget;
import io.kmodel.indexer.cli.option.FieldOptions;
import io.kmodel.indexer.cli.option.FromOption;
import io.kmodel.indexer.cli.option.Given;
import io.kmodel.indexer.cli.option.MetadataOptions;
import io.kmodel.indexer.cli.option.PathArgument;
import io.kmodel.indexer.cli.option.RecoveryArguments;
import io.kmodel.indexer.cli.option.Resources;
import io.kmodel.indexer.cli.option.SourceArguments;
import io.kmodel.indexer.cli.view.Display;
import io.kmodel.indexer.cli.view.EstimateText;
import io.kmodel.indexer.cli.view.ProgressView;
import io.kmodel.indexer.cli.view.ReportText;
import io.kmodel.indexer.cli.view.TaskView;
import io.kmodel.indexer.export.lucene.vectors.DocumentVectors;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.BuildEstimate;
import io.kmodel.indexer.indexing.Indexing;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.cluster.ClusterBuild;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.sort.DeviceChoice;
import io.kmodel.indexer.store.disk.Places;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code indexer build}. */
@Command(
    name = "build",
    mixinStandardHelpOptions = true,
    description = {
      "Build an index from web archives, collections of documents, and directories of HTML and"
          + " text.",
      "",
      "Walks each directory in byte order of its paths, without following links. WARC, ARC, TREC,"
          + " JSONL, JSON, TSV, HTML, XML and plain text are recognised by their content, and so are"
          + " gzip, zstd, bzip2, xz and compress. The fields of a document are id, title and"
          + " contents. What cannot be indexed is skipped, counted and named, in full in"
          + " skipped.jsonl; the exit code is then 1.",
      "",
      "The index appears at --output only when it is complete, with report.html and report.json in"
          + " it. The same documents give the same index for any --threads, --memory and --device.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  indexer build crawl --output index",
      "  indexer build CC-MAIN-00000.warc.gz --output index --duplicates skip",
      "  indexer build crawl more-pages -o index --analyzer english --memory 8g",
      "  indexer build crawl --output small-index --store id --positions=false",
      "  indexer build crawl --export lucene:lucene-index --segments 1",
      "  zcat pages.jsonl.gz | grep river | indexer build - --format jsonl --output index",
      "  indexer build --from warc.paths.gz --base https://data.commoncrawl.org/ -o index",
      "  indexer build s3://bucket/crawl/ --output index",
      "  indexer build crawl --output index --dry-run"
    })
final class BuildCommand implements Callable<Integer> {
  /** What says how texts are analyzed, which vectors are not. */
  private static final ImmutableList<String> OF_TEXTS =
      ImmutableList.of(
          "--fields",
          "--combine",
          "--field-analyzer",
          "--main-content",
          "--analyzer",
          "--language",
          "--analyzer-chain",
          "--stemmer",
          "--stop-words",
          "--max-token-length",
          "--positions",
          "--offsets");

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PATH",
      arity = "0..*",
      converter = PathArgument.OneOfMany.class,
      description =
          "Files, directories and URLs (https, http, s3) to index, in this order; - is standard"
              + " input, which is read as one file.")
  private List<Path> roots = List.of();

  @Mixin private FromOption from;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "INDEX",
      converter = PathArgument.PerhapsStored.class,
      description =
          "Create the index in this directory; not needed with --export lucene:DIR. With --cluster"
              + " also a URL of Hadoop, such as hdfs://HOST/PATH.")
  private @Nullable Path output;

  @Mixin private ExportArguments export;

  @Option(
      names = "--overwrite",
      fallbackValue = "true",
      description = "Replace an existing index, and what --export names.")
  private boolean overwrite;

  @Mixin private RecoveryArguments recovery;

  @Mixin private SourceArguments source;

  @Option(
      names = "--html",
      paramLabel = "MODE",
      defaultValue = "fast",
      description =
          "Read HTML fast (without a tree, and by jsoup if that might give another text) or with"
              + " jsoup only (default: ${DEFAULT-VALUE}). The index is the same.")
  private HtmlMode html;

  @Mixin private FieldOptions fields;
  @Mixin private AnalysisOptions analysis;
  @Mixin private MetadataOptions metadata;

  @Option(
      names = "--positions",
      paramLabel = "BOOL",
      arity = "0..1",
      defaultValue = "true",
      fallbackValue = "true",
      description = "Record positions; phrase queries need them (default: ${DEFAULT-VALUE}).")
  private boolean positions;

  @Option(
      names = "--offsets",
      paramLabel = "BOOL",
      arity = "0..1",
      defaultValue = "false",
      fallbackValue = "true",
      description =
          "Record where each word starts and ends, so that highlighters need not analyze the text"
              + " again (default: ${DEFAULT-VALUE}). Offsets take about two bytes a word.")
  private boolean offsets;

  @Option(
      names = "--store",
      paramLabel = "WHAT",
      defaultValue = "contents",
      description =
          "Store none, id, contents (id and the text of every field, which search needs for titles"
              + " and snippets) or raw (id, title, and the decoded document with its markup)"
              + " (default: ${DEFAULT-VALUE}).")
  private Store store;

  @Mixin private Resources resources;

  @Option(
      names = "--dry-run",
      fallbackValue = "true",
      description =
          "Read names, sizes and the first bytes of about 2,000 files at most, and print what would be"
              + " read and about how much disk and memory the build would take. Write nothing.")
  private boolean dryRun;

  @Mixin private DeviceOptions device;
  @Mixin private OnCluster cluster;
  @Mixin private Display display;

  /** The build, once it is prepared. */
  private @Nullable Indexing build;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  BuildCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    roots = from.paths(roots);
    requireTarget();
    resources.doubt().ifPresent(Log.of(spec)::warning);
    if (dryRun) {
      from.refuseStandardInput(roots, "--dry-run");
      return estimate();
    }
    BuildReport report;
    if (cluster.isWanted()) {
      return buildOnCluster();
    }
    try (ProgressView view = display.build()) {
      Indexing prepared = prepare(view);
      build = prepared;
      view.start();
      report = run(prepared::run);
    }
    if (!isFollowed()) {
      tell(report);
    }
    return report.complete() ? ExitCode.OK : ExitCode.INCOMPLETE;
  }

  /** Builds the index on a cluster; an export follows in this process. */
  private int buildOnCluster() throws IOException, InterruptedException {
    BuildReport report;
    try (ProgressView view = display.build()) {
      view.start();
      BuildOptions options = options(Objects.requireNonNull(target()));
      Recovery told = recovery.toRecovery(Log.of(spec), display.quiet());
      ClusterBuild prepared = cluster.prepare(options, told, view.progress, export);
      report = run(prepared::run);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
    tell(report);
    if (isFollowed()) {
      export(Objects.requireNonNull(output), Objects.requireNonNull(export.target()));
    }
    return report.complete() ? ExitCode.OK : ExitCode.INCOMPLETE;
  }

  /** Whether the index is exported after it is built. */
  private boolean isFollowed() {
    return output != null && export.target() != null;
  }

  private void tell(BuildReport report) {
    if (device.choice().kind() == DeviceChoice.Kind.GPU) {
      report.sorting().stage().whyUnused().forEach(Log.of(spec)::warning);
    }
    if (!display.quiet()) {
      boolean isEarlier = build != null && build.foundComplete();
      spec.commandLine()
          .getOut()
          .print(isEarlier ? ReportText.ofSkipped(report) : ReportText.of(report));
      if (output == null && !isEarlier) {
        spec.commandLine().getOut().print(ReportText.checked(export.check()));
      }
      spec.commandLine().getOut().flush();
      display.report(report);
    }
  }

  private int estimate() throws IOException {
    Path target = Objects.requireNonNullElse(target(), Path.of("index"));
    boolean merges = output != null || !export.segmentPerRun();
    BuildEstimate estimate;
    try (ProgressView view = display.build()) {
      view.start();
      BuildOptions options = options(target);
      requireOutput(options, view.progress);
      estimate = BuildEstimate.of(options, placesOfExport(), merges, view.progress);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
    display.report(EstimateText.members(estimate));
    spec.commandLine().getOut().print(EstimateText.of(estimate, target));
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }

  /** Checks, without building, that the output can be written. */
  private void requireOutput(BuildOptions options, BuildProgress progress) throws IOException {
    if (output != null || export.target() != null) {
      Target made = output == null ? export.ofBuild() : Target.ownIndex();
      new Indexing(options, made, progress)
          .withRecovery(recovery.toRecovery(Log.of(spec), display.quiet()))
          .requireOutput();
    }
  }

  /** A build whose options were checked. */
  @FunctionalInterface
  interface Build {
    BuildReport run() throws IOException, InterruptedException;
  }

  /** Runs a build. Its options were checked, so an illegal argument is a bug. */
  static BuildReport run(Build build) throws IOException, InterruptedException {
    try {
      return build.run();
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** The path that the build writes first; null if it has no target. */
  private @Nullable Path target() {
    ExportTarget exported = export.target();
    return output != null || exported == null ? output : exported.path();
  }

  /** Checks the export's target before the build starts. */
  private void requireTarget() throws IOException {
    ExportTarget target = export.target();
    if (output == null && target == null && !dryRun) {
      throw usage("nothing to build: name --output, --export or both");
    }
    cluster.require(output, export, device.choice(), dryRun);
    if (!recovery.resumes()) {
      Given.refuse(spec, List.of("--clean"), "--resume");
    }
    try {
      recovery.require();
      export.require(roots, output, overwrite, resources.toOptions().threads(), recovery.resumes());
      if (export.writesVectors()) {
        DocumentVectors.requireTexts(text().schema());
      }
      if (!dryRun) {
        export.tryMaking(output);
      }
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
    if (target != null && target.engine() == ExportTarget.Engine.CIFF) {
      if (store == Store.NONE) {
        throw usage("a CIFF file needs ids, but --store=none does not store them");
      }
      if (!source.areVectors() && !fields.toPlan().parts().containsKey(Schema.CONTENTS)) {
        throw usage("a CIFF file needs the field contents, which is not in --fields");
      }
    }
  }

  /** Prepares the build. Invalid options are reported as usage errors. */
  private Indexing prepare(ProgressView view) throws IOException {
    try {
      BuildOptions options = options(Objects.requireNonNull(target()));
      return new Indexing(options, made(view), view.progress)
          .withRecovery(recovery.toRecovery(Log.of(spec), display.quiet()));
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private Target made(ProgressView view) throws IOException {
    if (output == null) {
      return export.ofBuild();
    }
    return isFollowed()
        ? Target.ownIndexThen(
            report -> follow(view, report), placesOfExport(), export.writesLucene())
        : Target.ownIndex();
  }

  /** The paths that the export writes to. */
  private List<Path> placesOfExport() throws IOException {
    return isFollowed() ? export.places() : List.of();
  }

  /** Reports the finished build, then exports its index. */
  private void follow(ProgressView view, BuildReport report) throws IOException {
    view.close();
    tell(report);
    export(Objects.requireNonNull(output), Objects.requireNonNull(export.target()));
  }

  private void export(Path index, ExportTarget target) throws IOException {
    int threads = resources.toOptions().threads();
    String line = "";
    try (InvertedIndex opened = InvertedIndex.open(Places.real(index));
        TaskView view = display.task("exporting")) {
      if (!recovery.resumes() || !export.isComplete(opened, target, overwrite, threads, view)) {
        line = export.export(opened, target, overwrite, threads, view);
      } else if (!display.quiet()) {
        Log.of(spec).note(target.path() + " was already complete");
      }
    }
    if (!display.quiet()) {
      spec.commandLine().getOut().print(line);
      spec.commandLine().getOut().flush();
    }
  }

  private Detail detail() {
    if (offsets && !positions) {
      throw usage("--offsets needs positions; remove --positions=false");
    }
    if (offsets) {
      return Detail.OFFSETS;
    }
    return positions ? Detail.POSITIONS : Detail.FREQUENCIES;
  }

  private IndexedText text() throws IOException {
    if (!source.areVectors()) {
      return new IndexedText(
              fields.toPlan(), fields.toAnalysis(analysis.toDefinition()), detail(), store)
          .withMetadata(metadata.toPlan());
    }
    for (String option : OF_TEXTS) {
      if (Given.isGiven(spec, option)) {
        throw usage(option + " is for texts; --format vectors takes terms as they are");
      }
    }
    return IndexedText.ofVectors(store).withMetadata(metadata.toPlan());
  }

  private CommandLine.ParameterException usage(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }

  private BuildOptions options(Path target) throws IOException {
    return new BuildOptions(
        ImmutableList.copyOf(roots),
        source.toOptions(),
        source.duplicates(),
        source.nearDuplicates(),
        target,
        overwrite,
        html,
        text(),
        resources
            .toOptions()
            .withDevice(device.choice(), device.pipeline())
            .withSpace(export.space()));
  }
}
