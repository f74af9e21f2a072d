package io.kmodel.indexer.indexing.added;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.RawMetadata;

/** A document that a program adds. Immutable. */
public final class AddedDocument {
  /** Objects, headers and references. */
  private static final long OVERHEAD = 256;

  /** Names the source in lists of skipped documents. */
  private static final String PLACE = "added documents";

  private final String id;
  private final ContentType type;
  private final byte[] contents;
  private final String title;
  private final String url;
  private final String headings;
  private final RawMetadata metadata;

  /**
   * A document, whose texts are all well-formed.
   *
   * @param id not empty
   * @param type plain text or HTML
   * @param contents in UTF-8; belongs to the document from now on
   * @param title empty for HTML, which has its own, as are the headings
   * @param metadata the values that the build asks for
   */
  public AddedDocument(
      String id,
      ContentType type,
      byte[] contents,
      String title,
      String url,
      String headings,
      RawMetadata metadata) {
    this.id = id;
    this.type = type;
    this.contents = contents;
    this.title = title;
    this.url = url;
    this.headings = headings;
    this.metadata = metadata;
  }

  /** The size of its texts: bytes of the contents, and characters of all others. */
  long textBytes() {
    return contents.length + chars();
  }

  /** The heap that it takes, about. */
  long heapBytes() {
    return OVERHEAD + contents.length + Character.BYTES * chars();
  }

  private long chars() {
    long chars = (long) id.length() + title.length() + url.length() + headings.length();
    for (String value : metadata.named()) {
      chars += value.length();
    }
    return chars;
  }

  RawDocument raw(long unit) {
    return RawDocument.of(new Location(PLACE, -1, id), type, contents, contents.length, unit)
        .withTitle(title, true)
        .withCharset("utf-8")
        .withUrl(url)
        .withHeadings(headings)
        .withMetadata(metadata);
  }
}
