package io.kmodel.indexer.indexing.report;

import io.kmodel.indexer.indexing.report.BuildReport.Source;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Numbers and bytes of documents by the format of their files. Not thread-safe. */
public final class SourceCounts {
  private final SortedMap<String, Source> byFormat = new TreeMap<>();

  /** Restores saved counts. */
  public static SourceCounts of(Map<String, Source> byFormat) {
    SourceCounts counts = new SourceCounts();
    counts.byFormat.putAll(byFormat);
    return counts;
  }

  /**
   * Counts a document.
   *
   * @param format of its file, see {@link io.kmodel.indexer.source.DocumentReader#format}
   * @param bytes of the document, decompressed
   */
  public void add(String format, long bytes) {
    byFormat.merge(format, new Source(1, bytes), Source::plus);
  }

  /** Adds the present counts of another object. */
  void addAll(SourceCounts other) {
    other.byFormat.forEach((format, source) -> byFormat.merge(format, source, Source::plus));
  }

  /** The sum over all formats. */
  public Source total() {
    return byFormat.values().stream().reduce(Source.NONE, Source::plus);
  }

  public SortedMap<String, Source> byFormat() {
    return Collections.unmodifiableSortedMap(byFormat);
  }
}
