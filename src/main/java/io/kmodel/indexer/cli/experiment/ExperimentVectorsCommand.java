package io.kmodel.indexer.cli.experiment;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.option.PathArgument;
import io.kmodel.indexer.experiment.VectorCorpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code indexer experiment vectors}. */
@Command(
    name = "vectors",
    mixinStandardHelpOptions = true,
    description = {
      "Write made-up sparse vectors and queries, the same for the same options.",
      "",
      "Terms are drawn by Zipf's law, weights evenly. config/impacts.sh races a build of"
          + " them against Anserini's.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  indexer experiment vectors --output target/vectors --documents 200000",
      "  indexer build target/vectors/vectors.jsonl --format vectors --output target/impacts"
    })
public final class ExperimentVectorsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      required = true,
      converter = PathArgument.Output.class,
      description = "Write DIR/vectors.jsonl and DIR/queries.tsv.")
  private Path output;

  @Option(
      names = "--documents",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Write N vectors (default: ${DEFAULT-VALUE}).")
  private int documents;

  @Option(
      names = "--terms",
      paramLabel = "N",
      defaultValue = "200",
      description = "Give each vector N terms (default: ${DEFAULT-VALUE}).")
  private int terms;

  @Option(
      names = "--vocabulary",
      paramLabel = "N",
      defaultValue = "30000",
      description = "Draw from N terms (default: ${DEFAULT-VALUE}).")
  private int vocabulary;

  @Option(
      names = "--largest-weight",
      paramLabel = "N",
      defaultValue = "255",
      description = "Draw weights from 1 to N (default: ${DEFAULT-VALUE}).")
  private int largestWeight;

  @Option(
      names = "--queries",
      paramLabel = "N",
      defaultValue = "100",
      description = "Write N queries, with a tenth of the terms each (default: ${DEFAULT-VALUE}).")
  private int queries;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  ExperimentVectorsCommand() {}

  @Override
  public Integer call() throws IOException {
    VectorCorpus corpus;
    try {
      corpus = new VectorCorpus(documents, terms, vocabulary, largestWeight);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    Files.createDirectories(output);
    corpus.write(output.resolve("vectors.jsonl"));
    corpus.writeQueries(output.resolve("queries.tsv"), queries);
    return ExitCode.OK;
  }
}
