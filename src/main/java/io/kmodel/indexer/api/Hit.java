package io.kmodel.indexer.api;

/**
 * A document that was found.
 *
 * @param document its number in the index
 * @param id its id, or its number if ids are not stored
 * @param score how well it fits; higher is better
 * @param title empty if it has none, or titles are not stored
 * @param snippet passages with [matches] in brackets; empty if contents are not stored, or none was
 *     asked for
 */
public record Hit(int document, String id, float score, String title, String snippet) {}
