package io.kmodel.indexer.cli;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.build.BuildOptions;
import io.kmodel.indexer.build.BuildProgress;
import io.kmodel.indexer.build.BuildReport;
import io.kmodel.indexer.build.IndexBuild;
import io.kmodel.indexer.build.Store;
import io.kmodel.indexer.parse.HtmlMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
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
          + " documents give the same index, whatever --threads and --memory are.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  indexer build crawl --output index",
      "  indexer build CC-MAIN-00000.warc.gz --output index --docno uri --duplicates skip",
      "  indexer build crawl more-pages --output index --analyzer english --memory 8g --threads 16",
      "  indexer build crawl --output small-index --store id --positions=false"
    })
final class BuildCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DIR",
      arity = "1..*",
      description = "Directories (or single files) to index, in this order.")
  private List<Path> roots;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "INDEX",
      required = true,
      description = "The directory that the index will be.")
  private Path output;

  @Option(names = "--overwrite", description = "Replace the index that is there.")
  private boolean overwrite;

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
      names = {"-q", "--quiet"},
      description = "No progress and no report, only errors.")
  private boolean quiet;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  BuildCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    BuildProgress progress = new BuildProgress();
    BuildReport report;
    try (ProgressView view = ProgressView.of(progress, quiet)) {
      IndexBuild build = prepare(progress);
      view.start();
      report = build.run();
    }
    if (!quiet) {
      spec.commandLine().getOut().print(ReportText.of(report));
      spec.commandLine().getOut().flush();
    }
    return report.complete() ? ExitCode.OK : ExitCode.INCOMPLETE;
  }

  /** What is wrong with the options is found here, and is a matter of usage. */
  private IndexBuild prepare(BuildProgress progress) {
    try {
      return new IndexBuild(options(), progress);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private BuildOptions options() {
    return new BuildOptions(
        ImmutableList.copyOf(roots),
        source.toOptions(),
        source.duplicates(),
        output,
        overwrite,
        html,
        analyzer,
        positions,
        store,
        resources.toOptions());
  }
}
