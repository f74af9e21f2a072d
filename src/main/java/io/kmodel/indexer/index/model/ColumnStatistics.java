package io.kmodel.indexer.index.model;

/**
 * Counts of one column over the whole index.
 *
 * @param documents documents with a value
 * @param least the least number; 0 for strings and without values
 * @param greatest the greatest number; 0 for strings and without values
 */
public record ColumnStatistics(int documents, long least, long greatest) {
  /** A column without values. */
  public static final ColumnStatistics NONE = new ColumnStatistics(0, 0, 0);

  public ColumnStatistics {
    if (documents < 0 || least > greatest || (documents == 0 && (least != 0 || greatest != 0))) {
      throw new IllegalArgumentException(
          "impossible statistics of a column: %d documents with %d to %d"
              .formatted(documents, least, greatest));
    }
  }
}
