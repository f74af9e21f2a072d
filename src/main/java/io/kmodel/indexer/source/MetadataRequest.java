package io.kmodel.indexer.source;

import com.google.common.collect.ImmutableList;

/**
 * The metadata that readers note about documents.
 *
 * @param hasDate whether the date is wanted
 * @param hasHeaders whether the language or the content type is wanted
 * @param names of members of JSON, columns of TSV and tags of TREC whose values are wanted
 */
public record MetadataRequest(boolean hasDate, boolean hasHeaders, ImmutableList<String> names) {
  /** Nothing is noted. */
  public static final MetadataRequest NONE = new MetadataRequest(false, false, ImmutableList.of());

  private static final ImmutableList<String> DATES =
      ImmutableList.of(
          "date",
          "published",
          "published_date",
          "publish_date",
          "publication_date",
          "datePublished",
          "published_at",
          "publish_time",
          "timestamp");

  private static final ImmutableList<String> LANGUAGES =
      ImmutableList.of("language", "Language", "lang");

  /** Whether nothing is wanted. */
  public boolean isEmpty() {
    return !hasDate && !hasHeaders && names.isEmpty();
  }

  /**
   * The names of members and columns that usually hold a date, in order of preference; empty if no
   * date is wanted.
   */
  public ImmutableList<String> usualDates() {
    return hasDate ? DATES : ImmutableList.of();
  }

  /** The same for a language. */
  public ImmutableList<String> usualLanguages() {
    return hasHeaders ? LANGUAGES : ImmutableList.of();
  }
}
