package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.ProgressListener;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Ranges of postings that report progress when they are opened. Thread-safe.
 *
 * @param totalBytes size of all ranges
 */
public record ReportedRanges(PostingsRanges ranges, long totalBytes, Total total)
    implements PostingsRanges {
  public ReportedRanges(PostingsRanges ranges, Total total) {
    this(ranges, IntStream.range(0, ranges.count()).mapToLong(ranges::bytes).sum(), total);
  }

  /** Sums up the opened ranges of an index's segments, all of which have the same ranges. */
  public record Total(int segments, AtomicLong opened, ProgressListener progress) {
    public Total(int segments, ProgressListener progress) {
      this(segments, new AtomicLong(), progress);
    }
  }

  @Override
  public int count() {
    return ranges.count();
  }

  @Override
  public long bytes(int range) {
    return ranges.bytes(range);
  }

  @Override
  public PostingsCursor open(int range) throws IOException {
    long opened = total.opened().addAndGet(bytes(range));
    total.progress().progress(opened, total.segments() * totalBytes);
    return ranges.open(range);
  }
}
