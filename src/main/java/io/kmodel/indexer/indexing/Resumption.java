package io.kmodel.indexer.indexing;

import com.google.common.base.Throwables;
import com.google.common.collect.MapDifference;
import com.google.common.collect.Maps;
import io.kmodel.indexer.indexing.documents.CrawlScan;
import io.kmodel.indexer.indexing.journal.BuildJournal;
import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.Checkpoints.Cut;
import io.kmodel.indexer.indexing.journal.OutputPlace;
import io.kmodel.indexer.indexing.journal.RecoveredState;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.DuplicateIdException;
import io.kmodel.indexer.indexing.options.NearDuplicates;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildProgress.Stage;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.source.RemotePath;
import io.kmodel.indexer.source.StandardInput;
import io.kmodel.indexer.source.remote.RemoteFileException;
import io.kmodel.indexer.source.remote.UnavailableException;
import io.kmodel.indexer.store.disk.Places;
import io.kmodel.indexer.store.disk.StagedOutput.Replaceable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Decides whether a build may continue an interrupted one, and what stays if it fails itself. */
public final class Resumption {
  private static final String FLAG = "--";

  private final WorkDirectory directory;
  private final BuildOptions options;
  private final String kind;
  private final int threads;
  private final Recovery recovery;

  /**
   * For a build in a work directory.
   *
   * @param kind of index
   */
  Resumption(WorkDirectory directory, BuildOptions options, String kind, Recovery recovery) {
    this.directory = directory;
    this.options = options;
    this.kind = kind;
    this.threads = options.resources().threads();
    this.recovery = recovery;
  }

  /**
   * Options that must be the same for a build to continue this one. Resolved late, because it may
   * fail, and saved work must stay then.
   *
   * @throws IOException if a given link cannot be followed
   */
  private Map<String, String> identity() throws IOException {
    return identity(options, kind);
  }

  /** Options that must be the same for a build to make the same index, by name. */
  public static Map<String, String> identity(BuildOptions options, Target target)
      throws IOException {
    Map<String, String> identity = identity(options, target.kind());
    identity.putAll(target.form());
    return identity;
  }

  private static Map<String, String> identity(BuildOptions options, String kind)
      throws IOException {
    String version = Resumption.class.getPackage().getImplementationVersion();
    Map<String, String> identity = new TreeMap<>(options.identity());
    identity.put("the program", version == null ? "in development" : version);
    identity.put("the kind of index", kind);
    for (int i = 0; i < options.roots().size(); i++) {
      Path root = options.roots().get(i);
      // A dangling link is reported when the crawl is opened.
      if (!StandardInput.is(root)
          && !(root instanceof RemotePath)
          && Files.isSymbolicLink(root)
          && Files.exists(root)) {
        identity.put("the target of path %d".formatted(i + 1), Places.target(root).toString());
      }
    }
    return identity;
  }

  /**
   * Checks, without writing, whether a build would be refused because of what is at its output, or
   * because of an interrupted build.
   *
   * @param replaceable what may be replaced there; null for nothing
   * @param kind of index
   * @throws BuildException if it would
   */
  static void look(
      BuildOptions options, @Nullable Replaceable replaceable, String kind, Recovery.Start start)
      throws IOException {
    OutputPlace.requireApart(options.roots(), options.output(), replaceable);
    Map<String, String> before = WorkDirectory.look(options.output(), replaceable, start).options();
    if (before != null) {
      requireSame(before, identity(options, kind));
    }
  }

  /**
   * Opens the checkpoints of the build, with what an interrupted build has saved.
   *
   * @throws BuildException if that was another build
   */
  Checkpoints open() throws IOException, InterruptedException {
    RecoveredState sealed = directory.sealed();
    Map<String, String> before = sealed.options();
    Cut cut = sealed.cut();
    // Kept until it is known that the build may continue it.
    directory.keep(before != null);
    Map<String, String> identity = identity();
    if (before != null && cut != null) {
      requireSame(before, identity);
      directory.verify(threads).forEach(recovery.warnings());
      recovery
          .notices()
          .accept(
              "resuming with %,d of %,d parts of the input"
                  .formatted(sealed.splits(), cut.splits()));
    }
    return new Checkpoints(
        sealed,
        BuildJournal.of(directory, identity, recovery.sealEvery(), sealed.splits()),
        directory.runs());
  }

  /**
   * Finishes a build that was interrupted when its index was complete: moves the index to its name,
   * if it is not there, and has the rest deleted.
   *
   * @param form target options that the index depends on, besides the runs
   * @throws BuildException if options or input differ; everything stays then
   */
  BuildReport complete(Map<String, String> form, BuildProgress progress)
      throws IOException, InterruptedException {
    directory.keep(true);
    Map<String, String> before = new TreeMap<>();
    Map<String, String> now = new TreeMap<>(identity());
    now.putAll(form);
    Map<String, String> savedOptions = directory.sealed().options();
    Map<String, String> savedForm = directory.sealed().form();
    if (savedOptions != null && savedForm != null) {
      before.putAll(savedOptions);
      before.putAll(savedForm);
    }
    requireSame(before, now);
    Checkpoints cutOnly =
        new Checkpoints(directory.sealed(), BuildJournal.none(), directory.runs());
    try (CrawlScan scan = new CrawlScan(options, directory, cutOnly, progress)) {
      scan.skips();
    }
    if (!directory.isPublished()) {
      directory.publish();
    }
    directory.keep(false);
    recovery.notices().accept(directory.output() + " was already complete");
    progress.enter(Stage.DONE);
    return BuildReport.read(directory.output());
  }

  /**
   * After a failure: saves finished work, unless a retry would fail the same way. A {@link
   * BuildException} is thrown before anything is finished, or because no index can hold the crawl;
   * then the directory stays as it was.
   */
  void rescue(Checkpoints saved, Throwable cause) {
    if (cause instanceof DuplicateIdException) {
      directory.keep(false);
    } else if (!(cause instanceof BuildException)) {
      if (saved.rescue(cause)) {
        directory.keep(true);
        recovery.warnings().accept(saved.isCompleteSaved() ? complete() : kept(saved, cause));
      } else if (isOf(UnavailableException.class, cause)) {
        recovery.warnings().accept("no work is kept; the same command starts from the beginning");
      }
    }
  }

  private String complete() {
    return "the index is complete in %s; the same command with --resume publishes it"
        .formatted(directory.index());
  }

  /** A file that a server does not have when files are listed would fail the next build, too. */
  private String kept(Checkpoints saved, Throwable cause) {
    return "finished work (parts of the input: %,d) is kept in %s; %s"
        .formatted(
            saved.splits(),
            directory.root(),
            isOf(RemoteFileException.class, cause)
                ? "--resume needs all files again; to build without one, take it out of the list and use --restart"
                : "the same command with --resume continues from there");
  }

  private static boolean isOf(Class<? extends Exception> kind, Throwable failure) {
    return Throwables.getCausalChain(failure).stream().anyMatch(kind::isInstance);
  }

  /** Requires that a build has the options of the one before. */
  public static void requireSame(Map<String, String> before, Map<String, String> now) {
    String changes = changes(before, now);
    if (!changes.isEmpty()) {
      throw new BuildException(
          "the interrupted build had other options: "
              + changes
              + "; use the same, or start over with --restart");
    }
  }

  /** Describes how options differ; empty if they do not. */
  static String changes(Map<String, String> before, Map<String, String> now) {
    Map<String, String> known = new TreeMap<>(now);
    if (!before.containsKey(BuildOptions.NAMED_FIELDS)) {
      known.remove(BuildOptions.NAMED_FIELDS);
    }
    Map<String, String> other = new TreeMap<>(before);
    NearDuplicates.nameDifference(other, known);
    MapDifference<String, String> difference = Maps.difference(other, known);
    if (difference.areEqual()) {
      return "";
    }
    Map<String, String> changes = new LinkedHashMap<>();
    difference
        .entriesDiffering()
        .forEach(
            (key, values) ->
                changes.put(key, "%s (was %s)".formatted(values.rightValue(), values.leftValue())));
    difference
        .entriesOnlyOnLeft()
        .forEach((key, value) -> changes.put(key, "was " + value + ", now unset"));
    difference
        .entriesOnlyOnRight()
        .forEach((key, value) -> changes.put(key, "is " + value + ", was unset"));
    if (changes.keySet().stream().anyMatch(key -> key.endsWith(".parts"))) {
      // A combined field may replace another one.
      changes.remove(BuildOptions.NAMED_FIELDS);
    }
    if (changes.size() > 1) {
      // The fields follow from the other options.
      changes.remove(BuildOptions.FIELDS);
    }
    return changes.entrySet().stream()
        .map(change -> name(change.getKey()) + " " + change.getValue())
        .collect(Collectors.joining("; "));
  }

  /** Options are named by their flags; other entries have names with spaces or dots. */
  private static String name(String key) {
    return key.indexOf(' ') < 0 && key.indexOf('.') < 0 ? FLAG + key : key + ":";
  }
}
