package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.index.SealedPart;

/**
 * A range of terms that an attempt has merged.
 *
 * @param number of the range
 * @param name of the attempt's directory
 * @param terms distinct terms
 * @param sharedIds documents with the id of an earlier one
 */
record SealedRange(int number, String name, SealedPart part, long terms, long sharedIds) {}
