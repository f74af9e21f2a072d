package io.kmodel.indexer.indexing.cluster;

import com.google.common.io.Closer;
import io.kmodel.indexer.index.PostingsPart;
import io.kmodel.indexer.index.documents.KeptDocuments;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.journal.CrashPoint;
import io.kmodel.indexer.indexing.merge.IndexLists;
import io.kmodel.indexer.indexing.merge.MergeInput;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.store.disk.FreeFiles;
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
  /** Open files of a split without columns. */
  private static final int FILES = 8;

  private Merging() {}

  /**
   * Requires memory and files for all tasks of this process.
   *
   * @throws BuildException if there is not enough
   */
  private static void requireRoom(int splits, int slots) {
    long heap = (long) IndexLists.CURSOR_BYTES * splits * slots;
    if (heap > Runtime.getRuntime().maxMemory() / 2) {
      throw new BuildException(
          "%d splits take %d MiB of the heap of an executor with %d tasks at a time, which has %d MiB: give it more memory, or start over with a larger --split-size"
              .formatted(splits, heap >> 20, slots, Runtime.getRuntime().maxMemory() >> 20));
    }
    if (FreeFiles.count() < FILES * splits) {
      throw new BuildException(
          "%d splits have more files than may be open in an executor: raise ulimit -n, or start over with a larger --split-size"
              .formatted(splits));
    }
  }

  /**
   * Runs the task.
   *
   * @param slots how many tasks share the memory and the open files of this process
   * @param scratch a directory on this machine's own disk
   */
  static SealedRange run(MergeTask task, int slots, Path scratch)
      throws IOException, InterruptedException {
    Workspace work = Workspace.of(task.workspace(), scratch);
    SealedRange range =
        work.attempt(
            Workspace.RANGES,
            task.number(),
            (directory, name) -> merge(task, work, slots, Files.createDirectory(directory), name));
    CrashPoint.PART_SEALED.reached();
    return range;
  }

  private static SealedRange merge(
      MergeTask task, Workspace work, int slots, Path directory, String name) throws IOException {
    SealedSplit[] splits = Json.MAPPER.readValue(work.content(task.splits()), SealedSplit[].class);
    requireRoom(splits.length, slots);
    try (Closer closer = Closer.create()) {
      List<MergeInput> inputs = new ArrayList<>();
      for (SealedSplit split : splits) {
        Workspace.OpenSplit open = closer.register(work.open(split));
        open.need(task.range());
        inputs.add(new MergeInput(open.index(), KeptDocuments.all(open.index().documentCount())));
      }
      IndexLists lists = new IndexLists(inputs, (done, total) -> {});
      Schema schema = inputs.getFirst().index().schema();
      try (PostingsPart part = lists.merged(task.range(), PostingsPart.alone(directory, schema))) {
        return new SealedRange(task.number(), name, part.seal(), lists.terms(), lists.sharedIds());
      }
    }
  }
}
