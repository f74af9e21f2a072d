package io.kmodel.indexer.index.model;

/**
 * Metadata of documents: at most one value for each.
 *
 * @param name as in filters; letters, digits, {@code -} and {@code _}
 * @param type what the values are
 */
public record Column(String name, ColumnType type) {
  /** The longest string in bytes of UTF-8; a longer one is no value. */
  public static final int MAX_STRING_BYTES = 4096;

  public Column {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a column must have a name");
    }
  }
}
