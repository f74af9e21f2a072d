package io.kmodel.indexer.source;

import com.google.common.collect.ImmutableList;

/**
 * What an archive or collection says about a document outside of its content, as it is written
 * there. A value is empty if it is missing or not wanted.
 *
 * @param date when the document was captured or published
 * @param language one or several language tags, from the least specific source
 * @param contentType its media type, perhaps with parameters
 * @param named the values of {@link MetadataRequest#names}, in their order; empty if a format knows
 *     no names
 */
public record RawMetadata(
    String date, String language, String contentType, ImmutableList<String> named) {
  /** Nothing is said. */
  public static final RawMetadata NONE = new RawMetadata("", "", "", ImmutableList.of());

  /** The values of a record that has no headers. */
  public static RawMetadata of(String date, ImmutableList<String> named) {
    return new RawMetadata(date, "", "", named);
  }

  /** The value of a wanted name, or empty. */
  public String named(int name) {
    return name < named.size() ? named.get(name) : "";
  }
}
