package io.kmodel.indexer.indexing.cluster;

import com.google.common.io.Closer;
import io.kmodel.indexer.index.PostingsPart;
import io.kmodel.indexer.index.SealedPart;
import io.kmodel.indexer.index.documents.KeptDocuments;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.journal.CrashPoint;
import io.kmodel.indexer.indexing.merge.IndexLists;
import io.kmodel.indexer.indexing.merge.MergeInput;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Merges a range of terms. Document numbers continue from split to split. Memory on the heap: a
 * cursor of some 300 KiB for each split. Open files: those of all splits.
 */
final class Merging {
  private Merging() {}

  /**
   * Runs the task.
   *
   * @param scratch a directory on this machine's own disk
   */
  static SealedRange run(MergeTask task, Path scratch) throws IOException {
    Workspace work = Workspace.of(task.workspace(), scratch);
    String name = Workspace.attempt(task.number());
    // Not with its parents: they are missing if the build has ended.
    Path directory = Files.createDirectory(work.begin(Workspace.RANGES, name));
    boolean isSealed = false;
    try (Closer closer = Closer.create()) {
      List<MergeInput> inputs = new ArrayList<>();
      for (SealedSplit split : task.splits()) {
        Workspace.OpenSplit open = closer.register(work.open(split));
        open.need(task.range());
        inputs.add(new MergeInput(open.index(), KeptDocuments.all(open.index().documentCount())));
      }
      IndexLists lists = new IndexLists(inputs, (done, total) -> {});
      Schema schema = inputs.getFirst().index().schema();
      try (PostingsPart part = lists.merged(task.range(), PostingsPart.alone(directory, schema))) {
        SealedPart sealed = part.seal();
        isSealed = true;
        work.keep(directory, Workspace.RANGES, name);
        CrashPoint.PART_SEALED.reached();
        return new SealedRange(task.number(), name, sealed, lists.terms(), lists.sharedIds());
      }
    } finally {
      if (!isSealed) {
        Directories.deleteTree(directory);
      }
    }
  }
}
