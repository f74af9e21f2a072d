package io.kmodel.indexer.export.ciff;

/**
 * The result of an export.
 *
 * @param header the header written
 * @param postings documents over all terms
 * @param bytes size of the file
 * @param columns columns of metadata in the index, which a file does not hold
 */
public record CiffExportResult(
    CiffHeader header,
    long postings,
    long bytes,
    int columns,
    double writeSeconds,
    double checkSeconds) {}
