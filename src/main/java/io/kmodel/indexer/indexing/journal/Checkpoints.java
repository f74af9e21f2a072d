package io.kmodel.indexer.indexing.journal;

import io.kmodel.indexer.index.WriterCheckpoint;
import io.kmodel.indexer.indexing.journal.BuildJournal.After;
import io.kmodel.indexer.indexing.journal.JournalEntry.Finished;
import io.kmodel.indexer.indexing.journal.JournalEntry.RangesCut;
import io.kmodel.indexer.indexing.journal.JournalEntry.RangesMerged;
import io.kmodel.indexer.indexing.journal.JournalEntry.RunsMerged;
import io.kmodel.indexer.indexing.journal.JournalEntry.SplitDropped;
import io.kmodel.indexer.indexing.journal.JournalEntry.SplitSealed;
import io.kmodel.indexer.indexing.report.SplitResult;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.store.FileSeal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Saves the finished work of a build, and knows what an interrupted build has saved. Each stage
 * asks for saved work and hands over its own, without knowing the journal (see {@link BuildJournal}
 * for when it is written). Safe for many threads.
 */
public final class Checkpoints implements AutoCloseable {
  /**
   * How a crawl was cut into splits.
   *
   * @param splitBytes see {@link io.kmodel.indexer.source.crawl.Crawl#splits}
   * @param leadingThreads see {@link io.kmodel.indexer.source.crawl.LeadingSplits}
   * @param splits their number
   * @param borders checksum of where they begin and end
   */
  public record Cut(long splitBytes, int leadingThreads, int splits, String borders) {}

  /**
   * A saved reading of a split.
   *
   * @param isDropped whether its runs and documents are not needed, since it was read again
   */
  public record SavedSplit(
      SplitResult result, boolean isDropped, List<FinishedRun> runs, StoredFiles stored) {}

  /** Writes a run that is in memory to its file. */
  @FunctionalInterface
  public interface RunWriter {
    void write(FinishedRun run) throws IOException;
  }

  private final RecoveredState saved;
  private final BuildJournal journal;

  /** Directory of the runs. */
  private final Path runs;

  public Checkpoints(RecoveredState saved, BuildJournal journal, Path runs) {
    this.saved = saved;
    this.journal = journal;
    this.runs = runs;
  }

  /** Saves nothing: for a build that cannot be resumed. */
  public static Checkpoints none() {
    return new Checkpoints(RecoveredState.none(), BuildJournal.none(), Path.of(""));
  }

  /** How the interrupted build had cut its crawl; null if no build is resumed. */
  @Nullable
  public Cut cut() {
    return saved.cut();
  }

  /**
   * Saves how the crawl was cut. Nothing is written before that.
   *
   * @param input list of the crawl's files
   */
  public void cut(Cut cut, Path input) {
    journal.begin(cut, input);
  }

  /** A reading that need not be repeated; null if it must. */
  @Nullable
  public SavedSplit split(Reading reading) {
    SplitSealed split = saved.split(reading);
    if (split == null) {
      return null;
    }
    List<FinishedRun> finished = new ArrayList<>();
    for (JournalEntry.Run run : split.runs()) {
      Path file = run.file().in(runs);
      finished.add(new FinishedRun(reading.split(), finished.size(), file, run.documents(), null));
    }
    return new SavedSplit(
        SavedSplits.result(split, runs),
        saved.isDropped(reading),
        finished,
        new StoredFiles(in(split.stored()), in(split.columns())));
  }

  private @Nullable Path in(@Nullable FileSeal file) {
    return file == null ? null : file.in(runs);
  }

  /**
   * Saves a reading whose runs are complete.
   *
   * @param stored its other files
   * @param writer writes the runs that are in memory
   */
  public void splitRead(
      Reading reading,
      SplitResult result,
      List<FinishedRun> finished,
      StoredFiles stored,
      RunWriter writer)
      throws IOException {
    journal.addSplit(
        () -> {
          for (FinishedRun run : finished) {
            writer.write(run);
          }
          return SavedSplits.seal(reading, result, finished, stored);
        });
  }

  /** Records that another reading replaces this one, then deletes its files. */
  public void splitDropped(Reading reading, List<Path> files) throws IOException {
    journal.add(() -> new SplitDropped(reading), () -> deleteAll(files));
  }

  /** Whether runs must be in files as soon as they are sorted, because checkpoints have begun. */
  public boolean wantsFiles() {
    return journal.isKept() || journal.isDue() || journal.isSealing();
  }

  /** Replaces runs by those that they were merged into. */
  public List<Path> present(List<Path> files) {
    return saved.present(files);
  }

  /** Passes of merging that the interrupted build had begun. */
  public int passes() {
    return saved.passes();
  }

  /** Saves a run that others were merged into, then deletes these. */
  public void runsMerged(int pass, Path merged, List<Path> inputs) throws IOException {
    List<String> names = inputs.stream().map(run -> String.valueOf(run.getFileName())).toList();
    journal.add(
        () -> new RunsMerged(pass, FileSeal.force(merged, true), names), () -> deleteAll(inputs));
    // At once, so that the disk need not hold both.
    journal.sealNow();
  }

  private static void deleteAll(List<Path> files) throws IOException {
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }

  /** The term ranges of the interrupted merge; null if it had not begun. */
  @Nullable
  public List<TermRange> ranges() {
    return saved.ranges();
  }

  /** Saves the keys at which all term ranges but the first begin. */
  public void rangesCut(List<byte[]> keys) throws IOException {
    journal.add(() -> new RangesCut(keys), After.NOTHING);
  }

  /** The term ranges that are in the index of the interrupted build. */
  public int mergedRanges() {
    RangesMerged merged = saved.mergedRanges();
    return merged == null ? 0 : merged.ranges();
  }

  /** Where the index of the interrupted build can be continued; null if it cannot. */
  @Nullable
  public WriterCheckpoint index() {
    RangesMerged merged = saved.mergedRanges();
    return merged == null ? null : merged.index();
  }

  /** Makes the merge start over, because its index is damaged. */
  public void forgetIndex() {
    saved.forgetMergedRanges();
  }

  /** Saves that the first {@code ranges} term ranges are in the index. */
  public void rangesMerged(int ranges, WriterCheckpoint index) throws IOException {
    journal.add(() -> new RangesMerged(ranges, index), After.NOTHING);
    journal.sealNow();
  }

  /** Whether anything is saved. */
  public boolean isKept() {
    return journal.isKept();
  }

  /** Whether it is time to save. */
  public boolean isDue() {
    return journal.isDue();
  }

  /** Stops saving, so that its time can be reported. */
  public void stop() {
    journal.stop();
  }

  /** A file of a complete index that no other index has. */
  @FunctionalInterface
  public interface IndexFile {
    Path get() throws IOException;
  }

  /**
   * Records, after {@link #stop}, that the index is complete: at once if anything is saved, else if
   * the build fails all the same.
   *
   * @param form options of the target that its files depend on
   */
  public void complete(IndexFile file, Map<String, String> form) throws IOException {
    journal.finish(() -> new Finished(FileSeal.force(file.get(), false), form));
  }

  /** Writes that record now, for what follows the build. */
  public void saveComplete() throws IOException {
    journal.sealResult();
  }

  /** Whether the record that the index is complete is written. */
  public boolean isCompleteSaved() {
    return journal.isResultSealed();
  }

  /**
   * After a failure: saves the work that was finished before it.
   *
   * @return whether a build can continue from here
   */
  public boolean rescue(Throwable cause) {
    return journal.rescue(cause);
  }

  /** Number of saved splits. */
  public int splits() {
    return journal.splits();
  }

  @Override
  public void close() throws IOException {
    journal.close();
  }
}
