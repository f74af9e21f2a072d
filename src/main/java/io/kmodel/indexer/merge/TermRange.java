package io.kmodel.indexer.merge;

import org.jspecify.annotations.Nullable;

/**
 * A range of term keys, for one thread of a merge.
 *
 * @param from the first, null for the beginning
 * @param to the one after the last, null for the end
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody; a range is only walked
public record TermRange(byte @Nullable [] from, byte @Nullable [] to) {}
