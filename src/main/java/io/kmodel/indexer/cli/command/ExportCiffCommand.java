package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.option.ExportArguments;
import io.kmodel.indexer.cli.option.FieldOption;
import io.kmodel.indexer.cli.option.IndexArgument;
import io.kmodel.indexer.cli.option.PathArgument;
import io.kmodel.indexer.cli.option.SpaceOption;
import io.kmodel.indexer.cli.view.Display;
import io.kmodel.indexer.cli.view.ExportText;
import io.kmodel.indexer.cli.view.TaskView;
import io.kmodel.indexer.export.ciff.CiffExportOptions;
import io.kmodel.indexer.export.ciff.CiffExportResult;
import io.kmodel.indexer.export.ciff.CiffExporter;
import io.kmodel.indexer.export.ciff.CiffLengths;
import io.kmodel.indexer.index.InvertedIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code indexer export ciff}. */
@Command(
    name = "ciff",
    mixinStandardHelpOptions = true,
    description = {
      "Write an index as a Common Index File Format file, which PISA, Terrier, JASS and others"
          + " read.",
      "",
      "The file holds one field: terms in byte order, documents with their ids and lengths, and"
          + " frequencies, without positions. It appears under its name once it is complete and has"
          + " been read back and checked as CIFF's reference reader does.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  indexer export ciff index index.ciff",
      "  indexer export ciff index titles.ciff.gz --field title --lengths lucene"
    })
final class ExportCiffCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private IndexArgument index;

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      converter = PathArgument.Output.class,
      description = "The file to write; gzipped if its name ends in .gz.")
  private Path target;

  @Mixin private FieldOption field;

  @Option(
      names = "--lengths",
      paramLabel = "WHICH",
      defaultValue = "exact",
      description =
          "Write exact lengths of documents, or lucene's rounded norms (default: ${DEFAULT-VALUE})."
              + " Rounded lengths and those of an imported file do not sum to the number of tokens,"
              + " which the reference reader reports.")
  private CiffLengths lengths;

  @Option(names = "--overwrite", fallbackValue = "true", description = "Replace an existing file.")
  private boolean overwrite;

  @Mixin private SpaceOption space;
  @Mixin private Display display;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  ExportCiffCommand() {}

  @Override
  public Integer call() throws IOException {
    ExportArguments.requireApart(index.directory(), target);
    ExportArguments.requireFile(target, overwrite);
    CiffExportResult result;
    try (InvertedIndex opened = index.open();
        TaskView view = display.task("exporting")) {
      CiffExportOptions options =
          new CiffExportOptions(field.name(), lengths, overwrite, space.space());
      result = CiffExporter.export(opened, target, options, view);
    }
    display.report(result);
    if (!display.quiet()) {
      spec.commandLine().getOut().print(ExportText.of(target, result));
      spec.commandLine().getOut().flush();
    }
    return ExitCode.OK;
  }
}
