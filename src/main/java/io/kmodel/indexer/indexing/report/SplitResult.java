package io.kmodel.indexer.indexing.report;

import io.kmodel.indexer.parse.html.HtmlCounts;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a reading of a split found, besides its runs and stored documents.
 *
 * @param ids hashes of the documents' ids, in a file; null if duplicates are kept
 * @param signatures of the documents' texts, in a file; null if near duplicates are not looked for
 * @param skips what was left out
 * @param html how pages were read
 * @param missedBorder whether the split does not end where the next one starts
 * @param sources formats and bytes of the documents that were indexed
 */
public record SplitResult(
    @Nullable Path ids,
    @Nullable Path signatures,
    SkipLog skips,
    HtmlCounts html,
    boolean missedBorder,
    SourceCounts sources) {
  /** The result of a split that was not read. */
  public static SplitResult nothing() {
    return new SplitResult(null, null, new SkipLog(), new HtmlCounts(), false, new SourceCounts());
  }
}
