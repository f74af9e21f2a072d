package io.kmodel.indexer.parse.field;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Ordering;
import io.kmodel.indexer.index.model.Column;
import java.util.Comparator;

/**
 * The metadata that documents have, and where each value is found.
 *
 * @param columns in order of their names
 */
public record MetadataPlan(ImmutableList<Column> columns) {
  /** No metadata. */
  public static final MetadataPlan NONE = new MetadataPlan(ImmutableList.of());

  public MetadataPlan {
    if (!Ordering.from(Comparator.comparing(Column::name)).isStrictlyOrdered(columns)) {
      throw new IllegalArgumentException(
          "columns must be distinct and ordered by name; got " + columns);
    }
  }
}
