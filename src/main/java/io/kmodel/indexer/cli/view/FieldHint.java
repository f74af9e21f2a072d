package io.kmodel.indexer.cli.view;

import com.google.common.collect.ImmutableList;

/**
 * The hint for a query that names a field in which nothing can be found.
 *
 * @param searched the fields of the index that are searched
 * @param columns the columns of metadata
 */
public record FieldHint(ImmutableList<String> searched, ImmutableList<String> columns) {
  public String of(String field) {
    if (columns.contains(field)) {
      return "'%s' is a column of numbers, which is not searched; use it in --filter"
          .formatted(field);
    }
    return "the index has no field '%s' to search in; it has %s"
        .formatted(field, String.join(", ", searched));
  }
}
