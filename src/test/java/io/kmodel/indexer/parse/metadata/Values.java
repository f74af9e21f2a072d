package io.kmodel.indexer.parse.metadata;

import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.ColumnValues;
import io.kmodel.indexer.parse.ParsedDocument;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** The metadata of documents as texts, for tests. */
public final class Values {
  private Values() {}

  /** The values of a document by column; a date is an instant. */
  public static Map<String, String> of(ParsedDocument document) {
    ColumnValues values = document.values();
    Map<String, String> texts = new TreeMap<>();
    for (int i = 0; i < values.columns().size(); i++) {
      Column column = values.columns().get(i);
      if (values.has(i)) {
        texts.put(
            column.name(),
            switch (column.type()) {
              case STRING -> values.string(i);
              case INT -> String.valueOf(values.number(i));
              case DOUBLE -> String.valueOf(ColumnType.number(values.number(i)));
              case DATE -> Instant.ofEpochMilli(values.number(i)).toString();
            });
      }
    }
    return texts;
  }
}
