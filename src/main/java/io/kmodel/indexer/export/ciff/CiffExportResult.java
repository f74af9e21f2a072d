package io.kmodel.indexer.export.ciff;

/**
 * What was exported.
 *
 * @param header as written
 * @param postings documents over all terms
 * @param bytes of the file
 */
public record CiffExportResult(
    CiffHeader header, long postings, long bytes, double writeSeconds, double checkSeconds) {}
