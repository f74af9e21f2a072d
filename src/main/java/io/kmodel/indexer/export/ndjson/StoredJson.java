package io.kmodel.indexer.export.ndjson;

import com.fasterxml.jackson.core.JsonGenerator;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.columns.ColumnReader;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes documents in JSON: their stored fields without the id, and their metadata, by the names
 * that both have; dates are texts in ISO 8601. Not thread-safe.
 */
public final class StoredJson {
  private final Schema schema;
  private final StoredTexts texts;
  private final List<ColumnReader> columns = new ArrayList<>();

  /** Reads the texts of an index, which the caller closes. */
  public StoredJson(InvertedIndex index, StoredTexts texts) throws IOException {
    this.schema = index.schema();
    this.texts = texts;
    for (int i = 0; i < schema.columns().size(); i++) {
      columns.add(index.columns().reader(i));
    }
  }

  /** Writes a document as an object. */
  public void write(int docId, JsonGenerator json) throws IOException {
    json.writeStartObject();
    for (int field = 0; field < schema.size(); field++) {
      String name = schema.field(field).name();
      if (schema.field(field).stored() && !name.equals(Schema.ID)) {
        json.writeStringField(name, texts.text(docId, field));
      }
    }
    for (ColumnReader column : columns) {
      if (column.has(docId)) {
        json.writeFieldName(column.column().name());
        writeValue(column, docId, json);
      }
    }
    json.writeEndObject();
  }

  private static void writeValue(ColumnReader column, int docId, JsonGenerator json)
      throws IOException {
    switch (column.column().type()) {
      case STRING -> json.writeString(column.text(docId));
      case INT -> json.writeNumber(column.number(docId));
      case DOUBLE -> json.writeNumber(ColumnType.number(column.number(docId)));
      case DATE -> json.writeString(ColumnType.DATE.text(column.number(docId)));
    }
  }

  /** Whether the objects have texts. */
  public static boolean hasMembers(Schema schema) {
    return schema.fields().stream()
        .anyMatch(field -> field.stored() && !field.name().equals(Schema.ID));
  }
}
