package io.kmodel.indexer.export.ndjson;

import com.fasterxml.jackson.core.JsonGenerator;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;

/** A document in JSON: its stored fields without the id, by the names that they have. */
public final class StoredJson {
  private StoredJson() {}

  /** Writes a document as an object. */
  public static void write(int docId, Schema schema, StoredTexts texts, JsonGenerator json)
      throws IOException {
    json.writeStartObject();
    for (int field = 0; field < schema.size(); field++) {
      String name = schema.field(field).name();
      if (schema.field(field).stored() && !name.equals(Schema.ID)) {
        json.writeStringField(name, texts.text(docId, field));
      }
    }
    json.writeEndObject();
  }

  /** Whether the objects have members. */
  public static boolean hasMembers(Schema schema) {
    return schema.fields().stream()
        .anyMatch(field -> field.stored() && !field.name().equals(Schema.ID));
  }
}
