package io.kmodel.indexer.indexing;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.indexing.journal.CrashPoint;
import io.kmodel.indexer.indexing.journal.OutputPlace;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.DuplicateIdException;
import io.kmodel.indexer.indexing.options.IdPolicy;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.store.FileSeal;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.DirectoryLock;
import io.kmodel.indexer.store.disk.LockedException;
import io.kmodel.indexer.store.disk.Places;
import io.kmodel.indexer.store.disk.RefusedOutputException;
import io.kmodel.indexer.store.disk.StagedOutput.Replaceable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Adds documents to an index: builds an index of them in a directory beside it, merges both, and
 * replaces the old index, which can be read until then.
 *
 * <pre>
 * INDEX.appending/
 *   added             the index of the new documents
 *   added.building    its work directory, see {@link
 *                     io.kmodel.indexer.indexing.journal.WorkDirectory}
 *   merged            how to recognise the merged index, written before it gets its name
 * </pre>
 *
 * <p>An append that was killed is continued: the build as any other, the merge from its start. Once
 * the merged index has its name, the documents are not added again. Memory and open files: those of
 * the build, then those of the merge (see {@link IndexMerge}).
 */
public final class IndexAppend {
  private static final String PLACE = ".appending";
  private static final String ADDED = "added";
  private static final String MERGED = "merged";
  private static final Set<String> ENTRIES = Set.of(ADDED, ADDED + ".building", MERGED);

  /**
   * What an append did.
   *
   * @param added the build of the new documents; null if that is not known any more
   * @param merged the index with them; null if the process that is resumed had appended them
   */
  public record Result(@Nullable BuildReport added, IndexMerge.@Nullable Result merged) {}

  /**
   * What tells the merged index from the one before.
   *
   * @param options everything that decides the new documents
   */
  private record Merged(FileSeal before, FileSeal after, Map<String, String> options) {}

  /** Shows the merge, which begins when the new documents are indexed. */
  @FunctionalInterface
  public interface Merging {
    /**
     * Runs the merge.
     *
     * @param merge runs with a listener for its progress
     */
    IndexMerge.Result show(BuildReport added, Step merge) throws IOException, InterruptedException;
  }

  /** A merge that is ready to run. */
  @FunctionalInterface
  public interface Step {
    IndexMerge.Result run(ProgressListener progress) throws IOException, InterruptedException;
  }

  private final Path index;
  private final Path place;
  private final BuildOptions options;
  private final IdPolicy duplicates;
  private final Recovery recovery;
  private IndexMerge.@Nullable Result merged;

  /**
   * Prepares an append.
   *
   * @param options of the build of the new documents, see {@link
   *     io.kmodel.indexer.indexing.options.RecordedOptions}; the output is the index
   * @param duplicates what happens to documents with the same id
   */
  public IndexAppend(BuildOptions options, IdPolicy duplicates, Recovery recovery)
      throws IOException {
    this.index = Places.real(options.output());
    this.place = index.resolveSibling(index.getFileName() + PLACE);
    this.options = options.withOutput(place.resolve(ADDED));
    this.duplicates = duplicates;
    this.recovery = recovery;
  }

  /**
   * Appends.
   *
   * @param progress of the build
   * @throws BuildException if the options cannot work, another append is running or was
   *     interrupted, or nothing can be resumed
   * @throws DuplicateIdException if documents have the same id although the policy does not allow
   *     it
   * @throws IOException if reading or writing failed; the index is as it was before, and {@link
   *     Recovery#warnings} says what can be resumed
   */
  public Result run(BuildProgress progress, Merging merging)
      throws IOException, InterruptedException {
    Replaceable replaceable = Target.ownIndex()::isIndex;
    OutputPlace.requireApart(options.roots(), index, replaceable);
    // Not after the build of the new documents.
    WorkDirectory.look(index, replaceable, Start.FRESH);
    try (DirectoryLock lock = DirectoryLock.take(place, ENTRIES)) {
      try {
        Result result = isMerged() ? new Result(report(), null) : append(progress, merging);
        deleteAll();
        return result;
      } catch (DuplicateIdException | FormatLimitException e) {
        // Another attempt would fail, too.
        deleteAll();
        throw e;
      } finally {
        if (!hasWork()) {
          lock.deleteAtClose();
        }
      }
    } catch (LockedException e) {
      throw new BuildException(
          "another append to %s is running: %s (%s)".formatted(index, e.owner(), place));
    } catch (RefusedOutputException e) {
      throw new BuildException(String.valueOf(e.getMessage()));
    }
  }

  private boolean hasWork() {
    return ENTRIES.stream().map(place::resolve).anyMatch(Files::exists);
  }

  /** Whether the index has the documents, from a process that was killed after the merge. */
  private boolean isMerged() throws IOException {
    Merged before = read();
    if (before == null || !before.after().isIn(index)) {
      requireBase(before);
      return false;
    }
    if (recovery.start() == Start.RESUME) {
      Resumption.requireSame(before.options(), options.identity());
    }
    // Another append from standard input has other documents, although its options are the same.
    boolean mayBeOthers = recovery.start() == Start.FRESH && options.readsStandardInput();
    if (recovery.start() != Start.RESTART
        && !mayBeOthers
        && before.options().equals(options.identity())) {
      recovery.notices().accept("%s already contains these documents".formatted(index));
      return true;
    }
    deleteAll();
    return false;
  }

  /** The report of the build of the new documents; null if it is deleted. */
  private @Nullable BuildReport report() throws IOException {
    Path added = options.output();
    return Files.exists(added.resolve(BuildReport.FILE_NAME)) ? BuildReport.read(added) : null;
  }

  /** Requires that the index is the one that was to be merged. */
  private void requireBase(@Nullable Merged before) throws IOException {
    if (before != null && recovery.start() == Start.RESUME && !before.before().isIn(index)) {
      throw new BuildException(
          "%s has changed since the append to it was interrupted, and may or may not contain the documents; start over with append --restart"
              .formatted(index));
    }
  }

  private void requireStart() throws IOException {
    if (recovery.start() == Start.RESTART) {
      deleteAll();
    } else if (recovery.start() == Start.FRESH && hasWork()) {
      throw new BuildException(
          "%s has the work of an interrupted append; continue it with append --resume, or discard it with append --restart"
              .formatted(place));
    } else if (recovery.start() == Start.RESUME && !hasWork()) {
      // It may also have been complete; to append again would add the documents twice.
      throw new BuildException(
          "no append to %s was interrupted; append without --resume".formatted(index));
    }
  }

  private Result append(BuildProgress progress, Merging merging)
      throws IOException, InterruptedException {
    requireStart();
    Target target =
        Target.ownIndexThen(
            report -> merged = merging.show(report, this::merge), List.of(index, place), false);
    BuildReport added = new Indexing(options, target, progress).withRecovery(recovery).run();
    return new Result(added, merged);
  }

  private IndexMerge.Result merge(ProgressListener progress)
      throws IOException, InterruptedException {
    IndexMerge.Options merging =
        new IndexMerge.Options(
            List.of(index, options.output()),
            index,
            false,
            duplicates,
            options.resources().threads(),
            options.resources().space());
    String added = options.roots().stream().map(Path::toString).collect(Collectors.joining(", "));
    return new IndexMerge(merging, progress, List.of(index.toString(), added), this::write).run();
  }

  /** Records how to recognise the merged index. */
  private void write(IndexMerge.Made made) throws IOException {
    Merged now =
        new Merged(
            FileSeal.force(index.resolve(InvertedIndex.METADATA), false),
            FileSeal.force(made.directory().resolve(InvertedIndex.METADATA), false),
            options.identity());
    Path file = place.resolve(MERGED);
    Files.write(file, Json.MAPPER.writeValueAsBytes(now));
    Directories.forceContent(file);
    Directories.force(file);
  }

  /** Null if no append had merged an index, or was killed while it recorded that. */
  private @Nullable Merged read() throws IOException {
    Path file = place.resolve(MERGED);
    if (!Files.exists(file)) {
      return null;
    }
    try {
      return Json.MAPPER.readValue(Files.readAllBytes(file), Merged.class);
    } catch (JsonProcessingException e) {
      return null;
    }
  }

  private void deleteAll() throws IOException {
    Directories.deleteTree(place.resolve(ADDED + ".building"));
    Directories.deleteTree(options.output());
    CrashPoint.APPENDED.reached();
    // Last: while the record is there, the documents are not added again.
    Files.deleteIfExists(place.resolve(MERGED));
  }
}
