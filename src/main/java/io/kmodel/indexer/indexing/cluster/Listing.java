package io.kmodel.indexer.indexing.cluster;

import com.google.common.primitives.ImmutableLongArray;
import io.kmodel.indexer.indexing.journal.InputList;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.source.FileListener;
import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.source.crawl.CrawlPart;
import io.kmodel.indexer.source.crawl.LeadingSplits;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The files of a crawl, listed by the driver. Memory: that of {@link Crawl}, and 8 bytes per file.
 *
 * @param modified when each file was modified, in microseconds since 1970
 * @param skips what the listing skipped
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Listing(Crawl crawl, long[] modified, BuildReport.Input input, SkipLog skips) {
  /**
   * Lists the crawl.
   *
   * @param hidden paths that are no part of it
   * @param skipped gets a line for everything that is skipped
   * @param files writes or compares the list
   */
  static Listing of(
      BuildOptions options,
      List<Path> hidden,
      Path skipped,
      InputList files,
      BuildProgress progress)
      throws IOException {
    ImmutableLongArray.Builder modified = ImmutableLongArray.builder();
    FileListener listener =
        (root, path, size, time) -> {
          files.file(root, path, size, time);
          modified.add(micros(time));
          progress.beat();
        };
    try (SkipLog skips = new SkipLog(skipped, progress.listener())) {
      Crawl crawl =
          Crawl.open(
              options.roots(), hidden, options.source(), skips, listener, LeadingSplits.NONE);
      files.end();
      return new Listing(crawl, modified.build().toArray(), files.summary(), skips);
    }
  }

  private static long micros(FileTime time) {
    return time.to(TimeUnit.MICROSECONDS);
  }

  /** Parts of about so many bytes; at least one, which may be empty. */
  List<CrawlPart> parts(long bytes) {
    List<CrawlPart> parts = crawl.parts(bytes, modified);
    return parts.isEmpty() ? List.of(CrawlPart.EMPTY) : parts;
  }
}
