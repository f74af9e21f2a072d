package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.FileSeal;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A split that an attempt has inverted: a complete index.
 *
 * @param number of the split
 * @param name of the attempt's directory
 * @param restRead whether it was read to the end of its file, because the start of the next piece
 *     was not found; those pieces are then void
 * @param isFinal whether documents with ids of other splits are left out
 * @param metadata the file that names and seals all others
 */
record SealedSplit(
    int number,
    String name,
    int documents,
    long sourceBytes,
    boolean restRead,
    boolean isFinal,
    FileSeal metadata) {
  Path in(Path splits) {
    return splits.resolve(name);
  }

  /** Opens the index, and requires that it is the one that was sealed. */
  InvertedIndex open(Path splits) throws IOException {
    metadata.verify(in(splits));
    return InvertedIndex.open(in(splits));
  }

  /** Whether the index is complete and undamaged; reads all of it. */
  boolean isSound(Path splits) throws IOException {
    try (InvertedIndex index = open(splits)) {
      index.verifyChecksums();
      return true;
    } catch (CorruptIndexException e) {
      return false;
    }
  }
}
