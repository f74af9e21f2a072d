package io.kmodel.indexer.indexing.journal;

/**
 * A reading of a split. A split is read again, in another pass, where its end does not fit the next
 * split, or to leave out duplicates.
 */
public record Reading(int split, int pass) {}
