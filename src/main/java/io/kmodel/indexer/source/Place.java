package io.kmodel.indexer.source;

/**
 * Where something stands in a crawl.
 *
 * @param file a path
 * @param offset in bytes: of a record's start in the file, of its member's start (of gzip, or a
 *     frame of zstd), or in what the file unpacks to where that is its first member or it has none;
 *     -1 for the whole file
 * @param document what users know the document by; empty where that was never read
 */
public record Place(String file, long offset, String document) {
  /** All of a file. */
  public static Place of(String file) {
    return new Place(file, -1, "");
  }

  @Override
  public String toString() {
    return offset < 0 ? file : file + " at byte " + offset;
  }
}
