package io.kmodel.indexer.index.verify;

/**
 * Counts of what {@link IndexVerifier#verify} read and found correct.
 *
 * @param bytes size of all files of the index
 * @param positions recorded positions
 * @param storedBlocks blocks of stored documents decompressed
 */
public record VerificationResult(
    long bytes, int documents, long terms, long postings, long positions, long storedBlocks) {}
