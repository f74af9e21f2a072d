package io.kmodel.indexer.search.filter;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.columns.ColumnReader;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads some columns of documents as text. Not thread-safe. */
public final class ShownColumns {
  private final List<ColumnReader> readers = new ArrayList<>();

  /**
   * Prepares columns of an index, which must stay open.
   *
   * @throws IllegalArgumentException if the index lacks one of them
   */
  public ShownColumns(InvertedIndex index, List<String> names) throws IOException {
    for (String name : names) {
      Column column = DocumentFilter.column(index.schema().columns(), name);
      readers.add(index.columns().reader(index.schema().columns().indexOf(column)));
    }
  }

  private ShownColumns() {}

  /** No columns. */
  public static ShownColumns none() {
    return new ShownColumns();
  }

  /** The values of a document by column; without those that it does not have. */
  public ImmutableMap<String, String> of(int docId) throws IOException {
    ImmutableMap.Builder<String, String> values = ImmutableMap.builder();
    for (ColumnReader reader : readers) {
      if (reader.has(docId)) {
        values.put(reader.column().name(), text(reader, docId));
      }
    }
    return values.buildKeepingLast();
  }

  private static String text(ColumnReader reader, int docId) throws IOException {
    ColumnType type = reader.column().type();
    return type == ColumnType.STRING ? reader.text(docId) : type.text(reader.number(docId));
  }
}
