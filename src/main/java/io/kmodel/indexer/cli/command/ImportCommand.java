package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Visible;
import io.kmodel.indexer.cli.option.AnalysisOptions;
import io.kmodel.indexer.cli.option.NewIndex;
import io.kmodel.indexer.cli.option.PathArgument;
import io.kmodel.indexer.cli.view.Counted;
import io.kmodel.indexer.cli.view.Display;
import io.kmodel.indexer.cli.view.TaskView;
import io.kmodel.indexer.export.ciff.CiffHeader;
import io.kmodel.indexer.index.model.DeclaredStatistics;
import io.kmodel.indexer.indexing.CiffImport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code indexer import}. */
@Command(
    name = "import",
    mixinStandardHelpOptions = true,
    description = "Import an index from another engine's format.",
    synopsisSubcommandLabel = "FORMAT",
    subcommands = ImportCommand.Ciff.class)
final class ImportCommand implements Runnable {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills spec
  ImportCommand() {}

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "no format given: use 'indexer import ciff FILE --output INDEX'");
  }

  /** {@code indexer import ciff}. */
  @Command(
      name = "ciff",
      mixinStandardHelpOptions = true,
      description = {
        "Build an index from a Common Index File Format file, gzipped or not.",
        "",
        "The file's terms become the field contents, with frequencies but without positions; its"
            + " document names become ids, which are stored. The file is checked while it is read:"
            + " if it is damaged, the import fails with the offset and creates no index. A CIFF"
            + " file does not say how it was analyzed, so give the analyzer closest to the other"
            + " engine's; queries are analyzed by it.",
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

    @Mixin private NewIndex made;

    /** The analyzer closest to the other engine's; queries are analyzed by it. */
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
            new CiffImport.Options(file, made.output(), analysis.toDefinition(), made.overwrite()),
            view);
      } catch (IllegalArgumentException e) {
        throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
      }
    }

    private void report(CiffImport.Result result, PrintWriter out) {
      CiffHeader header = result.header();
      out.printf(
          Locale.ROOT,
          "%s: an index of %s, %s, %s and %s%n",
          made.output(),
          Counted.of(header.documents(), "document"),
          Counted.of(header.postingsLists(), "term"),
          Counted.of(result.postings(), "posting"),
          Counted.of(result.totalFrequency(), "token"));
      if (!header.description().isEmpty()) {
        out.printf("  description      %s%n", Visible.of(header.description()));
      }
      note(
          header.totalPostingsLists() - header.postingsLists(),
          "terms are missing from the file",
          out);
      note(
          header.totalDocuments() - header.documents(), "documents are missing from the file", out);
      note(
          header.totalTerms() - result.totalFrequency(),
          "more tokens in the header than in the postings",
          out);
      note(
          header.totalTerms() - result.totalLength(),
          "more tokens in the header than in the lengths (are they rounded?)",
          out);
      DeclaredStatistics declared = result.declared();
      if (declared != null) {
        out.printf(
            Locale.ROOT,
            "  note             scores use the header's average length, %.1f, of %s%n",
            declared.averageLength(),
            Counted.of(declared.documents(), "document"));
      }
      note(
          result.withoutPostings(),
          "documents have a length but no postings: their length is 0 here",
          out);
      note(
          result.withoutLength(),
          "documents have postings but no length: their length is 1 here",
          out);
      out.flush();
    }

    /** Prints a note about the file if the count is not 0. */
    private static void note(long count, String what, PrintWriter out) {
      if (count != 0) {
        out.printf(Locale.ROOT, "  note             %,d %s%n", count, what);
      }
    }
  }
}
