package io.kmodel.indexer.indexing.journal;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of a split beside its runs.
 *
 * @param documents its stored documents; null if nothing is stored
 * @param columns its values of columns; null without columns
 */
public record StoredFiles(@Nullable Path documents, @Nullable Path columns) {
  /** Those that exist. */
  public List<Path> all() {
    return Stream.of(documents, columns).filter(Objects::nonNull).toList();
  }
}
