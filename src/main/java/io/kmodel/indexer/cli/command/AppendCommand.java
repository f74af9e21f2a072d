package io.kmodel.indexer.cli.command;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.cli.option.DeviceOptions;
import io.kmodel.indexer.cli.option.IdOption;
import io.kmodel.indexer.cli.option.IndexArgument;
import io.kmodel.indexer.cli.option.RecoveryArguments;
import io.kmodel.indexer.cli.option.Resources;
import io.kmodel.indexer.cli.option.SourceLimits;
import io.kmodel.indexer.cli.option.SpaceOption;
import io.kmodel.indexer.cli.view.Counted;
import io.kmodel.indexer.cli.view.Display;
import io.kmodel.indexer.cli.view.MergeText;
import io.kmodel.indexer.cli.view.ProgressView;
import io.kmodel.indexer.cli.view.ReportText;
import io.kmodel.indexer.cli.view.TaskView;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.indexing.IndexAppend;
import io.kmodel.indexer.indexing.IndexMerge;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.IdPolicy;
import io.kmodel.indexer.indexing.options.RecordedOptions;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.store.disk.Places;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code indexer append}. */
@Command(
    name = "append",
    mixinStandardHelpOptions = true,
    description = {
      "Add documents to an index.",
      "",
      "Builds an index of the new documents, with the options that the old index was built with,"
          + " and puts an index of both in the place of the old one, which can be read until then."
          + " The new documents follow the old ones: the result is the index that 'build' makes of"
          + " all of them at once.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  indexer append index tuesday",
      "  indexer append index changed-pages --duplicates last"
    })
final class AppendCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private IndexArgument index;

  @Parameters(
      index = "1..*",
      paramLabel = "PATH",
      arity = "1..*",
      description = "Files and directories to index, in this order.")
  private List<Path> roots;

  @Mixin private IdOption ids;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "Read files in this format, as 'build' does (default: what the index was built with).")
  private @Nullable Format format;

  @Mixin private SourceLimits limits;
  @Mixin private RecoveryArguments recovery;
  @Mixin private Resources resources;
  @Mixin private DeviceOptions device;
  @Mixin private SpaceOption space;
  @Mixin private Display display;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  AppendCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    resources.doubt().ifPresent(Log.of(spec)::warning);
    IndexAppend append = prepare();
    IndexAppend.Result result;
    try (ProgressView view = display.build()) {
      view.start();
      result = append.run(view.progress, (report, merge) -> merge(view, merge));
    }
    if (result == null) {
      return ExitCode.OK;
    }
    if (!display.quiet()) {
      tell(result);
    }
    return result.added().complete() && result.merged().skipped() == 0
        ? ExitCode.OK
        : ExitCode.INCOMPLETE;
  }

  private IndexMerge.Result merge(ProgressView ofBuild, IndexAppend.Step merge)
      throws IOException, InterruptedException {
    ofBuild.close();
    try (TaskView view = display.task("merging")) {
      return merge.run(view);
    }
  }

  private void tell(IndexAppend.Result result) {
    spec.commandLine()
        .getOut()
        .printf(
            Locale.ROOT,
            "%s: an index of %s and %s, of which %s %s new%n%s%s",
            index.directory(),
            Counted.of(result.merged().documents(), "document"),
            Counted.of(result.merged().terms(), "term"),
            Counted.of(result.added().documents(), "document"),
            result.added().documents() == 1 ? "is" : "are",
            MergeText.ofIds(result.merged()),
            ReportText.ofSkipped(result.added()));
    spec.commandLine().getOut().flush();
    display.report(result);
  }

  /** Prepares the append. Invalid options are reported as usage errors. */
  private IndexAppend prepare() throws IOException {
    Path directory = index.toBeReplaced();
    IndexMetadata metadata;
    try (InvertedIndex opened = InvertedIndex.open(Places.real(directory))) {
      metadata = opened.metadata();
    }
    RecordedOptions recorded = RecordedOptions.of(metadata);
    try {
      recorded.text();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "nothing can be appended to %s: %s".formatted(directory, e.getMessage()), e);
    }
    try {
      IdPolicy policy = Objects.requireNonNullElse(ids.policy(), recorded.duplicates());
      BuildOptions options =
          new BuildOptions(
              ImmutableList.copyOf(roots),
              limits.toOptions(
                  Objects.requireNonNullElse(format, recorded.format()),
                  recorded.docno(),
                  recorded.json(),
                  recorded.weights()),
              ofNew(policy),
              directory,
              false,
              HtmlMode.FAST,
              recorded.text(),
              resources
                  .toOptions()
                  .withDevice(device.choice(), device.pipeline())
                  .withSpace(space.space()));
      return new IndexAppend(options, policy, recovery.toRecovery(Log.of(spec), display.quiet()));
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** The policy for the build of the new documents; the merge compares all. */
  private static Duplicates ofNew(IdPolicy policy) {
    return switch (policy) {
      case SKIP -> Duplicates.SKIP;
      case ERROR -> Duplicates.ERROR;
      case KEEP, LAST -> Duplicates.KEEP;
    };
  }
}
