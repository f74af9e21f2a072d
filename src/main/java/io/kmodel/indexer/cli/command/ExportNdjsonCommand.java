package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.cli.option.ExportArguments;
import io.kmodel.indexer.cli.option.IndexArgument;
import io.kmodel.indexer.cli.option.PathArgument;
import io.kmodel.indexer.cli.view.Counted;
import io.kmodel.indexer.cli.view.Display;
import io.kmodel.indexer.cli.view.TaskView;
import io.kmodel.indexer.export.ndjson.NdjsonExporter;
import io.kmodel.indexer.index.InvertedIndex;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code indexer export ndjson}. */
@Command(
    name = "ndjson",
    mixinStandardHelpOptions = true,
    description = {
      "Write the stored documents as lines of JSON for the bulk API of OpenSearch and"
          + " Elasticsearch.",
      "",
      "Each document is two lines: its id, and its other stored fields, with the names that they"
          + " have in the index. The server analyzes them by its own mapping.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  indexer export ndjson index pages.ndjson.gz --name pages",
      "  indexer export ndjson index - --name pages | split -l 2000 - part-"
    })
final class ExportNdjsonCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private IndexArgument index;

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      converter = PathArgument.Stream.class,
      description =
          "The file to write; gzipped if its name ends in .gz. Standard output if it is -.")
  private Path target;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name the server's index in every line of ids (default: leave it out).")
  private @Nullable String name;

  @Option(names = "--overwrite", fallbackValue = "true", description = "Replace an existing file.")
  private boolean overwrite;

  @Mixin private Display display;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  ExportNdjsonCommand() {}

  @Override
  public Integer call() throws IOException {
    boolean isStandard = PathArgument.isStandardOutput(target);
    if (!isStandard) {
      ExportArguments.requireApart(index.directory(), target);
      ExportArguments.requireFile(target, overwrite);
    }
    PrintWriter out = spec.commandLine().getOut();
    NdjsonExporter.Result result;
    try (InvertedIndex opened = index.open();
        TaskView view = display.task("exporting")) {
      NdjsonExporter exporter = new NdjsonExporter(opened, name, view);
      result = isStandard ? exporter.export(out) : exporter.export(target, overwrite);
    }
    out.flush();
    if (result.longIds() > 0) {
      Log.of(spec)
          .warning(
              "%s longer than %d bytes, which OpenSearch and Elasticsearch refuse"
                  .formatted(
                      result.longIds() == 1 ? "1 id is" : "%,d ids are".formatted(result.longIds()),
                      NdjsonExporter.LONGEST_ID_BYTES));
    }
    display.report(result);
    if (!display.quiet() && !isStandard) {
      out.printf("%s: NDJSON of %s%n", target, Counted.of(result.documents(), "document"));
      out.flush();
    }
    return ExitCode.OK;
  }
}
