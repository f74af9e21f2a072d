package io.kmodel.indexer.merge;

import org.jspecify.annotations.Nullable;

/**
 * A range of term keys, for one thread of a merge.
 *
 * @param from the first, null for the beginning
 * @param to the one after the last, null for the end
 * @param bytes that the runs' lists in it have, about; 0 where that is not known
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody; a range is only walked
public record TermRange(byte @Nullable [] from, byte @Nullable [] to, long bytes) {
  /** All terms. */
  public static final TermRange ALL = new TermRange(null, null, 0);
}
