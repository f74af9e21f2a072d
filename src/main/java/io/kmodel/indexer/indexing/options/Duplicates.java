package io.kmodel.indexer.indexing.options;


/** What happens to documents with an id that an earlier document has. */
public enum Duplicates {
  /** They are documents like all others; the report says how many there are. */
  KEEP,
  /** They are left out. */
  SKIP,
  /** They end the build. */
  ERROR
}
