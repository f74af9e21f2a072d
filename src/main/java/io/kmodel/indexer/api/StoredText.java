package io.kmodel.indexer.api;

import io.kmodel.indexer.indexing.options.Store;

/** Which texts of documents can be read back from an index. */
public enum StoredText {
  /** None, not even the id: search results have no names. */
  NONE(Store.NONE),
  /** The id. */
  ID(Store.ID),
  /** The id and the text of every field, which titles and snippets of search results need. */
  FIELDS(Store.CONTENTS),
  /** The id, the title, and the contents as they were added, with their markup, as {@code raw}. */
  ORIGINAL(Store.RAW);

  private final Store store;

  StoredText(Store store) {
    this.store = store;
  }

  Store option() {
    return store;
  }
}
