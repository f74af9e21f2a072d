package io.kmodel.indexer.indexing.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.kmodel.indexer.indexing.journal.Checkpoints.Cut;
import io.kmodel.indexer.indexing.journal.JournalEntry.Finished;
import io.kmodel.indexer.indexing.journal.JournalEntry.RangesCut;
import io.kmodel.indexer.indexing.journal.JournalEntry.RangesMerged;
import io.kmodel.indexer.indexing.journal.JournalEntry.Run;
import io.kmodel.indexer.indexing.journal.JournalEntry.RunsMerged;
import io.kmodel.indexer.indexing.journal.JournalEntry.SplitDropped;
import io.kmodel.indexer.indexing.journal.JournalEntry.SplitSealed;
import io.kmodel.indexer.indexing.journal.JournalEntry.Started;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.FileSeal;
import io.kmodel.indexer.store.Journal;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The work that an interrupted build has saved: its journal, and which of the files are still
 * whole. Splits that were read with other memory or threads serve as well, because the index
 * depends on the documents only. Memory: the journal. Not thread-safe until {@link #verify} has
 * returned, then immutable.
 */
public final class RecoveredState {
  private @Nullable Started started;
  private final Map<Reading, SplitSealed> splits = new LinkedHashMap<>();
  private final Set<Reading> dropped = new HashSet<>();
  private final List<RunsMerged> merged = new ArrayList<>();

  /** The merged run by the names of the runs in it. */
  private final Map<String, RunsMerged> replaced = new HashMap<>();

  private @Nullable RangesCut ranges;
  private @Nullable RangesMerged mergedRanges;
  private @Nullable Finished finished;

  private RecoveredState() {}

  /** Nothing saved. */
  public static RecoveredState none() {
    return new RecoveredState();
  }

  /**
   * Reads a journal; an absent file means that nothing is saved.
   *
   * @throws BuildException if it has whole lines that this version does not write
   */
  public static RecoveredState read(Path journal) throws IOException {
    RecoveredState work = new RecoveredState();
    for (String line : Journal.read(journal)) {
      try {
        work.add(JournalEntry.parse(line));
      } catch (JsonProcessingException e) {
        throw new BuildException(
            journal + ": was made by another version of the program; start over with --restart");
      }
    }
    return work;
  }

  private void add(JournalEntry entry) {
    if (entry instanceof Started first) {
      started = first;
    } else if (entry instanceof SplitSealed split) {
      splits.put(split.reading(), split);
      dropped.remove(split.reading());
      // Splits come before ranges, except damaged ones that were read again.
      forgetMergedRanges();
    } else if (entry instanceof SplitDropped drop) {
      dropped.add(drop.reading());
    } else if (entry instanceof RunsMerged runs) {
      merged.add(runs);
      runs.inputs().forEach(input -> replaced.put(input, runs));
    } else if (entry instanceof RangesCut cut) {
      ranges = cut;
      mergedRanges = null;
    } else if (entry instanceof RangesMerged now && ranges != null) {
      // Merged ranges are useless without the cuts between them.
      RangesMerged before = mergedRanges;
      mergedRanges =
          before == null ? now : new RangesMerged(now.ranges(), now.index().after(before.index()));
    } else if (entry instanceof Finished f) {
      finished = f;
    }
  }

  /** Whether a split or a complete index is saved. */
  boolean isWorthKeeping() {
    return started != null && (!splits.isEmpty() || finished != null);
  }

  /** Number of saved splits, without replaced readings. */
  public int splits() {
    return (int) splits.keySet().stream().filter(reading -> !dropped.contains(reading)).count();
  }

  /** The first line of the journal; null if nothing is saved. */
  @Nullable Started started() {
    return started;
  }

  /** The record that the index is complete; null if it is not. */
  @Nullable Finished finished() {
    return finished;
  }

  /** The options that decided the contents of the index, by name; null if nothing is saved. */
  @Nullable
  public Map<String, String> options() {
    return started == null ? null : started.options();
  }

  /** The options of the target that the complete index depends on; null if it is not complete. */
  @Nullable
  public Map<String, String> form() {
    return finished == null ? null : finished.form();
  }

  /** How the crawl was cut; null if nothing is saved. */
  @Nullable
  public Cut cut() {
    Started first = started;
    return first == null
        ? null
        : new Cut(first.splitBytes(), first.leadingThreads(), first.splits(), first.borders());
  }

  /** A saved reading; null if it must be repeated. */
  @Nullable SplitSealed split(Reading reading) {
    return splits.get(reading);
  }

  /** Whether another reading has replaced it. */
  public boolean isDropped(Reading reading) {
    return dropped.contains(reading);
  }

  /** Replaces runs by the larger runs that they were merged into, in the same order. */
  List<Path> present(List<Path> runs) {
    List<Path> present = new ArrayList<>();
    for (Path run : runs) {
      Path file = run;
      for (RunsMerged larger = of(file); larger != null; larger = of(file)) {
        file = larger.file().in(parent(file));
      }
      if (present.isEmpty() || !present.getLast().equals(file)) {
        present.add(file);
      }
    }
    return present;
  }

  private @Nullable RunsMerged of(Path run) {
    return replaced.get(String.valueOf(run.getFileName()));
  }

  private static Path parent(Path file) {
    Path parent = file.getParent();
    return parent == null ? Path.of("") : parent;
  }

  /** Number of merge passes so far. */
  int passes() {
    return merged.stream().mapToInt(runs -> runs.pass() + 1).max().orElse(0);
  }

  /** The term ranges of the last merge; null if they were not cut yet. */
  @Nullable List<TermRange> ranges() {
    if (ranges == null) {
      return null;
    }
    List<TermRange> all = new ArrayList<>();
    byte[] from = null;
    for (byte[] to : ranges.keys()) {
      all.add(new TermRange(from, to, 0));
      from = to;
    }
    all.add(new TermRange(from, null, 0));
    return all;
  }

  /** Progress of the last merge; null if it must start over. */
  @Nullable RangesMerged mergedRanges() {
    return mergedRanges;
  }

  /** Makes the last merge start over. */
  void forgetMergedRanges() {
    mergedRanges = null;
    ranges = null;
  }

  /**
   * Verifies all saved files, on several threads, and deletes all others. A damaged split will be
   * read again, and the last merge starts over then, because with other memory the split may have
   * more or fewer documents.
   *
   * @return a line for each problem
   * @throws BuildException if a run is damaged that several splits were merged into
   */
  public List<String> verify(Path directory, int threads) throws IOException, InterruptedException {
    List<Callable<@Nullable String>> checks = new ArrayList<>();
    for (RunsMerged runs : merged) {
      if (!replaced.containsKey(runs.file().name())) {
        checks.add(() -> requireWhole(runs.file(), directory));
      }
    }
    for (SplitSealed split : splits.values()) {
      checks.add(() -> check(split, directory));
    }
    List<String> damaged = new ArrayList<>();
    try (Workers workers = Workers.givingWay("verify", threads)) {
      for (String problem : workers.runAll(checks)) {
        if (problem != null) {
          damaged.add(problem);
        }
      }
    }
    clean(directory);
    if (!damaged.isEmpty()) {
      if (mergedRanges != null) {
        damaged.add("the merge starts over: it has postings of splits that are read again");
      }
      // The ranges, too: reading the journal forgets them where the split is saved again.
      forgetMergedRanges();
    }
    return damaged;
  }

  private static @Nullable String requireWhole(FileSeal file, Path directory) throws IOException {
    try {
      file.verify(directory);
      return null;
    } catch (CorruptIndexException e) {
      throw startAnew(e);
    }
  }

  private static BuildException startAnew(CorruptIndexException e) {
    return new BuildException(
        "the saved work cannot be used: " + e.getMessage() + "; start over with --restart");
  }

  private @Nullable String check(SplitSealed split, Path directory) throws IOException {
    try {
      for (FileSeal file : files(split)) {
        file.verify(directory);
      }
      return null;
    } catch (CorruptIndexException e) {
      if (!merged.isEmpty()) {
        throw startAnew(e);
      }
      synchronized (this) {
        splits.remove(split.reading());
      }
      return "split %d is read again: %s".formatted(split.reading().split(), e.getMessage());
    }
  }

  /** The files that a saved split must have. */
  private List<FileSeal> files(SplitSealed split) {
    List<FileSeal> files = new ArrayList<>();
    if (split.ids() != null) {
      files.add(split.ids());
    }
    if (split.signatures() != null) {
      files.add(split.signatures());
    }
    if (dropped.contains(split.reading())) {
      return files;
    }
    files.add(split.skips().file());
    if (split.stored() != null) {
      files.add(split.stored());
    }
    if (split.columns() != null) {
      files.add(split.columns());
    }
    for (Run run : split.runs()) {
      if (!replaced.containsKey(run.file().name())) {
        files.add(run.file());
      }
    }
    return files;
  }

  private void clean(Path directory) throws IOException {
    Set<String> known = new HashSet<>();
    splits.values().forEach(split -> files(split).forEach(file -> known.add(file.name())));
    merged.forEach(runs -> known.add(runs.file().name()));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (!known.contains(String.valueOf(file.getFileName()))) {
          Files.delete(file);
        }
      }
    }
  }
}
