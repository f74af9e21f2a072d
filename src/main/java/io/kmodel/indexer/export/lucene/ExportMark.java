package io.kmodel.indexer.export.lucene;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.index.InvertedIndex;
import java.util.Map;
import java.util.TreeMap;

/**
 * The user data of an exported commit: the digest of the index that it was made of, and the options
 * that shape it. They tell later whether an export is the one that would be made.
 */
final class ExportMark {
  private static final String INDEX = "indexer.index";
  private static final String SEGMENTS = "indexer.segments";
  private static final String CODEC = "indexer.codec";
  private static final String LUCENE = "indexer.lucene";
  private static final String VECTORS = "indexer.vectors";

  private ExportMark() {}

  /** The mark of an export. */
  static Map<String, String> of(InvertedIndex index, ExportOptions options) {
    ImmutableMap.Builder<String, String> mark =
        ImmutableMap.<String, String>builder()
            .put(INDEX, index.digest())
            .put(SEGMENTS, String.valueOf(options.segments()))
            .put(CODEC, options.codec().toString())
            .put(LUCENE, options.version().toString());
    // Exports without vectors have the marks that earlier versions of this program wrote.
    return options.vectors() ? mark.put(VECTORS, "true").buildOrThrow() : mark.buildOrThrow();
  }

  /**
   * Whether an export with this mark is the one that these options make.
   *
   * @param anySegments whether their number does not matter
   */
  static boolean isOf(
      Map<String, String> mark, InvertedIndex index, ExportOptions options, boolean anySegments) {
    Map<String, String> expected = new TreeMap<>(of(index, options));
    Map<String, String> found = new TreeMap<>(mark);
    if (anySegments) {
      expected.remove(SEGMENTS);
      found.remove(SEGMENTS);
    }
    return found.equals(expected);
  }
}
