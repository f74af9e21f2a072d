package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.indexing.journal.Reading;
import io.kmodel.indexer.indexing.options.DuplicateIdException;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.SplitResult;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.Split;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads all splits, and some again until they fit together. If two pieces of a file missed the
 * border between them, the first is read to the end of the file instead of all pieces after it.
 * Splits with duplicates that are to be left out are read again without them. Both decisions depend
 * on the collection, and on the memory if documents are too large for it; so the documents do not
 * depend on which thread reads which split.
 */
public final class SplitReading {
  /** The passes over the splits. */
  private static final int FIRST = 0;

  private static final int BORDERS = 1;
  private static final int DUPLICATES = 2;
  private static final int ALONE = 3;

  /**
   * A split to read.
   *
   * @param leftOut numbers of the documents to leave out
   * @param pass distinguishes readings of the same split
   * @param similar those of them whose text is nearly that of an earlier document
   * @param before {@link IdHashes} of the reading that found the duplicates; this reading must have
   *     the same
   */
  record Task(Split split, BitSet leftOut, BitSet similar, int pass, @Nullable Path before) {
    /** Reads all documents of the split. */
    Task(Split split, int pass) {
      this(split, new BitSet(), new BitSet(), pass, null);
    }

    Reading reading() {
      return new Reading(split.ordinal(), pass);
    }

    /** Whether another reading follows if this one misses a border. */
    boolean isMended() {
      return pass != ALONE;
    }
  }

  /** Reads splits on all threads. */
  @FunctionalInterface
  interface Pass {
    /** Passes on the result of each task, in the thread that did it. */
    void read(TaskQueue tasks, BiConsumer<Task, SplitResult> results)
        throws IOException, InterruptedException;
  }

  /** Knows the readings that an interrupted build has done. */
  @FunctionalInterface
  public interface Saved {
    /** Takes over the runs of a reading, and returns its result; null if it must be done. */
    @Nullable SplitResult restore(Reading reading);
  }

  private final List<Split> splits = new ArrayList<>();

  /** Results by the ordinal of the split; grows while splits are read, guarded by its monitor. */
  private final List<SplitResult> results = new ArrayList<>();

  private final Pass pass;
  private final BuildOutput output;
  private final Saved saved;
  private final BuildProgress progress;
  private final Supplier<HeapGuard> heap;

  /**
   * Reads a crawl.
   *
   * @param heap limits for reading splits, the same in each pass
   */
  SplitReading(
      Pass pass,
      BuildOutput output,
      Saved saved,
      BuildProgress progress,
      Supplier<HeapGuard> heap) {
    this.output = output;
    this.saved = saved;
    this.pass = pass;
    this.progress = progress;
    this.heap = heap;
  }

  /**
   * Reads all splits once, and those that missed a border again. Returns the results in order of
   * the splits. Waits for splits that are not known yet when there is nothing else to read.
   */
  List<SplitResult> read(Splits source) throws IOException, InterruptedException {
    read(new TaskQueue(List.of(), () -> next(source)));
    mendBorders();
    return results;
  }

  private @Nullable List<Task> next(Splits source) throws IOException, InterruptedException {
    List<Split> next = source.next();
    return next.isEmpty() ? null : open(tasks(next));
  }

  private List<Task> tasks(List<Split> more) {
    synchronized (results) {
      splits.addAll(more);
      results.addAll(Collections.nCopies(more.size(), SplitResult.nothing()));
    }
    return more.stream().map(split -> new Task(split, FIRST)).toList();
  }

  private void mendBorders() throws IOException, InterruptedException {
    List<Task> again = new ArrayList<>();
    for (int i = 0; i < splits.size(); i++) {
      if (results.get(i).missedBorder()) {
        int last = i + splits.get(i).piecesAfter();
        Split whole = splits.get(i).withRest();
        for (int piece = i; piece <= last; piece++) {
          forget(piece);
        }
        splits.set(i, whole);
        again.add(new Task(whole, BORDERS));
        i = last;
      }
    }
    read(again);
  }

  /** Finds documents to leave out because of their texts. */
  @FunctionalInterface
  interface Similar {
    /**
     * Finds them.
     *
     * @param signatures files of the splits, in order; null for a split without documents
     * @param leftOut documents of each split that are left out in any case
     * @return the documents of each split; null for none
     */
    List<@Nullable BitSet> find(
        List<? extends @Nullable Path> signatures, List<@Nullable BitSet> leftOut)
        throws IOException, InterruptedException;
  }

  /**
   * Finds documents with ids of earlier ones, with a table of the given size, and treats them as
   * the option says; then documents that are similar to earlier ones. Reads the splits again that
   * have documents to leave out.
   */
  void handle(Duplicates duplicates, long tableBytes, Similar similar)
      throws IOException, InterruptedException {
    List<@Nullable BitSet> sameId = sameId(duplicates, tableBytes);
    List<@Nullable BitSet> sameText =
        similar.find(results.stream().map(SplitResult::signatures).toList(), sameId);
    List<Task> again = new ArrayList<>();
    for (int i = 0; i < splits.size(); i++) {
      BitSet ids = sameId.get(i);
      BitSet texts = sameText.get(i);
      if (ids != null || texts != null) {
        again.add(without(i, ids, texts));
        forget(i);
      }
    }
    read(again);
    readAlone(again);
  }

  private List<@Nullable BitSet> sameId(Duplicates duplicates, long tableBytes)
      throws IOException, InterruptedException {
    if (duplicates == Duplicates.KEEP) {
      return new ArrayList<>(Collections.nCopies(splits.size(), null));
    }
    List<@Nullable BitSet> found =
        new DuplicateFinder(tableBytes).find(results.stream().map(SplitResult::ids).toList());
    for (int i = 0; i < found.size(); i++) {
      BitSet here = found.get(i);
      if (here != null && duplicates == Duplicates.ERROR) {
        throw error(without(i, here, null), found);
      }
    }
    return found;
  }

  private Task without(int split, @Nullable BitSet ids, @Nullable BitSet texts) {
    BitSet all = new BitSet();
    BitSet similar = new BitSet();
    if (ids != null) {
      all.or(ids);
    }
    if (texts != null) {
      all.or(texts);
      similar.or(texts);
    }
    return new Task(splits.get(split), all, similar, DUPLICATES, results.get(split).ids());
  }

  /**
   * Reads again the splits that miss a border only now, because decompression for several threads
   * found less memory. Each is decompressed from the start of its file: if one piece of a file
   * finds no memory, those after it find none either.
   */
  private void readAlone(List<Task> tasks) throws IOException, InterruptedException {
    List<Task> alone = new ArrayList<>();
    for (Task task : tasks) {
      int split = task.split().ordinal();
      if (results.get(split).missedBorder()) {
        forget(split);
        alone.add(
            new Task(task.split().alone(), task.leftOut(), task.similar(), ALONE, task.before()));
      }
    }
    read(alone);
  }

  private void read(List<Task> tasks) throws IOException, InterruptedException {
    read(new TaskQueue(open(tasks)));
  }

  private void read(TaskQueue queue) throws IOException, InterruptedException {
    try (TaskQueue tasks = queue) {
      pass.read(tasks, (task, result) -> put(task.split().ordinal(), result));
    }
  }

  /** The tasks that an interrupted build has not done. */
  private List<Task> open(List<Task> tasks) throws IOException {
    List<Task> open = new ArrayList<>();
    for (Task task : tasks) {
      SplitResult before = saved.restore(task.reading());
      if (before == null) {
        open.add(task);
      } else {
        put(task.split().ordinal(), before);
        BuildReport.Source sources = before.sources().total();
        progress.restored(sources.documents(), sources.bytes(), task.split().bytes());
      }
    }
    return open;
  }

  private SplitResult put(int split, SplitResult result) {
    synchronized (results) {
      return results.set(split, result);
    }
  }

  private void forget(int split) throws IOException {
    SplitResult old = put(split, SplitResult.nothing());
    output.drop(split);
    BuildReport.Source sources = old.sources().total();
    progress.forget(sources.documents(), sources.bytes(), splits.get(split).bytes());
  }

  /** Names the first duplicate, which is read again for that. */
  private DuplicateIdException error(Task task, List<@Nullable BitSet> all)
      throws IOException, InterruptedException {
    long count = all.stream().mapToLong(b -> b == null ? 0 : b.cardinality()).sum();
    return new DuplicateIdException(
        "%s has the id of an earlier document, and so have %,d in all; keep or skip them with --duplicates"
            .formatted(firstLeftOut(task), count));
  }

  private String firstLeftOut(Task task) throws IOException, InterruptedException {
    int number = task.leftOut().nextSetBit(0);
    try (DocumentReader reader = task.split().open(SkipListener.NONE, heap.get())) {
      RawDocument document = reader.next();
      for (int i = number; i > 0 && document != null; i--) {
        document = reader.next();
      }
      // A resumed build may have other memory, and so other documents.
      Path ids = task.before();
      if (document == null || ids == null || !IdHashes.has(ids, number, document.id())) {
        return "a document";
      }
      return document.place() + ": " + document.id();
    }
  }
}
