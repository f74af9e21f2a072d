package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.option.ExportArguments;
import io.kmodel.indexer.cli.option.ExportTarget;
import io.kmodel.indexer.cli.option.IdOption;
import io.kmodel.indexer.cli.option.IndexArgument;
import io.kmodel.indexer.cli.option.NewIndex;
import io.kmodel.indexer.cli.view.Counted;
import io.kmodel.indexer.cli.view.Display;
import io.kmodel.indexer.cli.view.MergeText;
import io.kmodel.indexer.cli.view.TaskView;
import io.kmodel.indexer.export.lucene.vectors.DocumentVectors;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.indexing.IndexMerge;
import io.kmodel.indexer.store.disk.Places;
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
      "The documents keep the order of the indexes. Unless --duplicates leaves some out, the result"
          + " is the index that 'build' makes of all of them at once. The indexes must have the same fields, analyzers and other"
          + " options, except --format and --duplicates. They stay as they are.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  indexer build monday --output index-1",
      "  indexer build tuesday --output index-2",
      "  indexer merge index-1 index-2 --output index --duplicates last"
    })
final class MergeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "INDEX",
      arity = "1..*",
      description = "Indexes made by 'indexer build', in the order of their documents.")
  private List<Path> indexes;

  @Mixin private NewIndex made;
  @Mixin private IdOption ids;
  @Mixin private ExportArguments export;

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
      throw usage("--threads must be at least 1; got " + threads);
    }
    try {
      for (Path index : indexes) {
        export.requireApartFrom(index);
      }
      export.require(indexes, made.output(), made.overwrite(), threads, false);
      if (export.writesVectors()) {
        try (InvertedIndex first = InvertedIndex.open(Places.real(indexes.getFirst()))) {
          DocumentVectors.requireTexts(first.schema());
        }
      }
      export.tryMaking(made.output());
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
    IndexMerge.Result result;
    try (TaskView view = display.task("merging")) {
      result =
          new IndexMerge(
                  new IndexMerge.Options(
                      indexes,
                      made.output(),
                      made.overwrite(),
                      ids.policy(),
                      threads,
                      export.space()),
                  view)
              .run();
    }
    if (!display.quiet()) {
      spec.commandLine()
          .getOut()
          .printf(
              Locale.ROOT,
              "%s: an index of %s and %s, merged from %d %s%n%s",
              made.output(),
              Counted.of(result.documents(), "document"),
              Counted.of(result.terms(), "term"),
              result.indexes(),
              result.indexes() == 1 ? "index" : "indexes",
              MergeText.ofIds(result));
      spec.commandLine().getOut().flush();
      display.report(result);
    }
    export();
    return result.skipped() == 0 ? ExitCode.OK : ExitCode.INCOMPLETE;
  }

  private void export() throws IOException {
    ExportTarget target = export.target();
    if (target != null) {
      String line;
      try (InvertedIndex opened = InvertedIndex.open(Places.real(made.output()));
          TaskView view = display.task("exporting")) {
        line = export.export(opened, target, made.overwrite(), threads, view);
      }
      if (!display.quiet()) {
        spec.commandLine().getOut().print(line);
        spec.commandLine().getOut().flush();
      }
    }
  }

  private CommandLine.ParameterException usage(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }
}
