package io.kmodel.indexer.indexing.journal;

import io.kmodel.indexer.run.MemoryRun;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A run that waits for the merge, in its file or in memory.
 *
 * @param split ordinal of its split
 * @param ordinal its position among the runs of the split
 * @param file where it is, or where it goes if it must be on the disk
 * @param documents in the run
 * @param kept the run in memory; null if it is in its file
 */
public record FinishedRun(
    int split, int ordinal, Path file, int documents, @Nullable MemoryRun kept)
    implements Comparable<FinishedRun> {
  @Override
  public int compareTo(FinishedRun other) {
    return split != other.split
        ? Integer.compare(split, other.split)
        : Integer.compare(ordinal, other.ordinal);
  }
}
