package io.kmodel.indexer.export.ciff;

/**
 * The result of an export.
 *
 * @param header the header written
 * @param postings documents over all terms
 * @param bytes size of the file
 */
public record CiffExportResult(
    CiffHeader header, long postings, long bytes, double writeSeconds, double checkSeconds) {}
