package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Visible;
import io.kmodel.indexer.cli.option.IndexArgument;
import io.kmodel.indexer.cli.option.PathArgument;
import io.kmodel.indexer.cli.option.SpaceOption;
import io.kmodel.indexer.cli.view.Counted;
import io.kmodel.indexer.cli.view.Display;
import io.kmodel.indexer.cli.view.TaskView;
import io.kmodel.indexer.indexing.IndexDelete;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code indexer delete}. */
@Command(
    name = "delete",
    mixinStandardHelpOptions = true,
    description = {
      "Delete documents from an index.",
      "",
      "Makes an index without them, which replaces the old one; that can be read until then. If an"
          + " id is not found, the exit code is 1.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  indexer delete index --ids gone.txt",
      "  indexer delete index --ids gone.txt --output smaller-index"
    })
final class DeleteCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private IndexArgument index;

  @Option(
      names = "--ids",
      paramLabel = "FILE",
      converter = PathArgument.Input.class,
      required = true,
      description =
          "Delete the documents with these ids, one in each line, in UTF-8 (- for standard input).")
  private Path ids;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "INDEX",
      converter = PathArgument.Output.class,
      description = "Create the new index here, and leave the old one as it is.")
  private @Nullable Path output;

  @Option(
      names = "--overwrite",
      fallbackValue = "true",
      description = "Replace an existing index at --output.")
  private boolean overwrite;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Use N threads (default: one per processor).")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Mixin private SpaceOption space;
  @Mixin private Display display;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  DeleteCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (threads < 1) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--threads must be at least 1; got " + threads);
    }
    Path from = index.toBeReplaced();
    Path made = Objects.requireNonNullElse(output, from);
    IndexDelete.Result result;
    try (BufferedReader lines = Files.newBufferedReader(ids);
        TaskView view = display.task("deleting")) {
      result =
          new IndexDelete(
                  from, lines, ids.toString(), made, overwrite, threads, space.space(), view)
              .run();
    }
    if (!display.quiet()) {
      PrintWriter out = spec.commandLine().getOut();
      out.printf(
          Locale.ROOT,
          "%s: an index of %s and %s; %s deleted%n",
          made,
          Counted.of(result.documents(), "document"),
          Counted.of(result.terms(), "term"),
          Counted.of(result.deleted(), "document"));
      if (result.unknown() > 0) {
        out.printf(Locale.ROOT, "  %-14s %s%n", "not found", Counted.of(result.unknown(), "id"));
        result.examples().forEach(id -> out.printf("      %s%n", Visible.of(id)));
      }
      out.flush();
      display.report(result);
    }
    return result.unknown() == 0 ? ExitCode.OK : ExitCode.INCOMPLETE;
  }
}
