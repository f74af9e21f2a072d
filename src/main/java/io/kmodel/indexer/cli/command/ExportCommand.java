package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.option.ExportArguments;
import io.kmodel.indexer.cli.option.IndexArgument;
import io.kmodel.indexer.cli.option.PathArgument;
import io.kmodel.indexer.cli.option.SpaceOption;
import io.kmodel.indexer.cli.option.VersionOption;
import io.kmodel.indexer.cli.view.Display;
import io.kmodel.indexer.cli.view.ExportText;
import io.kmodel.indexer.cli.view.TaskView;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.ExportResult;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import io.kmodel.indexer.index.InvertedIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code indexer export}. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    description = "Export an index to another engine's format.",
    synopsisSubcommandLabel = "ENGINE",
    subcommands = {ExportCommand.Lucene.class, ExportCiffCommand.class, ExportNdjsonCommand.class})
final class ExportCommand implements Runnable {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills spec
  ExportCommand() {}

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "no engine given: use 'indexer export lucene INDEX DIR', 'indexer export ciff INDEX FILE' or"
            + " 'indexer export ndjson INDEX FILE'");
  }

  /** {@code indexer export lucene}. */
  @Command(
      name = "lucene",
      mixinStandardHelpOptions = true,
      description = {
        "Write the Lucene index that IndexWriter would build from the same documents.",
        "",
        "Its fields are Anserini's: id (with doc values), contents, and raw (the stored contents),"
            + " plus title. It appears in DIR once it is complete and CheckIndex has found no"
            + " fault.",
        ""
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  indexer export lucene index lucene-index",
        "  indexer export lucene index lucene-index --segments 8 --threads 4",
        "  indexer export lucene index for-pyserini --lucene-version 9.9"
      })
  static final class Lucene implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private IndexArgument index;

    @Parameters(
        index = "1",
        paramLabel = "DIR",
        converter = PathArgument.Output.class,
        description = "A new or empty directory; with --overwrite, also one with a Lucene index.")
    private Path target;

    @Option(
        names = "--segments",
        paramLabel = "N",
        defaultValue = "1",
        description =
            "Write N segments, each a contiguous range of documents (default: ${DEFAULT-VALUE}).")
    private int segments;

    @Option(
        names = "--threads",
        paramLabel = "N",
        description =
            "Write and check with N threads; older versions of Lucene use one (default: one per"
                + " processor).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
        names = "--check",
        paramLabel = "LEVEL",
        defaultValue = "content",
        description =
            "Run CheckIndex at this level: none, checksums, content or slow (default:"
                + " ${DEFAULT-VALUE}).")
    private IndexCheck check;

    @Option(
        names = "--codec",
        paramLabel = "CODEC",
        defaultValue = "best-speed",
        description =
            "Compress stored fields for best-speed or best-compression (default:"
                + " ${DEFAULT-VALUE}).")
    private ExportCodec codec;

    @Mixin private VersionOption version;

    @Option(
        names = "--overwrite",
        fallbackValue = "true",
        description = "Replace an existing Lucene index.")
    private boolean overwrite;

    @Mixin private SpaceOption space;
    @Mixin private Display display;

    @SuppressWarnings("NullAway.Init") // picocli fills the options
    Lucene() {}

    @Override
    public Integer call() throws IOException {
      ExportArguments.requireApart(index.directory(), target);
      ExportArguments.requireLucene(target, overwrite);
      ExportResult result;
      try (InvertedIndex opened = index.open();
          TaskView view = display.task("exporting")) {
        result =
            LuceneExporter.export(
                opened,
                ExportArguments.directory(target, overwrite),
                new ExportOptions(
                    segments, threads, check, codec, version.version(), space.space()),
                view);
      }
      if (!display.quiet()) {
        report(result);
        display.report(result);
      }
      return ExitCode.OK;
    }

    private void report(ExportResult result) {
      spec.commandLine().getOut().print(ExportText.of(target, result));
      spec.commandLine().getOut().flush();
    }
  }
}
