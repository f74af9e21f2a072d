package io.kmodel.indexer.index.verify;

import com.google.common.collect.ImmutableList;

/**
 * Counts of what {@link IndexVerifier#verify} read and found correct.
 *
 * @param files the names of all files of the index
 * @param bytes size of all files of the index
 * @param positions recorded positions
 * @param storedBlocks blocks of stored documents decompressed
 */
public record VerificationResult(
    ImmutableList<String> files,
    long bytes,
    int documents,
    long terms,
    long postings,
    long positions,
    long storedBlocks) {}
