package io.kmodel.indexer.experiment.race;

import io.kmodel.indexer.parse.html.HtmlMode;
import java.nio.file.Path;

/**
 * Options of a race, the same for all contestants.
 *
 * @param corpus the crawl
 * @param work directory that they write into
 * @param analyzer name of the analyzer
 * @param threads threads to use
 * @param memoryBytes memory budget of this program, and heap size of the rival
 * @param segments segments of the resulting Lucene index: 1, or 0 for any number
 * @param ramBufferMegabytes the rival's IndexWriter buffer
 * @param rivalHtml how the rival parses HTML; this program uses the fast mode
 * @param rivalMerges whether the rival merges segments by Lucene's defaults if {@code segments} is
 *     0
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

  /** The same options with another work directory. */
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
