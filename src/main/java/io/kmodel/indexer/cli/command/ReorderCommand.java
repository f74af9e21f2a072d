package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.option.IndexArgument;
import io.kmodel.indexer.cli.option.NewIndex;
import io.kmodel.indexer.cli.option.Resources;
import io.kmodel.indexer.cli.option.SpaceOption;
import io.kmodel.indexer.cli.view.Counted;
import io.kmodel.indexer.cli.view.Display;
import io.kmodel.indexer.cli.view.TaskView;
import io.kmodel.indexer.indexing.IndexReorder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code indexer reorder}. */
@Command(
    name = "reorder",
    mixinStandardHelpOptions = true,
    description = {
      "Make an index with another order of documents.",
      "",
      "If similar documents have neighboring numbers, postings lists are smaller and queries"
          + " faster. The new index answers queries with the same documents and scores. The given"
          + " index stays as it is.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  indexer reorder index --order bp --output smaller-index")
final class ReorderCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "INDEX", description = "An index made by 'indexer build'.")
  private Path index;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      required = true,
      description =
          "Order by bp (recursive graph bisection: documents with the same terms stand together) or"
              + " url (the host's labels reversed; documents without URL come last). A URL is read"
              + " from the stored field url, otherwise from the id.")
  private IndexReorder.Order order;

  @Mixin private NewIndex made;
  @Mixin private Resources resources;
  @Mixin private SpaceOption space;
  @Mixin private Display display;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  ReorderCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    IndexArgument.require(index);
    IndexReorder.Result result;
    try (TaskView view = display.task("reordering")) {
      IndexReorder.Options options =
          new IndexReorder.Options(
              index,
              order,
              made.output(),
              made.overwrite(),
              resources.toOptions().threads(),
              space.space());
      result = new IndexReorder(options, view).run();
    }
    if (!display.quiet()) {
      report(result, spec.commandLine().getOut());
      display.report(result);
    }
    return ExitCode.OK;
  }

  private void report(IndexReorder.Result result, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%s: an index of %s in order %s, %,d of them moved%n",
        made.output(),
        Counted.of(result.documents(), "document"),
        order.name().toLowerCase(Locale.ROOT),
        result.moved());
    if (result.withoutUrl() > 0) {
      out.printf(
          Locale.ROOT,
          "  without URL      %s, last%n",
          Counted.of(result.withoutUrl(), "document"));
    }
    print("log2 of a gap", out, result, IndexReorder.Lists::logGap);
    print("bits per gap", out, result, IndexReorder.Lists::gapBits);
    print(
        "bits per posting",
        out,
        result,
        lists -> result.postings() == 0 ? 0 : 8.0 * lists.docsBytes() / result.postings());
    out.flush();
  }

  private static void print(
      String what,
      PrintWriter out,
      IndexReorder.Result result,
      ToDoubleFunction<IndexReorder.Lists> figure) {
    out.printf(
        Locale.ROOT,
        "  %-16s %.2f (before: %.2f)%n",
        what,
        figure.applyAsDouble(result.after()),
        figure.applyAsDouble(result.before()));
  }
}
