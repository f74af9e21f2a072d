package io.kmodel.indexer.source;

/**
 * A location in a crawl.
 *
 * @param file a path
 * @param offset in bytes; -1 for the whole file. It is the offset in the file of a record or of its
 *     member (of gzip, or a frame of zstd). In the first member, or in a compressed file without
 *     members, it is the record's offset in the decompressed data. For a row of Parquet it is that
 *     of the row group
 * @param row {@code row group 3, row 17} for a row of Parquet; empty otherwise
 * @param document the document's id for users; empty if it was never read
 */
public record Location(String file, long offset, String row, String document) {
  /** A file, or a record that its offset identifies. */
  public Location(String file, long offset, String document) {
    this(file, offset, "", document);
  }

  /** A whole file. */
  public static Location of(String file) {
    return new Location(file, -1, "");
  }

  @Override
  public String toString() {
    if (!row.isEmpty()) {
      return file + ", " + row;
    }
    return offset < 0 ? file : file + " at byte " + offset;
  }
}
