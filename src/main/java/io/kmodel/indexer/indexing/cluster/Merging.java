package io.kmodel.indexer.indexing.cluster;

import com.google.common.io.Closer;
import io.kmodel.indexer.index.PostingsPart;
import io.kmodel.indexer.index.SealedPart;
import io.kmodel.indexer.index.documents.KeptDocuments;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.journal.CrashPoint;
import io.kmodel.indexer.indexing.merge.IndexLists;
import io.kmodel.indexer.indexing.merge.MergeInput;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.FreeFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Merges a range of terms. Document numbers continue from split to split. Memory on the heap: a
 * cursor of some 300 KiB for each split. Open files: those of all splits.
 */
final class Merging {
  /** Heap for a cursor over a split. */
  private static final int CURSOR_BYTES = 300 << 10;

  /** Open files of a split without columns. */
  private static final int FILES = 8;

  private Merging() {}

  private static SealedSplit[] splits(MergeTask task, Workspace work) throws IOException {
    byte[] list = work.read(task.splits());
    if (list == null) {
      throw new NoSuchFileException(work.place() + "/" + task.splits());
    }
    return Json.MAPPER.readValue(list, SealedSplit[].class);
  }

  /**
   * Requires memory and files for all tasks of this process.
   *
   * @throws BuildException if there is not enough
   */
  private static void requireRoom(int splits, int slots) {
    long heap = (long) CURSOR_BYTES * splits * slots;
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
  static SealedRange run(MergeTask task, int slots, Path scratch) throws IOException {
    Workspace work = Workspace.of(task.workspace(), scratch);
    String name = Workspace.attempt(task.number());
    // Not with its parents: they are missing if the build has ended.
    Path directory = Files.createDirectory(work.begin(Workspace.RANGES, name));
    boolean isSealed = false;
    try (Closer closer = Closer.create()) {
      SealedSplit[] splits = splits(task, work);
      requireRoom(splits.length, slots);
      List<MergeInput> inputs = new ArrayList<>();
      for (SealedSplit split : splits) {
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
