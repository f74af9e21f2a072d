package io.kmodel.indexer.cli;

import io.kmodel.indexer.build.Json;
import io.kmodel.indexer.experiment.BuildRace;
import io.kmodel.indexer.experiment.RaceOptions;
import io.kmodel.indexer.experiment.RaceResult;
import io.kmodel.indexer.experiment.RaceSummary;
import io.kmodel.indexer.experiment.TextExtraction;
import io.kmodel.indexer.parse.AnalysisDefinition;
import io.kmodel.indexer.parse.HtmlMode;
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
    description = "Measures, against rivals, with the results compared before a figure is printed.",
    synopsisSubcommandLabel = "EXPERIMENT")
final class ExperimentCommand implements Runnable {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills spec
  ExperimentCommand() {}

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "which experiment? 'indexer experiment build', 'extract', 'sort', 'sorters' or 'pipelines'");
  }

  /** {@code indexer experiment build}. */
  @Command(
      name = "build",
      mixinStandardHelpOptions = true,
      description = {
        "Races the build of a Lucene index against Lucene's IndexWriter on one corpus.",
        "",
        "An index of our own, without Lucene, competes, too, and the part of both builds that only finds words and"
            + " interns them. Each run is a process of its own; the contestants take turns, after one warm-up run each."
            + " All read the same files (HTML: ours without a tree, IndexWriter's by jsoup; see --rival-html) and index id (stored), title and contents with positions and norms.",
        ""
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  indexer experiment build --corpus corpus/html",
        "  indexer experiment extract --corpus corpus/html --output corpus/text",
        "  indexer experiment build --corpus corpus/text --segments 1"
      })
  static final class Build implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
        names = "--corpus",
        paramLabel = "DIR",
        required = true,
        description = "The crawl: HTML, or text that 'experiment extract' has written.")
    private Path corpus;

    @Option(
        names = "--work",
        paramLabel = "DIR",
        converter = PathArgument.Output.class,
        defaultValue = "target/experiment",
        description =
            "Where the contestants write, in a directory indexer-experiment that is deleted at the end; apart from"
                + " the corpus (default: ${DEFAULT-VALUE}).")
    private Path work;

    @Option(
        names = "--rounds",
        paramLabel = "N",
        defaultValue = "5",
        description = "Recorded runs of each (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
        names = "--analyzer",
        paramLabel = "NAME",
        defaultValue = "standard",
        description = "Analyzer of both (default: ${DEFAULT-VALUE}).")
    private String analyzer;

    @Option(
        names = "--threads",
        paramLabel = "N",
        description =
            "Threads of both (default: one per processor, or as many as our budget has room for).")
    private @Nullable Integer threads;

    @Option(
        names = "--memory",
        paramLabel = "SIZE",
        converter = ByteSize.class,
        defaultValue = "4g",
        description = "Our budget, and the rival's heap (default: ${DEFAULT-VALUE}).")
    private long memoryBytes;

    @Option(
        names = "--segments",
        paramLabel = "N",
        defaultValue = "0",
        description =
            "Segments of the Lucene index: 0 for several (ours: one per run; IndexWriter: as many as it leaves),"
                + " 1 for one (IndexWriter: forceMerge(1)) (default: ${DEFAULT-VALUE}).")
    private int segments;

    @Option(
        names = "--ram-buffer",
        paramLabel = "MB",
        defaultValue = "1024",
        description = "IndexWriter's RAM buffer (default: ${DEFAULT-VALUE}).")
    private int ramBuffer;

    @Option(
        names = "--rival-html",
        paramLabel = "MODE",
        defaultValue = "jsoup",
        description =
            "How IndexWriter's pages are read: jsoup, or fast, by the reader that ours has"
                + " (default: ${DEFAULT-VALUE}).")
    private HtmlMode rivalHtml;

    @Option(
        names = "--rival-merges",
        paramLabel = "BOOL",
        arity = "0..1",
        defaultValue = "true",
        fallbackValue = "true",
        description =
            "Whether IndexWriter merges segments on its way where --segments is 0, as Lucene comes"
                + " (default: ${DEFAULT-VALUE}).")
    private boolean rivalMerges;

    @Option(
        names = "--json",
        paramLabel = "FILE",
        converter = PathArgument.Output.class,
        description = "Write every run's figures there.")
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
          "Writes the text of a crawl's documents as text files, to time indexing without parsing HTML.")
  static final class Extract implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(names = "--corpus", paramLabel = "DIR", required = true, description = "The crawl.")
    private Path corpus;

    @Option(
        names = "--output",
        paramLabel = "DIR",
        converter = PathArgument.Output.class,
        required = true,
        description =
            "Where the text goes: a directory that is absent or empty, apart from the corpus.")
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

  /** One run of one contestant; started by the race, not by people. */
  @Command(name = "contestant", hidden = true)
  static final class Contestant implements Callable<Integer> {
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
