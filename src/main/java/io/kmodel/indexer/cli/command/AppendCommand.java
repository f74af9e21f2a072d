package io.kmodel.indexer.cli.command;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.cli.option.DeviceOptions;
import io.kmodel.indexer.cli.option.FromOption;
import io.kmodel.indexer.cli.option.IdOption;
import io.kmodel.indexer.cli.option.IndexArgument;
import io.kmodel.indexer.cli.option.PathArgument;
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
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.SourceOptions;
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
          + " and merges both. The new index replaces the old one, which can be read until then. The"
          + " new documents follow the old ones: unless --duplicates leaves some out, the result is"
          + " the index that 'build' makes of all of them at once.",
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
      arity = "0..*",
      converter = PathArgument.OneOfMany.class,
      description =
          "Files, directories and URLs (https, http, s3) to index, in this order; - is standard"
              + " input, which is read as one file.")
  private List<Path> roots = List.of();

  @Mixin private FromOption from;

  @Mixin private IdOption ids;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "Read files in this format, as 'build' does (default: what the index was built with).")
  private @Nullable Format format;

  @Mixin private SourceLimits limits;

  @Option(
      names = "--resume",
      fallbackValue = "true",
      description =
          "Continue an append of the same documents that was interrupted. It is an error if none"
              + " was.")
  private boolean resume;

  @Option(
      names = "--restart",
      fallbackValue = "true",
      description = "Discard the work of an interrupted append, and append.")
  private boolean restart;

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
    IndexMerge.Result merged = result.merged();
    BuildReport added = result.added();
    if (!display.quiet() && merged != null && added != null) {
      tell(merged, added);
      display.report(result);
    }
    boolean isSkipped =
        (added != null && !added.complete()) || (merged != null && merged.skipped() > 0);
    return isSkipped ? ExitCode.INCOMPLETE : ExitCode.OK;
  }

  private IndexMerge.Result merge(ProgressView ofBuild, IndexAppend.Step merge)
      throws IOException, InterruptedException {
    ofBuild.close();
    try (TaskView view = display.task("merging")) {
      return merge.run(view);
    }
  }

  private void tell(IndexMerge.Result merged, BuildReport added) {
    spec.commandLine()
        .getOut()
        .printf(
            Locale.ROOT,
            "%s: an index of %s and %s, of which %s %s new%n%s%s",
            index.directory(),
            Counted.of(merged.documents(), "document"),
            Counted.of(merged.terms(), "term"),
            Counted.of(merged.ofLast(), "document"),
            merged.ofLast() == 1 ? "is" : "are",
            MergeText.ofKeptIds(merged),
            ReportText.ofAppended(added, merged.skipped()));
    spec.commandLine().getOut().flush();
  }

  /** Prepares the append. Invalid options are reported as usage errors. */
  private IndexAppend prepare() throws IOException {
    Path directory = index.toBeReplaced();
    IndexMetadata metadata;
    try (InvertedIndex opened = InvertedIndex.open(Places.real(directory))) {
      metadata = opened.metadata();
    }
    if (resume && restart) {
      throw usage("--resume and --restart cannot be combined");
    }
    RecordedOptions recorded = RecordedOptions.of(metadata);
    ImmutableList<Path> paths = from.paths(roots);
    IdPolicy policy;
    BuildOptions usual;
    try {
      policy = Objects.requireNonNullElseGet(ids.policy(), recorded::duplicates);
      usual = recorded.build(paths, directory, ofNew(policy));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "nothing can be appended to %s: %s".formatted(directory, e.getMessage()), e);
    }
    SourceOptions source = usual.source();
    Format wanted = Objects.requireNonNullElse(format, source.format());
    if ((wanted == Format.VECTORS) != (source.format() == Format.VECTORS)) {
      throw usage(
          "%s is an index of %s; documents of --format %s need another index"
              .formatted(
                  directory,
                  source.format() == Format.VECTORS ? "vectors" : "texts",
                  wanted.label()));
    }
    try {
      BuildOptions options =
          usual
              .withSource(
                  limits
                      .toOptions(wanted, source.docno(), source.json(), source.weights())
                      .withQuotes(source.quotes()),
                  usual.duplicates())
              .withResources(
                  resources
                      .toOptions()
                      .withDevice(device.choice(), device.pipeline())
                      .withSpace(space.space()));
      Start start = resume ? Start.RESUME : restart ? Start.RESTART : Start.FRESH;
      Log log = Log.of(spec);
      return new IndexAppend(
          options,
          policy,
          new Recovery(
              start,
              Recovery.SEAL_EVERY,
              display.quiet() ? notice -> {} : log::note,
              log::warning));
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private CommandLine.ParameterException usage(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
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
