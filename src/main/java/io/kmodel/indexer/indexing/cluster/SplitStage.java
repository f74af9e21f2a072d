package io.kmodel.indexer.indexing.cluster;

import com.google.common.io.Closer;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.merge.SharedIds;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.IdPolicy;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.source.crawl.CrawlPart;
import io.kmodel.indexer.store.CorruptIndexException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Inverts the parts of a crawl, those of an interrupted build excepted. Splits that have documents
 * with ids of earlier splits are inverted again without them, if duplicates are to be skipped.
 */
final class SplitStage {
  /** In a workspace: the ids that a split leaves out. */
  static final String DUPLICATES = "duplicates";

  private final BuildOptions options;
  private final List<CrawlPart> parts;
  private final Workspace work;
  private final ClusterJournal journal;
  private final TaskEngine engine;
  private final BuildProgress progress;

  SplitStage(
      BuildOptions options,
      List<CrawlPart> parts,
      Workspace work,
      ClusterJournal journal,
      TaskEngine engine,
      BuildProgress progress) {
    this.options = options;
    this.parts = parts;
    this.work = work;
    this.journal = journal;
    this.engine = engine;
    this.progress = progress;
  }

  /**
   * Runs the stage.
   *
   * @param warnings are told which splits are damaged
   * @return the splits in order, without those that an earlier one has read, too
   */
  List<SealedSplit> run(Consumer<String> warnings) throws IOException, InterruptedException {
    forgetDamaged(warnings);
    invert();
    if (options.duplicates() != Duplicates.KEEP) {
      leaveOutDuplicates(valid());
    }
    return valid();
  }

  private void forgetDamaged(Consumer<String> warnings) throws IOException {
    for (int i = 0; i < parts.size(); i++) {
      SealedSplit split = journal.split(i);
      if (split != null && !work.isSound(split)) {
        journal.forget(i);
        warnings.accept("%s is damaged and will be made again".formatted(split.name()));
      }
    }
  }

  private void invert() throws IOException, InterruptedException {
    List<String> tasks = new ArrayList<>();
    int last = -1;
    for (int i = 0; i < parts.size(); i++) {
      SealedSplit split = journal.split(i);
      if (split == null && i > last) {
        tasks.add(task(i, null));
      } else if (split != null) {
        count(split);
        last = split.restRead() ? i + parts.get(i).piecesAfter() : last;
      }
    }
    run(tasks);
  }

  private String task(int number, @Nullable String leftOut) {
    return Tasks.of(
        new InvertTask(number, parts.get(number), TaskOptions.of(options), work.place(), leftOut));
  }

  private void run(List<String> tasks) throws IOException, InterruptedException {
    if (tasks.isEmpty()) {
      return;
    }
    engine.run(
        "invert",
        tasks,
        result -> {
          SealedSplit split = Tasks.split(result);
          journal.add(result, split);
          progress.readElsewhere(
              split.documents(), split.sourceBytes(), parts.get(split.number()).bytes());
        });
  }

  private void count(SealedSplit split) {
    progress.restored(split.documents(), split.sourceBytes(), parts.get(split.number()).bytes());
  }

  private List<SealedSplit> valid() {
    List<SealedSplit> valid = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      SealedSplit split = journal.split(i);
      if (split == null) {
        throw new IllegalStateException("split %d has no result".formatted(i));
      }
      valid.add(split);
      i += split.restRead() ? parts.get(i).piecesAfter() : 0;
    }
    return valid;
  }

  private void leaveOutDuplicates(List<SealedSplit> splits)
      throws IOException, InterruptedException {
    List<Set<String>> ids = sharedIds(splits);
    List<String> tasks = new ArrayList<>();
    for (int i = 0; i < splits.size(); i++) {
      if (!ids.get(i).isEmpty()) {
        SealedSplit split = splits.get(i);
        String file = "%s/%06d".formatted(DUPLICATES, split.number());
        work.write(file, WithoutIds.content(ids.get(i)));
        progress.forget(split.documents(), split.sourceBytes(), parts.get(split.number()).bytes());
        tasks.add(task(split.number(), file));
      }
    }
    run(tasks);
  }

  /** For each split, the ids of its documents that earlier splits have. */
  private List<Set<String>> sharedIds(List<SealedSplit> splits) throws IOException {
    List<Set<String>> ids =
        Stream.generate(() -> (Set<String>) new LinkedHashSet<String>())
            .limit(splits.size())
            .toList();
    List<String> names = splits.stream().map(split -> parts.get(split.number()).name()).toList();
    IdPolicy policy = options.duplicates() == Duplicates.ERROR ? IdPolicy.ERROR : IdPolicy.SKIP;
    try (Closer closer = Closer.create()) {
      List<InvertedIndex> indexes = new ArrayList<>();
      for (SealedSplit split : splits) {
        Workspace.OpenSplit open = closer.register(work.open(split));
        open.need(TermRange.ofField(open.index().schema().find(Schema.ID)));
        indexes.add(open.index());
      }
      SharedIds.find(indexes, names, policy, (id, index) -> ids.get(index).add(id));
    } catch (CorruptIndexException e) {
      throw work.damaged(e);
    }
    return ids;
  }
}
