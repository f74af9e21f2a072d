package io.kmodel.indexer.cli.command;

import com.fasterxml.jackson.databind.SerializationFeature;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.cli.option.AtLeastOne;
import io.kmodel.indexer.cli.option.PathArgument;
import io.kmodel.indexer.cli.view.Counted;
import io.kmodel.indexer.evaluate.Evaluation;
import io.kmodel.indexer.evaluate.Evaluation.Rules;
import io.kmodel.indexer.evaluate.Judgements;
import io.kmodel.indexer.evaluate.Measure;
import io.kmodel.indexer.evaluate.Measures;
import io.kmodel.indexer.evaluate.RankedRun;
import io.kmodel.indexer.indexing.report.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code indexer evaluate}. */
@Command(
    name = "evaluate",
    mixinStandardHelpOptions = true,
    description = {
      "Compare a TREC run with relevance judgements: MAP and its geometric mean, R-precision,"
          + " bpref, MRR, precision at levels of recall, and precision, recall and nDCG at"
          + " cut-offs.",
      "",
      "Names, values and output match trec_eval. Documents are ranked by score, ties by id in"
          + " descending order; unjudged documents count as not relevant. Topics in only one of the"
          + " files are left out, and standard error shows their number.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  indexer evaluate bm25.run qrels.txt -q")
final class EvaluateCommand implements Callable<Integer> {
  private static final String ALL = "all";
  private static final int DECIMALS = 4;

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "RUN",
      converter = PathArgument.Input.class,
      description = "The run in TREC format, gzipped or not.")
  private Path run;

  @Parameters(
      index = "1",
      paramLabel = "QRELS",
      converter = PathArgument.Input.class,
      description = "The judgements in TREC or BEIR format, gzipped or not.")
  private Path qrels;

  @Option(
      names = {"-q", "--topics"},
      fallbackValue = "true",
      description = "Show every topic, then the summary.")
  private boolean perTopic;

  @Option(
      names = {"-c", "--complete"},
      fallbackValue = "true",
      description = "Count judged topics missing from the run as 0.")
  private boolean complete;

  @Option(
      names = {"-l", "--level"},
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Treat documents from relevance N on as relevant (default: ${DEFAULT-VALUE}); nDCG's"
              + " gains do not change.")
  private int level;

  @Option(
      names = {"-M", "--depth"},
      paramLabel = "N",
      description = "Evaluate only the top N documents of each topic (default: all).")
  private @Nullable Integer depth;

  @Option(
      names = {"-m", "--measures"},
      paramLabel = "NAMES",
      split = ",",
      description =
          "Print these measures in this order, e.g. map,ndcg_cut_10 or P.5,10 (default: all); P,"
              + " recall, success, map_cut and ndcg_cut take any cut-off.")
  private @Nullable List<String> measures;

  @Option(names = "--json", fallbackValue = "true", description = "Print JSON.")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  EvaluateCommand() {}

  @Override
  public Integer call() throws IOException {
    AtLeastOne.require(spec, "--level", level);
    if (depth != null) {
      AtLeastOne.require(spec, "--depth", depth);
    }
    if (PathArgument.isStandardInput(run) && PathArgument.isStandardInput(qrels)) {
      throw new ParameterException(
          spec.commandLine(), "standard input can be the run or the judgements, not both");
    }
    Rules rules = new Rules(level, depth == null ? Integer.MAX_VALUE : depth, complete);
    Map<String, Measure> byName = new LinkedHashMap<>();
    for (Measure measure : measures()) {
      byName.put(measure.name(), measure);
    }
    Evaluation evaluation =
        Evaluation.of(
            RankedRun.read(run), Judgements.read(qrels), rules, List.copyOf(byName.values()));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      printJson(evaluation, out);
    } else {
      if (perTopic) {
        evaluation
            .topics()
            .forEach((topic, values) -> print(Evaluation.shown(topic), values, byName, out));
      }
      print(ALL, evaluation.summary(), byName, out);
    }
    out.flush();
    warn(evaluation);
    return ExitCode.OK;
  }

  private List<Measure> measures() {
    if (measures == null) {
      return Measures.usual();
    }
    try {
      return Measures.named(measures.stream().map(String::strip).toList());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "invalid value for '--measures': " + e.getMessage(), e);
    }
  }

  private void printJson(Evaluation evaluation, PrintWriter out) throws IOException {
    Map<String, Object> shown = new TreeMap<>(Map.of(ALL, evaluation.summary()));
    if (perTopic) {
      Map<String, Object> topics = new TreeMap<>();
      evaluation.topics().forEach((topic, values) -> topics.put(Evaluation.shown(topic), values));
      shown.put("topics", topics);
    }
    out.println(
        Json.MAPPER
            .writerWithDefaultPrettyPrinter()
            .with(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .writeValueAsString(shown));
  }

  private static void print(
      String topic, Map<String, Double> values, Map<String, Measure> measures, PrintWriter out) {
    values.forEach(
        (name, value) -> {
          boolean isCount = Objects.requireNonNull(measures.get(name)).isCount();
          out.printf(
              Locale.ROOT,
              "%-22s\t%s\t%s%n",
              name,
              topic,
              isCount ? Long.toString(Math.round(value)) : rounded(value));
        });
  }

  /**
   * Rounds the exact binary value to four decimals, as C does; Java's formatter rounds the shortest
   * decimal.
   */
  private static String rounded(double value) {
    return new BigDecimal(value).setScale(DECIMALS, RoundingMode.HALF_EVEN).toPlainString();
  }

  private void warn(Evaluation evaluation) {
    Log log = Log.of(spec);
    if (evaluation.unanswered() > 0) {
      log.note(
          String.format(
              Locale.ROOT,
              "judged, but not in the run: %s, %s",
              Counted.of(evaluation.unanswered(), "topic"),
              complete ? "as 0" : "left out (--complete counts them as 0)"));
    }
    if (evaluation.unjudged() > 0) {
      log.note(
          String.format(
              Locale.ROOT,
              "in the run, but not judged: %s, left out",
              Counted.of(evaluation.unjudged(), "topic")));
    }
  }
}
