package io.kmodel.indexer.cli.experiment;

import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.cli.base.ByteSize;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Output;
import io.kmodel.indexer.cli.option.AtLeastOne;
import io.kmodel.indexer.cli.option.PathArgument;
import io.kmodel.indexer.cli.option.Resources;
import io.kmodel.indexer.cli.view.FiguresFile;
import io.kmodel.indexer.experiment.race.BuildRace;
import io.kmodel.indexer.experiment.race.RaceOptions;
import io.kmodel.indexer.experiment.race.RaceResult;
import io.kmodel.indexer.experiment.race.RaceSummary;
import io.kmodel.indexer.experiment.race.Rival;
import io.kmodel.indexer.experiment.race.RivalOptions;
import io.kmodel.indexer.parse.html.HtmlMode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code indexer experiment build}. */
@Command(
    name = "build",
    mixinStandardHelpOptions = true,
    description = {
      "Race the build of a Lucene index against Lucene's IndexWriter or another program.",
      "",
      "Also races an index in this program's own format and, for both builds, the part that only"
          + " finds and interns words. Each run is a separate process; contestants take turns"
          + " after one warm-up run each. All read the same files and index id (stored), title"
          + " and contents with positions and norms. This program reads HTML without a tree,"
          + " IndexWriter's by jsoup; see --rival-html.",
      "",
      "Anserini and Terrier index contents alone. They are timed from the start of their Java to"
          + " its end, and this program's builds from the start of Java, too.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  indexer experiment build --corpus corpus/html",
      "  indexer experiment extract --corpus corpus/html --output corpus/text",
      "  indexer experiment build --corpus corpus/text --segments 1",
      "  indexer experiment extract --corpus corpus/html --form jsonl --output corpus/jsonl",
      "  indexer experiment build --corpus corpus/jsonl --rival anserini --threads 2"
    })
public final class ExperimentBuildCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--corpus",
      paramLabel = "DIR",
      required = true,
      description =
          "The crawl: HTML, or files from 'experiment extract'; JSON lines for Anserini, TREC"
              + " files for Terrier.")
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
      names = "--rival",
      paramLabel = "NAME",
      defaultValue = "lucene",
      description =
          "Race IndexWriter by its documents and by its batches of columns (lucene), a program like"
              + " Lucene's demo IndexFiles (indexfiles), Anserini 1.5.0 (anserini), or Terrier 5.11's"
              + " single-pass indexer (terrier) (default: ${DEFAULT-VALUE}).")
  private Rival rival;

  @Option(
      names = "--rival-jar",
      paramLabel = "FILE",
      description =
          "Run Anserini or Terrier from this jar file, which holds all it needs (default: fetched by"
              + " Maven).")
  private @Nullable Path rivalJar;

  @Option(
      names = "--analyzer",
      paramLabel = "NAME",
      description =
          "Use this analyzer in both; Anserini and Terrier have their own (default: english for"
              + " them, else standard).")
  private @Nullable String analyzer;

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
  ExperimentBuildCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    int used = threads != null ? threads : Resources.defaultThreads(memoryBytes);
    AtLeastOne.require(spec, "--rounds", rounds);
    AtLeastOne.require(spec, "--threads", used);
    AtLeastOne.requireMemory(spec, memoryBytes);
    FiguresFile.require(spec, json);
    if (rivalJar != null && !rival.isProgram()) {
      throw new ParameterException(
          spec.commandLine(), "--rival-jar is for --rival anserini and terrier");
    }
    if (rival == Rival.ANSERINI && analyzer != null && !analyzer.equals("english")) {
      throw new ParameterException(
          spec.commandLine(), "Anserini's terms are those of --analyzer english");
    }
    String named = analyzer != null ? analyzer : rival.isProgram() ? "english" : "standard";
    if (AnalysisDefinition.of(named).isByLanguage()) {
      throw new ParameterException(
          spec.commandLine(), "rivals have one analyzer for all documents, not " + named);
    }
    RaceOptions options =
        new RaceOptions(
            corpus.toString(),
            work.toString(),
            AnalysisDefinition.of(named).analyzer(),
            used,
            memoryBytes,
            segments,
            new RivalOptions(
                rival,
                rivalJar == null ? null : rivalJar.toAbsolutePath().toString(),
                rivalHtml,
                rivalMerges,
                ramBuffer));
    List<RaceResult> results = BuildRace.race(options, rounds, Output.lines(out));
    out.printf(
        Locale.ROOT,
        "%n%s: %s analyzer, %d threads, memory %s, segments %s, RAM buffer %d MB%s;"
            + " Java %s, each starts %s%n",
        corpus,
        named,
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
