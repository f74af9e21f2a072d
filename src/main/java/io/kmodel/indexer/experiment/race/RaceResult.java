package io.kmodel.indexer.experiment.race;

import java.util.Map;

/**
 * Figures of one run of a contestant in its own process. Without an index, documents and tokens are
 * the contestant's own counts.
 *
 * @param seconds from the start of its work to the committed index, or to its end
 * @param cpuSeconds processor time of all threads of the process
 * @param documents documents in the committed index, counted by reading it
 * @param tokens sum of total term frequencies of title and contents, counted by reading the index
 * @param terms distinct terms of id, title and contents, counted the same way; -1 for several
 *     segments or without an index
 * @param postings pairs of a term and a document, counted the same way; -1 without an index
 * @param sourceBytes bytes of the documents read
 * @param indexBytes bytes of the index
 * @param segments segments of the Lucene index; 0 for this program's own index
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

  /** Whether its terms were counted. */
  boolean tellsTerms() {
    return terms >= 0;
  }

  /** Whether its postings were counted. */
  boolean tellsPostings() {
    return postings >= 0;
  }

  /** Describes what was built, without timings. */
  String content() {
    return "%s: %d documents of %d bytes, %d tokens, %s terms, %s postings, skipped %s"
        .formatted(
            contestant,
            documents,
            sourceBytes,
            tokens,
            tellsTerms() ? terms : "uncounted",
            tellsPostings() ? postings : "uncounted",
            skipped);
  }
}
