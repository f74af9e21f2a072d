package io.kmodel.indexer.parse.metadata;

/**
 * A value that a document has, but that cannot be read as its column's type.
 *
 * @param column its name
 * @param problem why it cannot be read
 * @param value the value, shortened
 */
public record UnreadValue(String column, String problem, String value) {}
