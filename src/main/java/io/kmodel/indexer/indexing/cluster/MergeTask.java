package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.merge.TermRange;
import org.jspecify.annotations.Nullable;

/**
 * Merges a range of the terms of all splits.
 *
 * @param number of the range, 0-based in the order of terms
 * @param splits file of the workspace that lists the splits in order, see {@link RangeStage}
 * @param from first key, null for the beginning
 * @param to the key after the last, null for the end
 * @param workspace of the splits, in which each attempt makes a new directory
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record MergeTask(
    int number, String splits, byte @Nullable [] from, byte @Nullable [] to, String workspace) {
  TermRange range() {
    return new TermRange(from, to, 0);
  }
}
