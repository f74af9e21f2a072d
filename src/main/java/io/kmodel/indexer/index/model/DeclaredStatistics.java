package io.kmodel.indexer.index.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What another engine says of a whole collection of which an index holds the lists of some terms
 * only. Scores of the field {@value Schema#CONTENTS} use it, since the lists do not tell. It is
 * kept among the options of an index. Where a document's length in the index cannot be the other
 * engine's, because it has no posting, the column {@value #LENGTHS} has that.
 *
 * @param documents in the collection; positive
 * @param tokens sum of their lengths
 * @param terms distinct terms
 * @param averageLength of the documents; positive
 */
public record DeclaredStatistics(int documents, long tokens, int terms, double averageLength) {
  /** The column of lengths. */
  public static final String LENGTHS = "ciff-length";

  private static final String DOCUMENTS = "ciff-documents";
  private static final String TOKENS = "ciff-tokens";
  private static final String TERMS = "ciff-terms";
  private static final String AVERAGE = "ciff-average-length";

  public DeclaredStatistics {
    if (documents < 1
        || tokens < 0
        || terms < 0
        || !(averageLength > 0)
        || averageLength > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "impossible statistics: %d documents, %d tokens, %d terms, average length %s"
              .formatted(documents, tokens, terms, averageLength));
    }
  }

  /**
   * The statistics among the options of an index, or null.
   *
   * @throws IllegalArgumentException if they are impossible
   */
  public static @Nullable DeclaredStatistics of(Map<String, String> options) {
    return options.containsKey(DOCUMENTS)
        ? new DeclaredStatistics(
            Integer.parseInt(options.getOrDefault(DOCUMENTS, "")),
            Long.parseLong(options.getOrDefault(TOKENS, "")),
            Integer.parseInt(options.getOrDefault(TERMS, "")),
            Double.parseDouble(options.getOrDefault(AVERAGE, "")))
        : null;
  }

  /** Adds them to the options of an index. */
  public void addTo(Map<String, String> options) {
    options.put(DOCUMENTS, Integer.toString(documents));
    options.put(TOKENS, Long.toString(tokens));
    options.put(TERMS, Integer.toString(terms));
    options.put(AVERAGE, Double.toString(averageLength));
  }

  /** The number of tokens by which the documents have the average length. */
  public long averagedTokens() {
    return Math.max(1, Math.round(averageLength * documents));
  }
}
