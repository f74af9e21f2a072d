package io.kmodel.indexer.export.lucene;

/**
 * What an export has written.
 *
 * @param terms distinct terms of all fields of the exported index as a whole
 * @param bytes of all files
 * @param writeSeconds until the index was committed
 * @param checkSeconds CheckIndex; 0 without
 * @param check what was checked and found right; an export that is not right fails
 */
public record ExportResult(
    int documents,
    long terms,
    long bytes,
    int segments,
    double writeSeconds,
    double checkSeconds,
    IndexCheck check) {}
