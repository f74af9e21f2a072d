package io.kmodel.indexer.index.verify;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnStatistics;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.IndexMetadata;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A column of an index, as shown in JSON and in text.
 *
 * @param documents documents with a value
 * @param least the least number or date; null for strings and without values
 * @param greatest the greatest number or date; null for strings and without values
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ColumnNumbers(
    String name, String type, int documents, @Nullable Object least, @Nullable Object greatest) {

  /** The columns of an index. */
  public static ImmutableList<ColumnNumbers> of(IndexMetadata index) {
    ImmutableList.Builder<ColumnNumbers> columns = ImmutableList.builder();
    for (int i = 0; i < index.schema().columns().size(); i++) {
      Column column = index.schema().columns().get(i);
      ColumnStatistics of = index.columns().get(i);
      boolean hasRange = column.type().isNumber() && of.documents() > 0;
      columns.add(
          new ColumnNumbers(
              column.name(),
              column.type().name().toLowerCase(Locale.ROOT),
              of.documents(),
              hasRange ? value(column.type(), of.least()) : null,
              hasRange ? value(column.type(), of.greatest()) : null));
    }
    return columns.build();
  }

  private static Object value(ColumnType type, long value) {
    return switch (type) {
      case INT -> value;
      case DOUBLE -> ColumnType.number(value);
      case DATE, STRING -> type.text(value);
    };
  }
}
