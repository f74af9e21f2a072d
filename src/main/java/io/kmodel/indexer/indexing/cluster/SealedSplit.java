package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.store.FileSeal;

/**
 * A split that an attempt has inverted: a complete index.
 *
 * @param number of the split
 * @param name of the attempt's directory
 * @param restRead whether it was read to the end of its file, because the start of the next piece
 *     was not found; those pieces are then void
 * @param metadata the file that names and seals all others
 */
record SealedSplit(
    int number,
    String name,
    int documents,
    long sourceBytes,
    boolean restRead,
    FileSeal metadata) {}
