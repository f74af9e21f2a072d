package io.kmodel.indexer.index.documents;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Stores documents whose values are strings. */
public final class StoredValues {
  private StoredValues() {}

  /**
   * Adds the next document.
   *
   * @param values one per stored field
   */
  public static void add(StoredDocumentsWriter to, long unit, String... values) throws IOException {
    to.startDocument(unit);
    for (String value : values) {
      byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
      to.value(utf8, 0, utf8.length);
    }
    to.finishDocument();
  }
}
