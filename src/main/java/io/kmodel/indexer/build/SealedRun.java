package io.kmodel.indexer.build;

import java.nio.file.Path;

/**
 * A run on disk.
 *
 * @param split ordinal of the split it came from
 * @param ordinal its place among the split's runs
 */
record SealedRun(int split, int ordinal, Path file, int documents)
    implements Comparable<SealedRun> {
  @Override
  public int compareTo(SealedRun other) {
    return split != other.split
        ? Integer.compare(split, other.split)
        : Integer.compare(ordinal, other.ordinal);
  }
}
