package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.export.lucene.version.LuceneVersion;

/**
 * The result of an export.
 *
 * @param terms distinct terms of all fields of the exported index as a whole
 * @param bytes size of all files
 * @param writeSeconds time until the index was committed
 * @param checkSeconds time of CheckIndex; 0 without
 * @param check the check that the index passed; an export that fails it throws an exception
 * @param version the Lucene that wrote the index
 */
public record ExportResult(
    int documents,
    long terms,
    long bytes,
    int segments,
    double writeSeconds,
    double checkSeconds,
    IndexCheck check,
    LuceneVersion version) {}
