package io.kmodel.indexer.index;

/**
 * What {@link IndexVerifier#verify} has read and found right.
 *
 * @param bytes of all files of the index
 * @param positions recorded positions
 * @param storedBlocks blocks of stored documents decompressed
 */
public record VerificationResult(
    long bytes, int documents, long terms, long postings, long positions, long storedBlocks) {}
