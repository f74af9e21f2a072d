package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.base.ByteSize;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.option.ExportArguments;
import io.kmodel.indexer.cli.option.IndexArgument;
import io.kmodel.indexer.cli.option.PathArgument;
import io.kmodel.indexer.cli.option.SpaceOption;
import io.kmodel.indexer.cli.option.TermVectorsOption;
import io.kmodel.indexer.cli.option.VersionOption;
import io.kmodel.indexer.cli.view.Counted;
import io.kmodel.indexer.cli.view.Display;
import io.kmodel.indexer.cli.view.ExportText;
import io.kmodel.indexer.cli.view.TaskView;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.ExportResult;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import io.kmodel.indexer.export.opensearch.OpenSearchExporter;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.store.disk.StagedOutput;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
    subcommands = {
      ExportCommand.Lucene.class,
      ExportCiffCommand.class,
      ExportNdjsonCommand.class,
      ExportCommand.OpenSearch.class
    })
final class ExportCommand implements Runnable {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills spec
  ExportCommand() {}

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "no engine given: use 'indexer export lucene INDEX DIR', 'indexer export ciff INDEX FILE',"
            + " 'indexer export ndjson INDEX FILE' or 'indexer export opensearch INDEX DIR'");
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
    @Mixin private TermVectorsOption vectors;

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
                new ExportOptions(segments, threads, check, codec, version.version(), space.space())
                    .withVectors(vectors.isWanted()),
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

  /** {@code indexer export opensearch}. */
  @Command(
      name = "opensearch",
      mixinStandardHelpOptions = true,
      description = {
        "Write a snapshot repository from which OpenSearch 3.9 restores the index.",
        "",
        "Documents are not analyzed again: the terms and scores are those of the index. The id is"
            + " _id, and the other stored fields are _source.",
        ""
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  indexer export opensearch index repository --name pages",
        "  indexer export opensearch index repository --name pages --mapping analyzers.json"
      })
  static final class OpenSearch implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private IndexArgument index;

    @Parameters(
        index = "1",
        paramLabel = "DIR",
        converter = PathArgument.Output.class,
        description =
            "A new or empty directory; with --overwrite, also one with an export that OpenSearch has"
                + " not added snapshots to.")
    private Path target;

    @Option(
        names = "--name",
        paramLabel = "NAME",
        defaultValue = "documents",
        description = "Name the index in OpenSearch (default: ${DEFAULT-VALUE}).")
    private String name;

    @Option(
        names = "--mapping",
        paramLabel = "FILE",
        converter = PathArgument.Input.class,
        description =
            "Add settings (analysis, similarity, number_of_replicas) and mappings in the JSON of a"
                + " request that creates an index. They must fit the index.")
    private @Nullable Path mapping;

    @Option(
        names = "--segments",
        paramLabel = "N",
        defaultValue = "1",
        description =
            "Write N segments, each a contiguous range of documents (default: ${DEFAULT-VALUE}).")
    private int segments;

    @Option(
        names = "--check",
        paramLabel = "LEVEL",
        defaultValue = "content",
        description =
            "Run CheckIndex at this level: none, checksums, content or slow (default:"
                + " ${DEFAULT-VALUE}).")
    private IndexCheck check;

    @Option(
        names = "--overwrite",
        fallbackValue = "true",
        description = "Replace an existing export.")
    private boolean overwrite;

    @Mixin private SpaceOption space;
    @Mixin private Display display;

    @SuppressWarnings("NullAway.Init") // picocli fills the options
    OpenSearch() {}

    @Override
    public Integer call() throws IOException {
      ExportArguments.requireApart(index.directory(), target);
      OpenSearchExporter.Options options =
          new OpenSearchExporter.Options(name, mapping, segments, check, space.space());
      StagedOutput output = OpenSearchExporter.directory(target, overwrite);
      try {
        output.requireFree();
      } catch (FileAlreadyExistsException e) {
        throw new IllegalArgumentException(
            overwrite
                ? e.getMessage() + ", and is not an export or has changed"
                : e.getMessage() + "; --overwrite replaces an export",
            e);
      }
      OpenSearchExporter.Result result;
      try (InvertedIndex opened = index.open();
          TaskView view = display.task("exporting")) {
        result = OpenSearchExporter.export(opened, output, options, view);
      }
      display.report(result);
      if (!display.quiet()) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
            "%s: a snapshot repository of OpenSearch with %s in %s, %s%n",
            target,
            Counted.of(result.documents(), "document"),
            Counted.of(result.segments(), "segment"),
            ByteSize.format(result.bytes()));
        out.flush();
      }
      return ExitCode.OK;
    }
  }
}
