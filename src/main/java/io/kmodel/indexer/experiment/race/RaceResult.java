package io.kmodel.indexer.experiment.race;

import java.util.Map;

/**
 * Figures of one run of a contestant in its own process. Without an index, documents and tokens are
 * the contestant's own counts. A count that the contestant does not give is {@link #UNKNOWN}.
 *
 * @param seconds from the start of its work to the committed index, or to its end
 * @param cpuSeconds processor time of all threads of the process
 * @param documents documents in the committed index, counted by reading it
 * @param tokens sum of total term frequencies of the texts, counted by reading the index
 * @param terms distinct terms of id and the texts, counted the same way; unknown for several
 *     segments or without an index
 * @param postings pairs of a term and a document, counted the same way; unknown without an index
 * @param sourceBytes bytes of the documents read
 * @param indexBytes bytes of the index
 * @param segments segments of the Lucene index; 0 for other indexes
 * @param peakMemoryBytes largest resident set of the process
 * @param skipped number of documents skipped, by reason
 * @param stages seconds by stage, as far as known; names ending in " (threads)" are sums over
 *     threads
 */
public record RaceResult(
    String contestant,
    double seconds,
    double cpuSeconds,
    long documents,
    long tokens,
    long terms,
    long postings,
    long sourceBytes,
    long indexBytes,
    int segments,
    long peakMemoryBytes,
    Map<String, Long> skipped,
    Map<String, Double> stages) {

  /** A count that a contestant does not give. */
  static final long UNKNOWN = -1;

  /** Whether its terms were counted. */
  boolean hasTerms() {
    return terms != UNKNOWN;
  }

  /**
   * Whether both built the same, as far as both know. Contestants that do not count the bytes read
   * do not count skipped documents either.
   */
  boolean builtTheSameAs(RaceResult other) {
    boolean bothKnowSource = sourceBytes != UNKNOWN && other.sourceBytes != UNKNOWN;
    return documents == other.documents
        && same(tokens, other.tokens)
        && same(terms, other.terms)
        && same(postings, other.postings)
        && same(sourceBytes, other.sourceBytes)
        && (!bothKnowSource || skipped.equals(other.skipped));
  }

  private static boolean same(long count, long other) {
    return count == other || count == UNKNOWN || other == UNKNOWN;
  }

  /** Describes what was built, without timings. */
  String content() {
    return "%s: %d documents of %s bytes, %s tokens, %s terms, %s postings, skipped %s"
        .formatted(
            contestant,
            documents,
            shown(sourceBytes),
            shown(tokens),
            shown(terms),
            shown(postings),
            skipped);
  }

  private static String shown(long count) {
    return count == UNKNOWN ? "uncounted" : String.valueOf(count);
  }
}
