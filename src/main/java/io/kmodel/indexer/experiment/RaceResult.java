package io.kmodel.indexer.experiment;

import java.util.Map;

/**
 * What one contestant did in one run, in a process of its own. Of one that has made no index,
 * documents and tokens are what it has counted itself.
 *
 * @param seconds from the start of its work to the committed index, or to its end
 * @param cpuSeconds processor time of all threads of the process
 * @param documents documents in the committed index, counted by reading it
 * @param tokens sum of total term frequencies of title and contents, counted likewise
 * @param terms distinct terms of id, title and contents, likewise; -1 for several segments, or
 *     without an index
 * @param postings pairs of a term and a document, likewise; -1 without an index
 * @param sourceBytes bytes of the documents read
 * @param indexBytes bytes of the index
 * @param segments of the Lucene index; 0 for one of ours
 * @param peakMemoryBytes largest resident set of the process
 * @param skipped documents left out, by reason
 * @param stages seconds by stage, as far as the contestant knows them; names ending in " (threads)"
 *     are sums over threads
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

  /** What was built, without how fast. */
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
