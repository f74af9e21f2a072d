package io.kmodel.indexer.cli.view;

import com.google.common.collect.ImmutableList;

/**
 * The hint for a query that names a field in which nothing can be found.
 *
 * @param searched the fields of the index that are searched
 */
public record FieldHint(ImmutableList<String> searched) {
  public String of(String field) {
    return "the index has no field '%s' to search in; it has %s"
        .formatted(field, String.join(", ", searched));
  }
}
