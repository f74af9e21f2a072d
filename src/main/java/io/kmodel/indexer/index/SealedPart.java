package io.kmodel.indexer.index;

import io.kmodel.indexer.store.FileSeal;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A range of an index's terms in separate, complete files, which another process may append to the
 * index. Made by {@link PostingsPart#seal}.
 *
 * @param maxDoc the largest document, -1 without any
 */
public record SealedPart(int maxDoc, FileSeal docs, FileSeal positions, FileSeal terms) {
  /** Bytes of the files together. */
  public long bytes() {
    return docs.bytes() + positions.bytes() + terms.bytes();
  }

  /**
   * Reads the files and compares them with their checksums.
   *
   * @throws io.kmodel.indexer.store.CorruptIndexException if one differs or does not exist
   */
  public void verify(Path directory) throws IOException {
    docs.verify(directory);
    positions.verify(directory);
    terms.verify(directory);
  }
}
