package io.kmodel.indexer.cli;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.build.BuildOptions;
import io.kmodel.indexer.build.BuildProgress;
import io.kmodel.indexer.build.BuildReport;
import io.kmodel.indexer.build.IndexBuild;
import io.kmodel.indexer.build.LuceneBuild;
import io.kmodel.indexer.build.Pipeline;
import io.kmodel.indexer.build.Store;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.ExportPath;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.parse.HtmlMode;
import io.kmodel.indexer.sort.DeviceChoice;
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
      "  indexer build crawl --export lucene:lucene-index --segments 1"
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
      paramLabel = "lucene:DIR",
      converter = LuceneTarget.Converter.class,
      description = {
        "Build a Lucene index in DIR. Without --output nothing else is written: runs go straight into Lucene's"
            + " files. With it, the index is built first and then exported."
      })
  private @Nullable LuceneTarget export;

  @Option(
      names = "--segments",
      paramLabel = "N",
      description = {
        "Segments of the Lucene index, at most; with more than one, each is a contiguous range of documents",
        "(default: one for each run, which is the fastest)."
      })
  private @Nullable Integer segments;

  @Option(
      names = "--check",
      paramLabel = "LEVEL",
      defaultValue = "content",
      description =
          "What CheckIndex looks at in the Lucene index: ${COMPLETION-CANDIDATES} (default:"
              + " ${DEFAULT-VALUE}).")
  private IndexCheck check;

  @Option(names = "--overwrite", description = "Replace the index that is there.")
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

  @Option(
      names = "--analyzer",
      paramLabel = "NAME",
      defaultValue = "standard",
      description = {
        "How text becomes terms (default: ${DEFAULT-VALUE}):",
        "standard: words after Unicode's rules, in lower case;",
        "english: the same, without stop words and possessives, Porter-stemmed;",
        "whitespace: split at white space and nothing else."
      })
  private String analyzer;

  @Option(
      names = "--positions",
      paramLabel = "BOOL",
      arity = "0..1",
      defaultValue = "true",
      fallbackValue = "true",
      description = "Record positions; phrase queries need them (default: ${DEFAULT-VALUE}).")
  private boolean positions;

  @Option(
      names = "--store",
      paramLabel = "WHAT",
      defaultValue = "contents",
      description = {
        "What can be read back (default: ${DEFAULT-VALUE}): none; id; contents (id, title and text,",
        "which search needs to show titles and snippets)."
      })
  private Store store;

  @Mixin private Resources resources;

  @Option(
      names = "--device",
      paramLabel = "WHERE",
      defaultValue = "auto",
      converter = Device.class,
      description = {
        "Where runs are sorted (default: ${DEFAULT-VALUE}): auto, on NVIDIA GPUs if there are any, and",
        "the report says why not; cpu; gpu, on all of them, or gpu:0,2 on these. The index is the same."
      })
  private DeviceChoice device;

  @Option(
      names = "--pipeline",
      paramLabel = "HOW",
      defaultValue = "overlapped",
      description = {
        "With a GPU (default: ${DEFAULT-VALUE}): overlapped, threads parse on while it sorts;",
        "serial, they wait. The index is the same."
      })
  private Pipeline pipeline;

  @Option(
      names = {"-q", "--quiet"},
      description = "No progress and no report, only errors.")
  private boolean quiet;

  /** Reads {@link DeviceChoice}s. */
  static final class Device implements CommandLine.ITypeConverter<DeviceChoice> {
    @Override
    public DeviceChoice convert(String value) {
      try {
        return DeviceChoice.parse(value);
      } catch (IllegalArgumentException e) {
        throw new CommandLine.TypeConversionException(e.getMessage());
      }
    }
  }

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  BuildCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    requireTarget();
    BuildProgress progress = new BuildProgress();
    BuildReport report;
    try (ProgressView view = ProgressView.of(progress, quiet)) {
      Build build = prepare(progress);
      view.start();
      report = build.run();
    }
    if (!quiet) {
      spec.commandLine().getOut().print(ReportText.of(report));
      spec.commandLine().getOut().flush();
    }
    if (output != null && export != null) {
      export(output, export);
    }
    return report.complete() ? ExitCode.OK : ExitCode.INCOMPLETE;
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
    if (segments != null && segments < 1) {
      throw usage("--segments must be at least 1; got " + segments);
    }
  }

  /** What is wrong with the options is found here, and is a matter of usage. */
  private Build prepare(BuildProgress progress) {
    try {
      if (output != null) {
        return new IndexBuild(options(output), progress)
                .withRecovery(recovery.toRecovery(spec.commandLine().getErr()))
            ::run;
      }
      Path target = Objects.requireNonNull(export).directory();
      int most = segments == null ? LuceneBuild.SEGMENT_PER_RUN : segments;
      return new LuceneBuild(options(target), new LuceneBuild.Target(most, check), progress)
              .withRecovery(recovery.toRecovery(spec.commandLine().getErr()))
          ::run;
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private void export(Path index, LuceneTarget target) throws IOException {
    int threads = resources.toOptions().threads();
    try (InvertedIndex opened = InvertedIndex.open(index)) {
      LuceneExporter.export(
          opened,
          target.directory(),
          new ExportOptions(
              segments == null ? threads : segments, threads, check, ExportPath.DIRECT));
    }
  }

  private CommandLine.ParameterException usage(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }

  private BuildOptions options(Path target) {
    return new BuildOptions(
        ImmutableList.copyOf(roots),
        source.toOptions(),
        source.duplicates(),
        target,
        overwrite,
        html,
        analyzer,
        positions,
        store,
        resources.toOptions().withDevice(device, pipeline));
  }
}
