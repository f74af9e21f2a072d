package io.kmodel.indexer.indexing.options;

/** What happens to a document that has the id of an earlier one. */
public enum Duplicates {
  /** It is indexed; the report says how many there are. */
  KEEP,
  /** It is skipped. */
  SKIP,
  /** The build fails. */
  ERROR
}
