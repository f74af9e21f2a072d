package io.kmodel.indexer.cli;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.build.BuildEstimate;
import io.kmodel.indexer.build.BuildOptions;
import io.kmodel.indexer.build.BuildProgress;
import io.kmodel.indexer.build.BuildReport;
import io.kmodel.indexer.build.IndexBuild;
import io.kmodel.indexer.build.IndexedText;
import io.kmodel.indexer.build.LuceneBuild;
import io.kmodel.indexer.build.Store;
import io.kmodel.indexer.export.ciff.CiffExportOptions;
import io.kmodel.indexer.export.ciff.CiffExporter;
import io.kmodel.indexer.export.ciff.CiffLengths;
import io.kmodel.indexer.export.lucene.ExportCodec;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.ExportPath;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.index.Detail;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.parse.HtmlMode;
import java.io.IOException;
import java.nio.file.Files;
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
      "Builds an index from web archives, collections of documents, and directories of HTML and text.",
      "",
      "Walks each directory in byte order of its paths, without following links. WARC, ARC, TREC, JSONL,"
          + " TSV, HTML and plain text are recognised by their content, and so are gzip, zstd, bzip2"
          + " and xz. The fields of a document are id, title and contents. What cannot be indexed is"
          + " skipped, counted and named, in full in skipped.jsonl; the exit code is then 1.",
      "",
      "The index appears at --output only when it is complete, with a report.json of the build in it. The same"
          + " documents give the same index, whatever --threads, --memory and --device are.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  indexer build crawl --output index",
      "  indexer build CC-MAIN-00000.warc.gz --output index --docno uri --duplicates skip",
      "  indexer build crawl more-pages --output index --analyzer english --memory 8g --threads 16",
      "  indexer build crawl --output small-index --store id --positions=false",
      "  indexer build crawl --export lucene:lucene-index --segments 1",
      "  indexer build crawl --output index --dry-run"
    })
final class BuildCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PATH",
      arity = "1..*",
      description = "Files and directories to index, in this order.")
  private List<Path> roots;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "INDEX",
      description = "The directory that the index will be; not needed with --export.")
  private @Nullable Path output;

  @Option(
      names = "--export",
      paramLabel = "lucene:DIR|ciff:FILE",
      converter = ExportTarget.Converter.class,
      description = {
        "Build a Lucene index in DIR. Without --output nothing else is written: runs go straight into Lucene's"
            + " files. With it, the index is built first and then exported. Or, with --output, export the"
            + " field contents to a CIFF file; 'indexer export ciff' has more options."
      })
  private @Nullable ExportTarget export;

  @Option(
      names = "--segments",
      paramLabel = "N",
      description = {
        "Segments of the Lucene index, at most; with more than one, each is a contiguous range of documents",
        "(default: one for each run, which is the fastest)."
      })
  private @Nullable Integer segments;

  @Option(
      names = "--codec",
      paramLabel = "CODEC",
      defaultValue = "best-speed",
      description =
          "How the Lucene index's stored fields are compressed: ${COMPLETION-CANDIDATES} (default:"
              + " ${DEFAULT-VALUE}).")
  private ExportCodec codec;

  @Option(
      names = "--check",
      paramLabel = "LEVEL",
      defaultValue = "content",
      description =
          "What CheckIndex looks at in the Lucene index: ${COMPLETION-CANDIDATES} (default:"
              + " ${DEFAULT-VALUE}).")
  private IndexCheck check;

  @Option(
      names = "--overwrite",
      fallbackValue = "true",
      description = "Replace the index that is there.")
  private boolean overwrite;

  @Mixin private RecoveryArguments recovery;

  @Mixin private SourceArguments source;

  @Option(
      names = "--html",
      paramLabel = "MODE",
      defaultValue = "fast",
      description = {
        "How HTML is read (default: ${DEFAULT-VALUE}): fast, without a tree, and by jsoup where that might",
        "give another text; or jsoup for every page. The index is the same."
      })
  private HtmlMode html;

  @Mixin private FieldOptions fields;
  @Mixin private AnalysisOptions analysis;

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
      description = {
        "Record where in its text each word starts and ends, so that highlighters need not analyze it again",
        "(default: ${DEFAULT-VALUE}). They take about two bytes a word."
      })
  private boolean offsets;

  @Option(
      names = "--store",
      paramLabel = "WHAT",
      defaultValue = "contents",
      description = {
        "What can be read back (default: ${DEFAULT-VALUE}): none; id; contents (id and the text of every field,",
        "which search needs to show titles and snippets); raw (id, title, and the document as it came,",
        "decoded: a page with its markup)."
      })
  private Store store;

  @Mixin private Resources resources;

  @Option(
      names = "--dry-run",
      fallbackValue = "true",
      description = {
        "Read names, sizes and first bytes only, and print what would be read and about how much disk and",
        "memory it would take. Nothing is written."
      })
  private boolean dryRun;

  @Mixin private DeviceOptions device;
  @Mixin private Display display;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  BuildCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (dryRun) {
      return estimate();
    }
    requireTarget();
    BuildReport report;
    try (ProgressView view = display.build()) {
      Build build = prepare(view.progress);
      view.start();
      report = build.run();
    }
    if (!display.quiet()) {
      spec.commandLine().getOut().print(ReportText.of(report));
      spec.commandLine().getOut().flush();
      display.report(report);
    }
    if (output != null && export != null) {
      export(output, export);
    }
    return report.complete() ? ExitCode.OK : ExitCode.INCOMPLETE;
  }

  private int estimate() throws IOException {
    Path target = output != null ? output : export != null ? export.path() : Path.of("index");
    boolean segments = output == null && export != null && this.segments == null;
    BuildEstimate estimate;
    try (ProgressView view = display.build()) {
      view.start();
      estimate =
          BuildEstimate.of(
              options(target),
              segments ? BuildEstimate.Target.SEGMENTS : BuildEstimate.Target.INDEX,
              view.progress);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
    display.report(EstimateText.members(estimate));
    spec.commandLine().getOut().print(EstimateText.of(estimate, target));
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }

  /** Either build. */
  private interface Build {
    BuildReport run() throws IOException, InterruptedException;
  }

  private void requireTarget() {
    if (output == null && export == null) {
      throw usage("nothing to build: name --output, --export or both");
    }
    if (export == null && segments != null) {
      throw usage("--segments is about --export, which is not given");
    }
    if (export != null && export.engine() == ExportTarget.Engine.CIFF) {
      requireCiff(export.path());
    }
    if (segments != null && segments < 1) {
      throw usage("--segments must be at least 1; got " + segments);
    }
  }

  /** What would be in the way of the export is better heard of before the build. */
  private void requireCiff(Path file) {
    if (output == null) {
      throw usage("--export ciff:FILE is made of an index, which needs --output");
    }
    if (segments != null) {
      throw usage("--segments is about a Lucene index, not a CIFF file");
    }
    if (store == Store.NONE) {
      throw usage("a CIFF file names its documents by their ids, which --store=none leaves out");
    }
    if (!fields.toPlan().parts().containsKey(Schema.CONTENTS)) {
      throw usage("a CIFF file is made of the field contents, which --fields leaves out");
    }
    if (Files.exists(file) && !overwrite) {
      throw usage("%s exists; --overwrite replaces it".formatted(file));
    }
  }

  /** What is wrong with the options is found here, and is a matter of usage. */
  private Build prepare(BuildProgress progress) throws IOException {
    try {
      if (output != null) {
        return new IndexBuild(options(output), progress)
                .withRecovery(recovery.toRecovery(spec.commandLine().getErr()))
            ::run;
      }
      Path target = Objects.requireNonNull(export).path();
      int most = segments == null ? LuceneBuild.SEGMENT_PER_RUN : segments;
      return new LuceneBuild(options(target), new LuceneBuild.Target(most, check, codec), progress)
              .withRecovery(recovery.toRecovery(spec.commandLine().getErr()))
          ::run;
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private void export(Path index, ExportTarget target) throws IOException {
    int threads = resources.toOptions().threads();
    try (InvertedIndex opened = InvertedIndex.open(index);
        TaskView view = display.task("exporting")) {
      if (target.engine() == ExportTarget.Engine.CIFF) {
        CiffExportOptions options =
            new CiffExportOptions(Schema.CONTENTS, CiffLengths.EXACT, overwrite);
        CiffExporter.export(opened, target.path(), options, view);
        return;
      }
      LuceneExporter.export(
          opened,
          target.path(),
          new ExportOptions(
              segments == null ? threads : segments, threads, check, ExportPath.DIRECT, codec),
          view);
    }
  }

  private Detail detail() {
    if (offsets && !positions) {
      throw usage("--offsets are those of positions, which --positions=false leaves out");
    }
    if (offsets) {
      return Detail.OFFSETS;
    }
    return positions ? Detail.POSITIONS : Detail.FREQUENCIES;
  }

  private CommandLine.ParameterException usage(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }

  private BuildOptions options(Path target) throws IOException {
    return new BuildOptions(
        ImmutableList.copyOf(roots),
        source.toOptions(),
        source.duplicates(),
        target,
        overwrite,
        html,
        new IndexedText(
            fields.toPlan(), fields.toAnalysis(analysis.toDefinition()), detail(), store),
        resources.toOptions().withDevice(device.choice(), device.pipeline()));
  }
}
