package io.kmodel.indexer.cli.experiment;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.option.AtLeastOne;
import io.kmodel.indexer.cli.option.PathArgument;
import io.kmodel.indexer.cli.view.Counted;
import io.kmodel.indexer.experiment.CollectionFiles;
import io.kmodel.indexer.experiment.TextExtraction;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code indexer experiment extract}. */
@Command(
    name = "extract",
    mixinStandardHelpOptions = true,
    description = {
      "Write the text of a crawl's documents to text files, to time indexing without HTML parsing,"
          + " or to a few large files in a form that other programs read.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  indexer experiment extract --corpus corpus/html --output corpus/text",
      "  indexer experiment extract --corpus corpus/text --form jsonl --files 8 --output corpus/jsonl",
      "  indexer experiment extract --corpus corpus/text --form jsonl --words 50 \\",
      "    --documents 1000000 --gzip --output corpus/passages"
    })
public final class ExperimentExtractCommand implements Callable<Integer> {
  private static final int FILES = 16;

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

  @Option(
      names = "--form",
      paramLabel = "FORM",
      description =
          "Write large files: jsonl (members id and contents) or trec, in which < and & of a text"
              + " become spaces (default: a text file per document).")
  private CollectionFiles.@Nullable Form form;

  @Option(
      names = "--files",
      paramLabel = "N",
      description =
          "Write N large files, or fewer if the crawl is small and --documents is not given"
              + " (default: 16).")
  private @Nullable Integer files;

  @Option(
      names = "--words",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Cut texts into passages of N words, each a document (0: whole texts) (default:"
              + " ${DEFAULT-VALUE}).")
  private int words;

  @Option(
      names = "--documents",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Write N documents, numbered from 0, by reading the crawl as often as that takes (0: each"
              + " once, by its id) (default: ${DEFAULT-VALUE}).")
  private long documents;

  @Option(
      names = "--gzip",
      paramLabel = "BOOL",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "false",
      description = "Compress large files by gzip (default: ${DEFAULT-VALUE}).")
  private boolean gzip;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  ExperimentExtractCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    int most = files == null ? FILES : files;
    AtLeastOne.require(spec, "--files", most);
    AtLeastOne.require(spec, "--words", words, 0);
    AtLeastOne.require(spec, "--documents", (int) Math.min(documents, Integer.MAX_VALUE), 0);
    if (form == null && (files != null || words > 0 || documents > 0 || gzip)) {
      throw new ParameterException(
          spec.commandLine(),
          "--files, --words, --documents and --gzip are for large files; add --form");
    }
    TextExtraction.Result result =
        form == null
            ? TextExtraction.extract(corpus, output)
            : new CollectionFiles(form, most, words, documents, gzip).write(corpus, output);
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
