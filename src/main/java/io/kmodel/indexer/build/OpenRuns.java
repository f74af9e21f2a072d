package io.kmodel.indexer.build;

import com.google.common.collect.Lists;
import io.kmodel.indexer.build.JournalEntry.RunsMerged;
import io.kmodel.indexer.index.PostingsCopier;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.merge.MergingCursor;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.run.RunReader;
import io.kmodel.indexer.run.RunWriter;
import io.kmodel.indexer.store.FileSeal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * The runs of a build, open for the last merge: few enough for the memory and the open files that
 * it may use. Where there are more, neighbours are merged into larger runs first, pass by pass.
 */
final class OpenRuns implements AutoCloseable {
  /**
   * What a merge may use.
   *
   * @param threads merges side by side
   * @param memoryBytes buffers of all cursors together
   * @param maxOpen open runs
   */
  record Limits(int threads, long memoryBytes, int maxOpen) {
    static Limits of(int threads, long memoryBytes) {
      return new Limits(threads, memoryBytes, OpenFiles.runs(OpenFiles.free(), MAX_OPEN));
    }

    /** How many runs may be merged at a time. */
    int fanIn() {
      long buffers = memoryBytes / ((long) threads * MIN_BUFFER_BYTES);
      return (int) Math.max(2, Math.min(buffers, maxOpen));
    }

    /** What each cursor over one of {@code runs} runs may buffer. */
    int bufferBytes(int runs) {
      long share = memoryBytes / ((long) threads * Math.max(1, runs));
      return (int) Math.max(MIN_BUFFER_BYTES, Math.min(share, MAX_BUFFER_BYTES));
    }
  }

  /** Open files that a merge may need; well below the usual limit of 1,024 per process. */
  private static final int MAX_OPEN = 512;

  /** With smaller buffers, seeks between the runs would cost more than a further pass. */
  private static final int MIN_BUFFER_BYTES = 16 << 10;

  /** What a thread's direct buffer, through which channels read into the heap, is kept for. */
  private static final int MAX_BUFFER_BYTES = 1 << 18;

  /** What an earlier build has left, and where this one notes what it leaves and does. */
  record Survival(SealedWork sealed, BuildJournal journal, BuildProgress progress) {}

  private record Pass(int number, BuildJournal journal, BuildProgress progress) {}

  private final List<RunReader> readers;
  private final int bufferBytes;

  private OpenRuns(List<RunReader> readers, int bufferBytes) {
    this.readers = readers;
    this.bufferBytes = bufferBytes;
  }

  /**
   * Opens runs, merging them down to what may be open at once.
   *
   * @param files the runs in document order; those merged into larger ones are deleted
   * @param limits what the merge may use
   */
  static OpenRuns open(List<Path> files, Schema schema, Workers workers, Limits limits)
      throws IOException, InterruptedException {
    return open(
        files,
        schema,
        workers,
        limits,
        new Survival(SealedWork.none(), BuildJournal.none(), new BuildProgress()));
  }

  /** The same, where an earlier build may have merged some already. */
  static OpenRuns open(
      List<Path> files, Schema schema, Workers workers, Limits limits, Survival survival)
      throws IOException, InterruptedException {
    List<Path> runs = survival.sealed().present(files);
    for (int pass = survival.sealed().passes(); runs.size() > limits.fanIn(); pass++) {
      runs =
          mergePass(
              runs,
              schema,
              workers,
              limits,
              new Pass(pass, survival.journal(), survival.progress()));
    }
    List<RunReader> readers = new ArrayList<>();
    try {
      for (Path run : runs) {
        readers.add(RunReader.open(run));
      }
      verify(readers, workers);
    } catch (IOException | InterruptedException | RuntimeException e) {
      closeAll(readers);
      throw e;
    }
    return new OpenRuns(List.copyOf(readers), limits.bufferBytes(runs.size()));
  }

  List<RunReader> readers() {
    return readers;
  }

  /** Buffer of each cursor over a run. */
  int bufferBytes() {
    return bufferBytes;
  }

  @Override
  public void close() throws IOException {
    closeAll(readers);
  }

  /** Merges groups of neighbours, some at a time. */
  private static List<Path> mergePass(
      List<Path> runs, Schema schema, Workers workers, Limits limits, Pass pass)
      throws IOException, InterruptedException {
    int group = Math.max(2, limits.fanIn() / limits.threads());
    List<Callable<Path>> merges = new ArrayList<>();
    for (List<Path> neighbours : Lists.partition(runs, group)) {
      Path merged =
          neighbours
              .getFirst()
              .resolveSibling("pass-%02d-%06d.postings".formatted(pass.number, merges.size()));
      merges.add(() -> mergeGroup(neighbours, merged, schema, limits, pass));
    }
    return workers.runAll(merges);
  }

  private static Path mergeGroup(
      List<Path> runs, Path target, Schema schema, Limits limits, Pass pass) throws IOException {
    List<RunReader> readers = new ArrayList<>();
    try (RunWriter writer = RunWriter.create(target, schema)) {
      for (Path run : runs) {
        RunReader reader = RunReader.open(run);
        readers.add(reader);
        reader.verify();
      }
      TermRange all = new TermRange(null, null);
      try (MergingCursor merged = cursor(readers, all, limits.bufferBytes(runs.size()))) {
        new PostingsCopier().copy(merged, new BeatingConsumer(writer, pass.progress));
      }
      Lengths.copy(readers, schema, writer::lengths);
      writer.commit(documents(readers));
    } finally {
      closeAll(readers);
    }
    Step.RUNS_MERGED.reached();
    List<String> names = runs.stream().map(run -> String.valueOf(run.getFileName())).toList();
    pass.journal.add(
        () -> new RunsMerged(pass.number, FileSeal.force(target, true), names),
        () -> {
          for (Path run : runs) {
            Files.deleteIfExists(run);
          }
        });
    // At once: the disk need not have room for both.
    pass.journal.sealNow();
    return target;
  }

  /** A bit that flipped on the disk must not become a posting under a right checksum. */
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

  /** One stream over a range of the terms of runs in document order. */
  static MergingCursor cursor(List<RunReader> runs, TermRange range, int bufferBytes)
      throws IOException {
    List<MergingCursor.Input> inputs = new ArrayList<>();
    int docBase = 0;
    for (RunReader run : runs) {
      inputs.add(
          new MergingCursor.Input(run.cursor(range.from(), range.to(), bufferBytes), docBase));
      docBase = Math.addExact(docBase, run.documentCount());
    }
    return new MergingCursor(inputs);
  }

  private static int documents(List<RunReader> runs) {
    return Math.toIntExact(runs.stream().mapToLong(RunReader::documentCount).sum());
  }

  private static void closeAll(List<RunReader> readers) throws IOException {
    for (RunReader reader : readers) {
      reader.close();
    }
  }
}
