package io.kmodel.indexer.browse;

import com.fasterxml.jackson.core.JsonGenerator;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The stored id and title of a document; null if they are not stored. */
record Names(@Nullable String id, @Nullable String title) {
  static Names of(BrowsedIndex.Texts texts, int docId) throws IOException {
    return new Names(texts.of(docId, Schema.ID), texts.of(docId, Schema.TITLE));
  }

  void write(JsonGenerator out) throws IOException {
    if (id != null) {
      out.writeStringField("id", id);
    }
    if (title != null && !title.isEmpty()) {
      out.writeStringField("title", title);
    }
  }
}
