package io.kmodel.indexer.indexing.options;

/** Which texts can be read back from the index. */
public enum Store {
  /** None. The id can be searched, but results have no names. */
  NONE,
  /** The id. */
  ID,
  /** The id and the text of every field. */
  CONTENTS,
  /** The id, the title, and the original document. */
  RAW
}
