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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The files of a crawl, listed by the driver. Memory: that of {@link Crawl}, and 16 bytes per file.
 *
 * @param skips what the listing skipped
 */
record Listing(Crawl crawl, CrawlPart.Versions versions, BuildReport.Input input, SkipLog skips) {
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
    List<String> tags = new ArrayList<>();
    FileListener listener =
        new FileListener() {
          @Override
          public void file(Path root, byte[] path, long size, FileTime time) throws IOException {
            file(root, path, size, time, "");
          }

          @Override
          public void file(Path root, byte[] path, long size, FileTime time, String tag)
              throws IOException {
            files.file(root, path, size, time, tag);
            modified.add(time.to(TimeUnit.MICROSECONDS));
            tags.add(tag);
            progress.beat();
          }
        };
    try (SkipLog skips = new SkipLog(skipped, progress.listener())) {
      Crawl crawl =
          Crawl.open(
              options.roots(), hidden, options.source(), skips, listener, LeadingSplits.NONE);
      files.end();
      progress.reads(crawl.remote());
      return new Listing(
          crawl, new CrawlPart.Versions(modified.build().toArray(), tags), files.summary(), skips);
    }
  }

  /**
   * The splits; at least one, which may be empty.
   *
   * @see Crawl#parts
   */
  List<CrawlPart> parts(long bytes, boolean equal) {
    List<CrawlPart> parts = crawl.parts(bytes, equal, versions);
    return parts.isEmpty() ? List.of(CrawlPart.EMPTY) : parts;
  }
}
