package io.kmodel.indexer.search;

import org.jspecify.annotations.Nullable;

/**
 * One document that a query has found.
 *
 * @param docId its number in the index
 * @param id what users know it by; its docId in decimal where ids are not stored
 * @param title empty where there is none or it is not stored
 * @param snippet the passages that match best, with [matches] in brackets; null where the contents
 *     are not stored or no snippet was asked for
 */
public record Hit(int docId, String id, float score, String title, @Nullable String snippet) {}
