package io.kmodel.indexer.source;

import com.google.common.collect.ImmutableList;

/**
 * What readers note about documents besides their texts.
 *
 * @param hasDate whether the date is wanted
 * @param hasHeaders whether the language or the content type is wanted
 * @param names of members of JSON, columns of TSV and tags of TREC whose values are wanted
 */
public record MetadataRequest(boolean hasDate, boolean hasHeaders, ImmutableList<String> names) {
  /** Nothing is noted. */
  public static final MetadataRequest NONE = new MetadataRequest(false, false, ImmutableList.of());

  /** Whether nothing is wanted. */
  public boolean isEmpty() {
    return !hasDate && !hasHeaders && names.isEmpty();
  }
}
