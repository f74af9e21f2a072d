package io.kmodel.indexer.experiment;

import io.kmodel.indexer.parse.HtmlMode;
import java.nio.file.Path;

/**
 * What the contestants of a race are given; the same for both.
 *
 * @param corpus the crawl
 * @param work directory that they write into
 * @param analyzer name of the analyzer
 * @param threads threads to use
 * @param memoryBytes the budget of ours, and the heap of the rival's
 * @param segments segments of the Lucene index that is to come out: 1, or 0 for as many as it takes
 * @param ramBufferMegabytes the rival's IndexWriter buffer
 * @param rivalHtml how the rival reads HTML; ours reads it the fast way
 * @param rivalMerges whether the rival merges segments where nobody asks for few, as Lucene comes
 */
public record RaceOptions(
    String corpus,
    String work,
    String analyzer,
    int threads,
    long memoryBytes,
    int segments,
    int ramBufferMegabytes,
    HtmlMode rivalHtml,
    boolean rivalMerges) {
  public RaceOptions {
    if (segments < 0) {
      throw new IllegalArgumentException("segments must be 0 or more; got " + segments);
    }
    if (ramBufferMegabytes < 1 || ramBufferMegabytes > 2047) {
      throw new IllegalArgumentException(
          "the RAM buffer must be 1 to 2047 MB; got " + ramBufferMegabytes);
    }
  }

  /** The same in another directory. */
  RaceOptions workingIn(Path directory) {
    return new RaceOptions(
        corpus,
        directory.toString(),
        analyzer,
        threads,
        memoryBytes,
        segments,
        ramBufferMegabytes,
        rivalHtml,
        rivalMerges);
  }

  Path corpusPath() {
    return Path.of(corpus);
  }

  Path workPath() {
    return Path.of(work);
  }
}
