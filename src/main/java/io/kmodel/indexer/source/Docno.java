package io.kmodel.indexer.source;

/** How documents from files with many records are identified. */
public enum Docno {
  /**
   * By the collection's id: WARC-TREC-ID, DOCNO, id; otherwise by the URI, otherwise by location.
   */
  TREC_ID,
  /** By the URI, otherwise by the collection's id, otherwise by location. */
  URI,
  /** By the record's id, otherwise as {@link #TREC_ID}. */
  RECORD_ID,
  /** By the path of the file and the offset of the record. */
  PATH,
  /**
   * As {@link #PATH}, but a file that is one document by its path without the suffix: {@code
   * CACM-1410} for {@code CACM-1410.html.gz}.
   */
  PATH_STEM;

  /** Whether records are identified by their files' paths. */
  public boolean isPath() {
    return this == PATH || this == PATH_STEM;
  }
}
