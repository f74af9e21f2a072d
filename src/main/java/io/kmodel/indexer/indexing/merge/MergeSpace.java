package io.kmodel.indexer.indexing.merge;

import io.kmodel.indexer.index.WriterCheckpoint;
import io.kmodel.indexer.indexing.documents.RunFiles;
import io.kmodel.indexer.run.SortedRun;
import io.kmodel.indexer.store.disk.DiskSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The disk space of a merge: postings and terms of the index, which take at most about the bytes of
 * the runs, and the stored documents and columns once more. The runs stay until the index is
 * complete. Passes need no more: each group of runs is deleted after it was merged, before the
 * index grows. Runs in memory may be written during the merge, so they count twice.
 */
public final class MergeSpace {
  private MergeSpace() {}

  /**
   * Refuses a merge that does not fit on the disk.
   *
   * @param work directory of the merge, for messages
   * @param space whether that is checked
   * @param storedGrowth size of stored documents in the index, as a multiple of their present size
   */
  public static void require(Path work, RunFiles files, DiskSpace space, int storedGrowth)
      throws IOException {
    OpenRuns.Input input = OpenRuns.Input.of(files);
    long runs = 0;
    for (Path file : input.files()) {
      SortedRun kept = input.kept().get(file);
      runs += kept == null ? Files.size(file) : 2 * kept.listBytes();
    }
    long stored = 0;
    for (Path documents : files.documents()) {
      stored += Files.size(documents);
    }
    long columns = 0;
    for (Path values : files.columns()) {
      columns += Files.size(values);
    }
    space.require(
        work,
        Math.max(0, runs + storedGrowth * (stored + columns) - alreadyThere(input.saved().index())),
        "the merge (of runs of %,d bytes, with stored documents of %,d)"
            .formatted(runs, stored + columns));
  }

  private static long alreadyThere(@Nullable WriterCheckpoint index) {
    return index == null ? 0 : index.docs().bytes() + index.positions().bytes();
  }
}
