package io.kmodel.indexer.build;

import io.kmodel.indexer.build.JournalEntry.Reading;
import io.kmodel.indexer.build.SplitIndexer.Result;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.Split;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads every split, and some again, until they fit together: where two pieces of a file missed the
 * border between them, the first is read through to the file's end in place of all after it; and
 * splits with duplicates that are to be left out are read once more without them. Both depend on
 * the collection alone, so the documents do, whichever thread reads which split.
 */
final class SplitReading {
  /** The passes over the splits. */
  private static final int FIRST = 0;

  private static final int BORDERS = 1;
  private static final int DUPLICATES = 2;

  /**
   * One split to read.
   *
   * @param pass by which it is told from other readings of the same split
   */
  record Task(Split split, BitSet leftOut, int pass) {
    Reading reading() {
      return new Reading(split.ordinal(), pass);
    }
  }

  /** Reads splits on all threads. */
  @FunctionalInterface
  interface Pass {
    /** Puts each result at its split's ordinal. */
    void read(List<Task> tasks, List<Result> results) throws IOException, InterruptedException;
  }

  private final List<Split> splits;
  private final List<Result> results;
  private final Pass pass;
  private final BuildOutput output;
  private final BuildProgress progress;

  SplitReading(List<Split> splits, Pass pass, BuildOutput output, BuildProgress progress) {
    this.output = output;
    this.splits = new ArrayList<>(splits);
    this.results = new ArrayList<>(Collections.nCopies(splits.size(), Result.nothing()));
    this.pass = pass;
    this.progress = progress;
  }

  /** Reads everything once, and what missed a border again; results in order of the splits. */
  List<Result> read() throws IOException, InterruptedException {
    List<Task> all = new ArrayList<>();
    for (Split split : splits) {
      all.add(new Task(split, new BitSet(), FIRST));
    }
    read(all);
    mendBorders();
    return results;
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
        again.add(new Task(whole, new BitSet(), BORDERS));
        i = last;
      }
    }
    read(again);
  }

  /** Finds duplicates, with a table of so many bytes, and deals with them. */
  void handle(Duplicates duplicates, long tableBytes) throws IOException, InterruptedException {
    if (duplicates == Duplicates.KEEP) {
      return;
    }
    List<@Nullable BitSet> found =
        new DuplicateFinder(tableBytes).find(results.stream().map(Result::ids).toList());
    List<Task> again = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      BitSet here = found.get(i);
      if (here != null) {
        if (duplicates == Duplicates.ERROR) {
          throw error(splits.get(i), here.nextSetBit(0), found);
        }
        forget(i);
        again.add(new Task(splits.get(i), here, DUPLICATES));
      }
    }
    read(again);
  }

  /** Reads what no earlier build has read. */
  private void read(List<Task> tasks) throws IOException, InterruptedException {
    List<Task> open = new ArrayList<>();
    for (Task task : tasks) {
      Result before = output.restore(task.reading());
      if (before == null) {
        open.add(task);
      } else {
        results.set(task.split().ordinal(), before);
        progress.restored(before.documents(), before.sourceBytes(), task.split().bytes());
      }
    }
    pass.read(open, results);
  }

  private void forget(int split) throws IOException {
    Result old = results.set(split, Result.nothing());
    output.drop(split);
    progress.forget(old.documents(), old.sourceBytes(), splits.get(split).bytes());
  }

  /** Which document it was: read again up to there. */
  private static DuplicateIdException error(Split split, int number, List<@Nullable BitSet> all)
      throws IOException, InterruptedException {
    long count = all.stream().mapToLong(b -> b == null ? 0 : b.cardinality()).sum();
    try (DocumentReader reader = split.open(SkipListener.NONE)) {
      RawDocument document = reader.next();
      for (int i = 0; i < number && document != null; i++) {
        document = reader.next();
      }
      String which = document == null ? "a document" : document.place() + ": " + document.id();
      return new DuplicateIdException(
          "%s has the id of an earlier document, and so have %,d in all; keep or skip them with --duplicates"
              .formatted(which, count));
    }
  }
}
