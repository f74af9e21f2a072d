package io.kmodel.indexer.api;

/**
 * A term of a field.
 *
 * @param text the term
 * @param documents number of documents that have it
 * @param occurrences how often it occurs in all of them; in an index of vectors, the sum of its
 *     weights
 */
public record Term(String text, int documents, long occurrences) {}
