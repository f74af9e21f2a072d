package io.kmodel.indexer.indexing.cluster;

import com.google.common.io.Closer;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.PostingsPart;
import io.kmodel.indexer.index.SealedPart;
import io.kmodel.indexer.index.documents.KeptDocuments;
import io.kmodel.indexer.indexing.journal.CrashPoint;
import io.kmodel.indexer.indexing.merge.IndexLists;
import io.kmodel.indexer.indexing.merge.MergeInput;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Merges a range of terms. Document numbers continue from split to split. Memory on the heap: a
 * cursor of some 300 KiB for each split. Open files: those of all splits.
 */
final class Merging {
  private Merging() {}

  /** Runs the task. */
  static SealedRange run(MergeTask task) throws IOException {
    // Not with its parents: they are missing if the build has ended.
    Path directory =
        Files.createDirectory(
            Path.of(task.directory())
                .resolve("%06d-%s".formatted(task.number(), UUID.randomUUID())));
    boolean isSealed = false;
    try (Closer closer = Closer.create()) {
      List<MergeInput> inputs = new ArrayList<>();
      for (SealedSplit split : task.splits()) {
        InvertedIndex index = split.open(Path.of(task.splitDirectory()));
        closer.register(index::close);
        inputs.add(new MergeInput(index, KeptDocuments.all(index.documentCount())));
      }
      IndexLists lists = new IndexLists(inputs, (done, total) -> {});
      try (PostingsPart part =
          lists.merged(
              task.range(), PostingsPart.alone(directory, inputs.getFirst().index().schema()))) {
        SealedPart sealed = part.seal();
        isSealed = true;
        CrashPoint.PART_SEALED.reached();
        return new SealedRange(
            task.number(),
            directory.getFileName().toString(),
            sealed,
            lists.terms(),
            lists.sharedIds());
      }
    } finally {
      if (!isSealed) {
        Directories.deleteTree(directory);
      }
    }
  }
}
