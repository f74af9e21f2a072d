package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.index.SealedPart;
import java.nio.file.Path;

/**
 * A range of terms that an attempt has merged.
 *
 * @param number of the range
 * @param name of the attempt's directory
 * @param terms distinct terms
 * @param sharedIds documents with the id of an earlier one
 */
record SealedRange(int number, String name, SealedPart part, long terms, long sharedIds) {
  Path in(Path ranges) {
    return ranges.resolve(name);
  }
}
