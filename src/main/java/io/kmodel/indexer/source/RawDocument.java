package io.kmodel.indexer.source;

/**
 * A document as the crawl holds it, decompressed but not decoded. A view of its reader's buffer:
 * valid until the reader's next call.
 */
public final class RawDocument {
  private final String id;
  private final String place;
  private final ContentType type;
  private final byte[] bytes;
  private final int length;
  private final long unit;

  /**
   * A view of the first {@code length} of {@code bytes}.
   *
   * @param id what users know the document by: for a file, its path relative to the crawl's root,
   *     with slashes
   * @param place where it came from, for messages: a path, with an offset for archives
   * @param unit number of the source's unit that the document came from, ascending with the
   *     documents. Units are cut by the source alone, never by memory, threads or options, so that
   *     what ends at a unit's border is the same in every build
   */
  public RawDocument(
      String id, String place, ContentType type, byte[] bytes, int length, long unit) {
    this.id = id;
    this.place = place;
    this.type = type;
    this.bytes = bytes;
    this.length = length;
    this.unit = unit;
  }

  public String id() {
    return id;
  }

  public String place() {
    return place;
  }

  public ContentType type() {
    return type;
  }

  /** Holds the content in its first {@link #length()} bytes; belongs to the reader. */
  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }

  public long unit() {
    return unit;
  }
}
