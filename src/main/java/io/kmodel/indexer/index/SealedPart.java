package io.kmodel.indexer.index;

import io.kmodel.indexer.store.FileSeal;

/**
 * A range of an index's terms in separate, complete files, which another process may append to the
 * index. Made by {@link PostingsPart#seal}.
 *
 * @param maxDoc the largest document, -1 without any
 */
public record SealedPart(int maxDoc, FileSeal docs, FileSeal positions, FileSeal terms) {}
