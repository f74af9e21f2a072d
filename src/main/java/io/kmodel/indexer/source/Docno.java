package io.kmodel.indexer.source;

/** What documents of files with many records are known by. */
public enum Docno {
  /** The id that the collection gives: WARC-TREC-ID, DOCNO, id; else the URI, else the place. */
  TREC_ID,
  /** The URI where there is one, else the collection's id, else the place. */
  URI,
  /** The record's id where there is one, else as {@link #TREC_ID}. */
  RECORD_ID,
  /** The path of the file, and the offset of the record. */
  PATH
}
