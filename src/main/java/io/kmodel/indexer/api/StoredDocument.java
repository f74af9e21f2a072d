package io.kmodel.indexer.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an index keeps of a document.
 *
 * @param number in the index, from 0
 * @param texts stored texts by field, such as {@code id}
 * @param metadata values by column, dates in ISO 8601; without those that the document has not
 */
public record StoredDocument(int number, Map<String, String> texts, Map<String, String> metadata) {
  /** Copies the maps. */
  public StoredDocument {
    texts = Collections.unmodifiableMap(new LinkedHashMap<>(texts));
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
  }
}
