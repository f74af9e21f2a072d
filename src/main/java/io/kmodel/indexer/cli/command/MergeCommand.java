package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.option.IndexArgument;
import io.kmodel.indexer.cli.option.NewIndex;
import io.kmodel.indexer.cli.view.Counted;
import io.kmodel.indexer.cli.view.Display;
import io.kmodel.indexer.cli.view.TaskView;
import io.kmodel.indexer.indexing.IndexMerge;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code indexer merge}. */
@Command(
    name = "merge",
    mixinStandardHelpOptions = true,
    description = {
      "Merge indexes into one.",
      "",
      "The documents keep the order of the indexes, and the result is the index that 'build' makes"
          + " of all of them at once. The indexes must have the same fields, analyzers and other"
          + " options, except --format. If they were built with --duplicates skip or error, a"
          + " document in two of them is an error. The indexes stay as they are.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  indexer build monday --output index-1",
      "  indexer build tuesday --output index-2",
      "  indexer merge index-1 index-2 --output index"
    })
final class MergeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "INDEX",
      arity = "1..*",
      description = "Indexes made by 'indexer build', in the order of their documents.")
  private List<Path> indexes;

  @Mixin private NewIndex made;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Merge with N threads (default: one per processor).")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Mixin private Display display;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  MergeCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    indexes.forEach(IndexArgument::require);
    if (threads < 1) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--threads must be at least 1; got " + threads);
    }
    IndexMerge.Result result;
    try (TaskView view = display.task("merging")) {
      result = new IndexMerge(indexes, made.output(), made.overwrite(), threads, view).run();
    }
    if (!display.quiet()) {
      spec.commandLine()
          .getOut()
          .printf(
              Locale.ROOT,
              "%s: an index of %s and %s, merged from %d %s%n",
              made.output(),
              Counted.of(result.documents(), "document"),
              Counted.of(result.terms(), "term"),
              result.indexes(),
              result.indexes() == 1 ? "index" : "indexes");
      if (result.sharedIds() > 0) {
        spec.commandLine()
            .getOut()
            .printf(
                Locale.ROOT,
                "  shared ids       %s with the id of an earlier one%n",
                Counted.of(result.sharedIds(), "document"));
      }
      spec.commandLine().getOut().flush();
      display.report(result);
    }
    return ExitCode.OK;
  }
}
