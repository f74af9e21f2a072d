package io.kmodel.indexer.cli.experiment;

import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.cli.base.ByteSize;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Output;
import io.kmodel.indexer.cli.option.AtLeastOne;
import io.kmodel.indexer.cli.option.PathArgument;
import io.kmodel.indexer.cli.option.Resources;
import io.kmodel.indexer.cli.view.Counted;
import io.kmodel.indexer.cli.view.FiguresFile;
import io.kmodel.indexer.experiment.TextExtraction;
import io.kmodel.indexer.experiment.race.BuildRace;
import io.kmodel.indexer.experiment.race.RaceOptions;
import io.kmodel.indexer.experiment.race.RaceResult;
import io.kmodel.indexer.experiment.race.RaceSummary;
import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.parse.html.HtmlMode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code indexer experiment}. */
@Command(
    name = "experiment",
    mixinStandardHelpOptions = true,
    description = "Race against rivals; results are compared before any figure is printed.",
    synopsisSubcommandLabel = "EXPERIMENT")
public final class ExperimentCommand implements Runnable {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills spec
  ExperimentCommand() {}

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "no experiment given: use 'indexer experiment build', 'extract', 'sort', 'sorters',"
            + " 'pipelines' or 'vectors'");
  }

  /** {@code indexer experiment build}. */
  @Command(
      name = "build",
      mixinStandardHelpOptions = true,
      description = {
        "Race the build of a Lucene index against Lucene's IndexWriter on one corpus.",
        "",
        "Also races an index in this program's own format and, for both builds, the part that only"
            + " finds and interns words. Each run is a separate process; contestants take turns"
            + " after one warm-up run each. All read the same files and index id (stored), title"
            + " and contents with positions and norms. This program reads HTML without a tree,"
            + " IndexWriter's by jsoup; see --rival-html.",
        ""
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  indexer experiment build --corpus corpus/html",
        "  indexer experiment extract --corpus corpus/html --output corpus/text",
        "  indexer experiment build --corpus corpus/text --segments 1"
      })
  public static final class Build implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
        names = "--corpus",
        paramLabel = "DIR",
        required = true,
        description = "The crawl: HTML, or text from 'experiment extract'.")
    private Path corpus;

    @Option(
        names = "--work",
        paramLabel = "DIR",
        converter = PathArgument.Output.class,
        defaultValue = "target/experiment",
        description =
            "Write to DIR/indexer-experiment, which is deleted at the end; DIR must not overlap the"
                + " corpus (default: ${DEFAULT-VALUE}).")
    private Path work;

    @Option(
        names = "--rounds",
        paramLabel = "N",
        defaultValue = "5",
        description = "Record N runs of each contestant (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
        names = "--analyzer",
        paramLabel = "NAME",
        defaultValue = "standard",
        description = "Use this analyzer in both (default: ${DEFAULT-VALUE}).")
    private String analyzer;

    @Option(
        names = "--threads",
        paramLabel = "N",
        description =
            "Use N threads in both (default: one per processor, or as many as --memory allows).")
    private @Nullable Integer threads;

    @Option(
        names = "--memory",
        paramLabel = "SIZE",
        converter = ByteSize.class,
        defaultValue = "4g",
        description = "Set this program's budget and the rival's heap (default: ${DEFAULT-VALUE}).")
    private long memoryBytes;

    @Option(
        names = "--segments",
        paramLabel = "N",
        defaultValue = "0",
        description =
            "Write several Lucene segments (0: one per run here, as many as IndexWriter leaves"
                + " there) or one (1: IndexWriter by forceMerge(1)) (default: ${DEFAULT-VALUE}).")
    private int segments;

    @Option(
        names = "--ram-buffer",
        paramLabel = "MB",
        defaultValue = "1024",
        description = "Set IndexWriter's RAM buffer (default: ${DEFAULT-VALUE}).")
    private int ramBuffer;

    @Option(
        names = "--rival-html",
        paramLabel = "MODE",
        defaultValue = "jsoup",
        description =
            "Read IndexWriter's pages by jsoup, or fast, by this program's reader (default:"
                + " ${DEFAULT-VALUE}).")
    private HtmlMode rivalHtml;

    @Option(
        names = "--rival-merges",
        paramLabel = "BOOL",
        arity = "0..1",
        defaultValue = "true",
        fallbackValue = "true",
        description =
            "Let IndexWriter merge segments while it indexes if --segments is 0, as Lucene does by"
                + " default (default: ${DEFAULT-VALUE}).")
    private boolean rivalMerges;

    @Option(
        names = "--json",
        paramLabel = "FILE",
        converter = PathArgument.Output.class,
        description = "Write every run's figures to FILE.")
    private @Nullable Path json;

    @SuppressWarnings("NullAway.Init") // picocli fills the options
    Build() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
      PrintWriter out = spec.commandLine().getOut();
      int used = threads != null ? threads : Resources.defaultThreads(memoryBytes);
      AtLeastOne.require(spec, "--rounds", rounds);
      AtLeastOne.require(spec, "--threads", used);
      AtLeastOne.requireMemory(spec, memoryBytes);
      FiguresFile.require(spec, json);
      RaceOptions options =
          new RaceOptions(
              corpus.toString(),
              work.toString(),
              AnalysisDefinition.of(analyzer).analyzer(),
              used,
              memoryBytes,
              segments,
              ramBuffer,
              rivalHtml,
              rivalMerges);
      List<RaceResult> results = BuildRace.race(options, rounds, Output.lines(out));
      out.printf(
          Locale.ROOT,
          "%n%s: %s analyzer, %d threads, memory %s, segments %s, RAM buffer %d MB%s;"
              + " Java %s, each starts %s%n",
          corpus,
          analyzer,
          used,
          ByteSize.format(memoryBytes),
          segments == 0 ? "several" : segments,
          ramBuffer,
          segments == 0 && !rivalMerges ? ", no merges" : "",
          Runtime.version(),
          BuildRace.start());
      out.print(new RaceSummary(results));
      out.flush();
      FiguresFile.write(json, results);
      return ExitCode.OK;
    }
  }

  /** {@code indexer experiment extract}. */
  @Command(
      name = "extract",
      mixinStandardHelpOptions = true,
      description =
          "Write the text of a crawl's documents to text files, to time indexing without HTML"
              + " parsing.")
  public static final class Extract implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(names = "--corpus", paramLabel = "DIR", required = true, description = "The crawl.")
    private Path corpus;

    @Option(
        names = "--output",
        paramLabel = "DIR",
        converter = PathArgument.Output.class,
        required = true,
        description =
            "Write the text to DIR, which must be absent or empty and must not overlap the corpus.")
    private Path output;

    @SuppressWarnings("NullAway.Init") // picocli fills the options
    Extract() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
      TextExtraction.Result result = TextExtraction.extract(corpus, output);
      PrintWriter out = spec.commandLine().getOut();
      out.printf("%s in %s%n", Counted.of(result.documents(), "document"), output);
      result
          .skipped()
          .forEach((reason, count) -> out.printf(Locale.ROOT, "skipped: %,d %s%n", count, reason));
      result
          .other()
          .forEach((what, count) -> out.printf(Locale.ROOT, "counted: %,d %s%n", count, what));
      out.flush();
      return result.skipped().isEmpty() ? ExitCode.OK : ExitCode.INCOMPLETE;
    }
  }

  /** Runs one contestant once; the race starts it, not a user. */
  @Command(name = "contestant", hidden = true)
  public static final class Contestant implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(index = "0")
    private String contestant;

    @Parameters(index = "1")
    private String options;

    @SuppressWarnings("NullAway.Init") // picocli fills the arguments
    Contestant() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
      PrintWriter out = spec.commandLine().getOut();
      BuildRace.compete(contestant, Json.MAPPER.readValue(options, RaceOptions.class), out);
      out.flush();
      return ExitCode.OK;
    }
  }
}
