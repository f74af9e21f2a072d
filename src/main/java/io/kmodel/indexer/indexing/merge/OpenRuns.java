package io.kmodel.indexer.indexing.merge;

import com.google.common.collect.Lists;
import io.kmodel.indexer.index.model.PostingsCopier;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.documents.RunFiles;
import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.CrashPoint;
import io.kmodel.indexer.indexing.journal.FinishedRun;
import io.kmodel.indexer.indexing.options.FileLimits;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.merge.MergingCursor;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.run.RunReader;
import io.kmodel.indexer.run.RunWriter;
import io.kmodel.indexer.run.SortedRun;
import io.kmodel.indexer.store.disk.FreeFiles;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * The runs of a build, open for the last merge: few enough for its memory and open files. If there
 * are more, neighbors are merged into larger runs first, in passes.
 */
public final class OpenRuns implements AutoCloseable {
  /**
   * What a merge may use.
   *
   * @param threads merges side by side
   * @param memoryBytes all cursors over run files together
   * @param maxOpen open runs
   */
  public record Limits(int threads, long memoryBytes, int maxOpen) {
    public static Limits of(int threads, long memoryBytes) {
      return new Limits(threads, memoryBytes, FileLimits.runs(FreeFiles.count(), MAX_OPEN));
    }

    /** How many runs may be merged at a time. */
    int fanIn() {
      long cursors = memoryBytes / ((long) threads * (MIN_BUFFER_BYTES + CURSOR_BYTES));
      return (int) Math.max(2, Math.min(cursors, maxOpen));
    }

    /** Buffer of each cursor over one of {@code runs} runs. */
    int bufferBytes(int runs) {
      long share = memoryBytes / ((long) threads * Math.max(1, runs)) - CURSOR_BYTES;
      return (int) Math.max(MIN_BUFFER_BYTES, Math.min(share, MAX_BUFFER_BYTES));
    }
  }

  /** Open files of a merge; well below the usual limit of 1,024 per process. */
  private static final int MAX_OPEN = 512;

  /** With smaller buffers, seeks between runs would cost more than another pass. */
  private static final int MIN_BUFFER_BYTES = 16 << 10;

  /**
   * Memory of a cursor besides its buffer: blocks of ints, and two terms of the maximal length,
   * because all runs may have ids of 32 KiB.
   */
  private static final int CURSOR_BYTES = 84 << 10;

  /** The largest direct buffer that a thread caches for channels that read into the heap. */
  private static final int MAX_BUFFER_BYTES = 1 << 18;

  /**
   * The runs of a merge.
   *
   * @param files in document order
   * @param kept runs in memory, by the files that they do not have
   * @param saved the merges of an interrupted build; gets those of this one
   */
  record Input(
      List<Path> files, Map<Path, SortedRun> kept, Checkpoints saved, BuildProgress progress) {
    /** Runs in files that an interrupted build may have merged into larger ones. */
    static Input of(RunFiles runs) {
      Map<Path, SortedRun> kept = new HashMap<>();
      for (FinishedRun run : runs.runs()) {
        if (run.kept() != null) {
          kept.put(run.file(), run.kept());
        }
      }
      List<Path> files = runs.runs().stream().map(FinishedRun::file).toList();
      return new Input(runs.saved().present(files), kept, runs.saved(), runs.progress());
    }

    Input with(List<Path> others) {
      return new Input(others, kept, saved, progress);
    }

    /** Number of runs that are read from files; the others need neither files nor buffers. */
    int inFiles() {
      return (int) files.stream().filter(run -> !kept.containsKey(run)).count();
    }
  }

  /** Open runs, and those of them that are files. */
  private record Opened(List<SortedRun> runs, List<RunReader> files) implements AutoCloseable {
    /** Opens all runs; if one fails, closes the others. */
    static Opened open(List<Path> files, Map<Path, SortedRun> kept) throws IOException {
      Opened opened = new Opened(new ArrayList<>(), new ArrayList<>());
      try {
        for (Path file : files) {
          SortedRun run = kept.get(file);
          if (run == null) {
            RunReader reader = RunReader.open(file);
            opened.files.add(reader);
            run = reader;
          }
          opened.runs.add(run);
        }
        return opened;
      } catch (IOException | RuntimeException e) {
        opened.close();
        throw e;
      }
    }

    @Override
    public void close() throws IOException {
      for (RunReader reader : files) {
        reader.close();
      }
    }
  }

  private final Opened opened;
  private final int bufferBytes;

  private OpenRuns(Opened opened, int bufferBytes) {
    this.opened = opened;
    this.bufferBytes = bufferBytes;
  }

  /**
   * Opens runs, after merging them down to the number that may be open at once.
   *
   * @param files the runs in document order; those merged into larger ones are deleted
   * @param limits of the merge
   */
  public static OpenRuns open(List<Path> files, Schema schema, Workers workers, Limits limits)
      throws IOException, InterruptedException {
    return open(
        new Input(files, Map.of(), Checkpoints.none(), new BuildProgress()),
        schema,
        workers,
        limits);
  }

  /** The same for runs some of which are in memory, or merged by an interrupted build. */
  public static OpenRuns open(RunFiles runs, Schema schema, Workers workers, Limits limits)
      throws IOException, InterruptedException {
    return open(Input.of(runs), schema, workers, limits);
  }

  static OpenRuns open(Input all, Schema schema, Workers workers, Limits limits)
      throws IOException, InterruptedException {
    Input input = all;
    for (int pass = input.saved().passes(); input.inFiles() > limits.fanIn(); pass++) {
      input = input.with(mergePass(input, schema, limits, pass));
    }
    Opened opened = Opened.open(input.files(), input.kept());
    try {
      verify(opened.files(), workers);
    } catch (IOException | InterruptedException | RuntimeException e) {
      opened.close();
      throw e;
    }
    return new OpenRuns(opened, limits.bufferBytes(input.inFiles()));
  }

  public List<SortedRun> runs() {
    return List.copyOf(opened.runs());
  }

  /** Buffer of each cursor over a run. */
  public int bufferBytes() {
    return bufferBytes;
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }

  /** Merges groups of neighbors, several at a time. */
  private static List<Path> mergePass(Input input, Schema schema, Limits limits, int pass)
      throws IOException, InterruptedException {
    int group = Math.max(2, limits.fanIn() / limits.threads());
    List<Callable<Path>> merges = new ArrayList<>();
    for (List<Path> neighbours : Lists.partition(input.files(), group)) {
      Path merged =
          neighbours
              .getFirst()
              .resolveSibling("pass-%02d-%06d.postings".formatted(pass, merges.size()));
      merges.add(() -> mergeGroup(input.with(neighbours), merged, schema, limits, pass));
    }
    // Half of the files that may be open are for reading.
    int atOnce = Math.clamp(limits.fanIn() / group, 1, limits.threads());
    try (Workers workers = Workers.givingWay("merge-pass", atOnce)) {
      return workers.runAll(merges);
    }
  }

  private static Path mergeGroup(Input input, Path target, Schema schema, Limits limits, int pass)
      throws IOException {
    List<Path> files = input.files();
    try (Opened opened = Opened.open(files, input.kept());
        RunWriter writer = RunWriter.create(target, schema)) {
      for (RunReader reader : opened.files()) {
        reader.verify();
      }
      List<SortedRun> runs = opened.runs();
      try (MergingCursor merged = cursor(runs, TermRange.ALL, limits.bufferBytes(runs.size()))) {
        new PostingsCopier().copy(merged, new ProgressConsumer(writer, input.progress()));
      }
      Lengths.copy(runs, schema, writer::lengths);
      writer.commit(documents(runs));
    }
    CrashPoint.RUNS_MERGED.reached();
    input.saved().runsMerged(pass, target, files);
    return target;
  }

  /**
   * Verifies runs: a bit that flipped on the disk must not get into an index with a valid checksum.
   */
  private static void verify(List<RunReader> readers, Workers workers)
      throws IOException, InterruptedException {
    List<Callable<Long>> checks = new ArrayList<>();
    for (RunReader reader : readers) {
      checks.add(
          () -> {
            reader.verify();
            return 0L;
          });
    }
    workers.runAll(checks);
  }

  /** A cursor over a range of the terms of runs in document order. */
  public static MergingCursor cursor(List<SortedRun> runs, TermRange range, int bufferBytes)
      throws IOException {
    List<MergingCursor.Input> inputs = new ArrayList<>();
    int docBase = 0;
    for (SortedRun run : runs) {
      inputs.add(
          new MergingCursor.Input(run.cursor(range.from(), range.to(), bufferBytes), docBase));
      docBase = Math.addExact(docBase, run.documentCount());
    }
    return new MergingCursor(inputs);
  }

  /** Number of documents of all runs together. */
  public static int documents(List<SortedRun> runs) {
    return Math.toIntExact(runs.stream().mapToLong(SortedRun::documentCount).sum());
  }
}
