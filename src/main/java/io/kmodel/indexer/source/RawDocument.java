package io.kmodel.indexer.source;

import org.jspecify.annotations.Nullable;

/**
 * A document as it is in the crawl, decompressed but not decoded. It is a view of its reader's
 * buffer, valid until the reader's next call.
 */
public final class RawDocument {
  private final String id;
  private final Location place;
  private final ContentType type;
  private final byte[] bytes;
  private final int length;
  private final long unit;
  private final String title;
  private final String charset;
  private final String url;
  private final String headings;
  private final boolean titleDecoded;
  private final @Nullable SparseVector vector;
  private final RawMetadata metadata;

  /** A document whose content declares its encoding and its title. */
  public RawDocument(
      String id, String place, ContentType type, byte[] bytes, int length, long unit) {
    this(
        new Location(place, -1, id),
        type,
        bytes,
        length,
        unit,
        "",
        "",
        "",
        "",
        true,
        null,
        RawMetadata.NONE);
  }

  private RawDocument(
      Location place,
      ContentType type,
      byte[] bytes,
      int length,
      long unit,
      String title,
      String charset,
      String url,
      String headings,
      boolean titleDecoded,
      @Nullable SparseVector vector,
      RawMetadata metadata) {
    this.id = place.document();
    this.place = place;
    this.type = type;
    this.bytes = bytes;
    this.length = length;
    this.unit = unit;
    this.title = title;
    this.charset = charset;
    this.url = url;
    this.headings = headings;
    this.titleDecoded = titleDecoded;
    this.vector = vector;
    this.metadata = metadata;
  }

  /**
   * A view of the first {@code length} of {@code bytes}.
   *
   * @param place where it was found, with its id for users: for a file, its path relative to the
   *     crawl's root, with slashes
   * @param unit number of the source's unit that the document belongs to, ascending with the
   *     documents. Units depend on the source alone, never on memory, threads or options, so that
   *     anything that ends at a unit's border is the same in every build
   */
  public static RawDocument of(
      Location place, ContentType type, byte[] bytes, int length, long unit) {
    return new RawDocument(
        place, type, bytes, length, unit, "", "", "", "", true, null, RawMetadata.NONE);
  }

  /**
   * The same with a title from outside the content, or empty.
   *
   * @param decoded whether all of its bytes were valid
   */
  public RawDocument withTitle(String newTitle, boolean decoded) {
    return new RawDocument(
        place, type, bytes, length, unit, newTitle, charset, url, headings, decoded, vector,
        metadata);
  }

  /** The same with the charset that its server declared, or empty. */
  public RawDocument withCharset(String name) {
    return new RawDocument(
        place,
        type,
        bytes,
        length,
        unit,
        title,
        name,
        url,
        headings,
        titleDecoded,
        vector,
        metadata);
  }

  /** The same with its origin: a URI, or a file's path; empty if unknown. */
  public RawDocument withUrl(String newUrl) {
    return new RawDocument(
        place,
        type,
        bytes,
        length,
        unit,
        title,
        charset,
        newUrl,
        headings,
        titleDecoded,
        vector,
        metadata);
  }

  /** The same with headings from outside the content, or empty. */
  public RawDocument withHeadings(String text) {
    return new RawDocument(
        place,
        type,
        bytes,
        length,
        unit,
        title,
        charset,
        url,
        text,
        titleDecoded,
        vector,
        metadata);
  }

  /** The same with weighted terms, or null. */
  public RawDocument withVector(@Nullable SparseVector terms) {
    return new RawDocument(
        place,
        type,
        bytes,
        length,
        unit,
        title,
        charset,
        url,
        headings,
        titleDecoded,
        terms,
        metadata);
  }

  /** The same with what its archive or collection says about it. */
  public RawDocument withMetadata(RawMetadata newMetadata) {
    return new RawDocument(
        place,
        type,
        bytes,
        length,
        unit,
        title,
        charset,
        url,
        headings,
        titleDecoded,
        vector,
        newMetadata);
  }

  public String id() {
    return id;
  }

  /** Where the document was found in the crawl. */
  public Location place() {
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

  /** Bytes of the content and of the weighted terms. */
  public long contentBytes() {
    return vector == null ? length : length + vector.termBytes();
  }

  public long unit() {
    return unit;
  }

  /** A title that the collection gives outside the content, or empty. */
  public String title() {
    return title;
  }

  /** Headings that the collection gives outside the content, or empty. */
  public String headings() {
    return headings;
  }

  /** The weighted terms that the collection gives; null if it gives a text. */
  public @Nullable SparseVector vector() {
    return vector;
  }

  /** Whether all bytes of that title were valid; U+FFFD stands for invalid ones. */
  public boolean isTitleDecoded() {
    return titleDecoded;
  }

  /** What the archive or collection says about it outside the content. */
  public RawMetadata metadata() {
    return metadata;
  }

  /**
   * The document's origin: the URI that its archive or collection gives, or the path of a file that
   * is the document; empty if unknown.
   */
  public String url() {
    return url;
  }

  /** The charset that was declared outside the content, or empty. */
  public String charset() {
    return charset;
  }
}
