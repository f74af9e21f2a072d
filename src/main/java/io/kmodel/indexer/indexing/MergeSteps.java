package io.kmodel.indexer.indexing;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.indexing.merge.MergeInput;
import java.util.List;
import java.util.Objects;

/** The progress of a merge of indexes, by the bytes of their lists and of their documents. */
final class MergeSteps {
  private final ProgressListener progress;
  private final long lists;
  private final long all;
  private long copied;

  MergeSteps(ProgressListener progress, List<MergeInput> inputs) {
    this.progress = progress;
    this.all = inputs.stream().mapToLong(input -> input.index().metadata().bytes()).sum();
    this.lists = all - inputs.stream().mapToLong(MergeSteps::documents).sum();
  }

  private static long documents(MergeInput input) {
    InvertedIndex index = input.index();
    return IndexFiles.hasStoredFields(index.schema())
        ? Objects.requireNonNull(index.metadata().files().get(IndexFiles.DOCUMENTS)).bytes()
        : 0;
  }

  /** Gets the progress of the lists, in any unit. */
  ProgressListener lists() {
    return (done, total) -> progress.progress((long) ((double) lists * done / total), all);
  }

  /** The documents of an index were copied, too. */
  void copied(MergeInput input) {
    copied += documents(input);
    progress.progress(lists + copied, all);
  }
}
