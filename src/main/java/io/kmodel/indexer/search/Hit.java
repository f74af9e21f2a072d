package io.kmodel.indexer.search;

import org.jspecify.annotations.Nullable;

/**
 * One document found by a query.
 *
 * @param docId its number in the index
 * @param id its id, or its docId in decimal if ids are not stored
 * @param title empty if it has none or titles are not stored
 * @param snippet the best passages, with [matches] in brackets; null if the contents are not stored
 *     or no snippet was requested
 */
public record Hit(int docId, String id, float score, String title, @Nullable String snippet) {}
