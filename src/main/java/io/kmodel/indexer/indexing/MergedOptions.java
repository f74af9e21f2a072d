package io.kmodel.indexer.indexing;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.IdPolicy;
import io.kmodel.indexer.indexing.order.DocumentOrder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The options that a merged index records. */
final class MergedOptions {
  /** The option for the format of documents, which does not decide what an index records. */
  static final String FORMAT = "format";

  /** The option for documents with the same id. */
  static final String DUPLICATES = "duplicates";

  private MergedOptions() {}

  /**
   * The policy that was asked for, or that all indexes were built with.
   *
   * @throws BuildException if none was asked for, and they were built with different ones
   */
  static IdPolicy policy(@Nullable IdPolicy asked, List<InvertedIndex> indexes) {
    if (asked != null) {
      return asked;
    }
    Map<String, Path> recorded = new LinkedHashMap<>();
    indexes.forEach(index -> recorded.putIfAbsent(recorded(index), index.directory()));
    if (recorded.size() > 1) {
      throw new BuildException(
          "the indexes were built with different --duplicates (%s); choose one with --duplicates"
              .formatted(
                  recorded.entrySet().stream()
                      .map(entry -> entry.getValue() + ": " + entry.getKey())
                      .collect(Collectors.joining(", "))));
    }
    return IdPolicy.of(recorded.keySet().iterator().next());
  }

  private static String recorded(InvertedIndex index) {
    return index.metadata().options().getOrDefault(DUPLICATES, IdPolicy.KEEP.label());
  }

  /** The options of the result; a format that only some indexes were limited to is left open. */
  static Map<String, String> of(List<InvertedIndex> indexes, IdPolicy policy) {
    Map<String, String> options = new TreeMap<>(indexes.getFirst().metadata().options());
    if (indexes.size() > 1) {
      // All documents together have no order but that of the indexes.
      options.remove(DocumentOrder.OPTION);
    }
    if (options.containsKey(DUPLICATES) || policy != IdPolicy.KEEP) {
      options.put(DUPLICATES, policy.label());
    }
    Set<String> formats =
        indexes.stream()
            .map(index -> index.metadata().options().getOrDefault(FORMAT, ""))
            .collect(Collectors.toSet());
    if (formats.size() > 1) {
      options.put(FORMAT, "auto");
    }
    return options;
  }
}
