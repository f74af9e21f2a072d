package io.kmodel.indexer.cli;

import com.google.common.collect.ImmutableList;

/**
 * What is said of a field that a query names and nothing is found in.
 *
 * @param searched the fields that the index has and searches
 */
record FieldHint(ImmutableList<String> searched) {
  String of(String field) {
    return "the index has no field '%s' to search in; it has %s"
        .formatted(field, String.join(", ", searched));
  }
}
