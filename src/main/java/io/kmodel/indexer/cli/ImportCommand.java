package io.kmodel.indexer.cli;

import io.kmodel.indexer.build.CiffImport;
import io.kmodel.indexer.export.ciff.CiffHeader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code indexer import}. */
@Command(
    name = "import",
    mixinStandardHelpOptions = true,
    description = "Builds an index of another engine's.",
    synopsisSubcommandLabel = "FORMAT",
    subcommands = ImportCommand.Ciff.class)
final class ImportCommand implements Runnable {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills spec
  ImportCommand() {}

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "import what? 'indexer import ciff FILE --output INDEX'");
  }

  /** {@code indexer import ciff}. */
  @Command(
      name = "ciff",
      mixinStandardHelpOptions = true,
      description = {
        "Builds an index of a file of the Common Index File Format, gzipped or not.",
        "",
        "Its terms become the field contents, with frequencies and without positions; its documents' names become"
            + " their ids, and can be read back. The file is checked while it is read: damage is an"
            + " error that names the offset, and no index appears. Give the analyzer that is nearest to the"
            + " other engine's way: a CIFF file does not say it, and queries are analyzed by it.",
        ""
      },
      footerHeading = "%nExample:%n",
      footer = "  indexer import ciff robust04.ciff.gz --output index --analyzer english")
  static final class Ciff implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(
        paramLabel = "FILE",
        converter = PathArgument.Input.class,
        description = "The file to read.")
    private Path file;

    @Option(
        names = {"-o", "--output"},
        paramLabel = "INDEX",
        converter = PathArgument.Output.class,
        required = true,
        description = "The directory that the index will be.")
    private Path output;

    @Option(
        names = "--overwrite",
        fallbackValue = "true",
        description = "Replace the index that is there.")
    private boolean overwrite;

    /** What is nearest to the other engine's way; queries are analyzed by it. */
    @Mixin private AnalysisOptions analysis;

    @Mixin private Display display;

    @SuppressWarnings("NullAway.Init") // picocli fills the options
    Ciff() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
      CiffImport.Result result;
      try (TaskView view = display.task("importing")) {
        result = prepare(view).run();
      }
      if (!display.quiet()) {
        report(result, spec.commandLine().getOut());
        display.report(result);
      }
      return ExitCode.OK;
    }

    private CiffImport prepare(TaskView view) throws IOException {
      try {
        return new CiffImport(
            new CiffImport.Options(file, output, analysis.toDefinition(), overwrite), view);
      } catch (IllegalArgumentException e) {
        throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
      }
    }

    private void report(CiffImport.Result result, PrintWriter out) {
      CiffHeader header = result.header();
      out.printf(
          Locale.ROOT,
          "%s: an index of %s, %s, %s and %s%n",
          output,
          Counted.of(header.documents(), "document"),
          Counted.of(header.postingsLists(), "term"),
          Counted.of(result.postings(), "posting"),
          Counted.of(result.totalFrequency(), "token"));
      if (!header.description().isEmpty()) {
        out.printf("  description      %s%n", Visible.of(header.description()));
      }
      note(header.totalPostingsLists() - header.postingsLists(), "terms were left out of it", out);
      note(header.totalDocuments() - header.documents(), "documents were left out of it", out);
      note(
          header.totalTerms() - result.totalFrequency(),
          "tokens by its header more than its postings have",
          out);
      note(
          header.totalTerms() - result.totalLength(),
          "tokens by its header more than its lengths sum to (rounded lengths?)",
          out);
      note(result.withoutPostings(), "documents with a length but no postings: it is 0 here", out);
      note(result.withoutLength(), "documents with postings but no length: it is 1 here", out);
      out.flush();
    }

    /** A line on what in the file is not as it could be, where anything is not. */
    private static void note(long count, String what, PrintWriter out) {
      if (count != 0) {
        out.printf(Locale.ROOT, "  of the file      %,d %s%n", count, what);
      }
    }
  }
}
