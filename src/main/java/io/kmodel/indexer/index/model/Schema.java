package io.kmodel.indexer.index.model;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Ordering;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The fields of an index, in byte order of their names. A field's ordinal is its index in the list
 * and the first byte of each of its <em>term keys</em>: term key := ordinal:u8 term:bytes. Byte
 * order of term keys is therefore the order by field, then by term.
 *
 * @param columns metadata of documents, in order of their names. A column of strings is also a
 *     keyword field of the same name: its values are terms, so documents are found by them
 */
public record Schema(ImmutableList<Field> fields, ImmutableList<Column> columns) {
  /** Names of the fields that every crawl is indexed with. */
  public static final String ID = "id";

  public static final String TITLE = "title";
  public static final String CONTENTS = "contents";

  /** The original document, if it is stored. */
  public static final String RAW = "raw";

  /** The column with the languages that the contents of documents are in. */
  public static final String DETECTED_LANGUAGE = "detected-language";

  private static final int MAX_FIELDS = 255;

  public Schema {
    if (fields.isEmpty() || fields.size() > MAX_FIELDS) {
      throw new IllegalArgumentException("a schema has 1 to 255 fields; got " + fields.size());
    }
    for (int i = 1; i < fields.size(); i++) {
      if (fields.get(i - 1).name().compareTo(fields.get(i).name()) >= 0) {
        throw new IllegalArgumentException(
            "fields must be distinct and ordered by name: " + fields);
      }
    }
    if (!Ordering.from(Comparator.comparing(Column::name)).isStrictlyOrdered(columns)) {
      throw new IllegalArgumentException(
          "columns must be distinct and ordered by name: " + columns);
    }
    for (Column column : columns) {
      requireFieldOf(column, fields);
    }
  }

  /** A schema without columns. */
  public Schema(ImmutableList<Field> fields) {
    this(fields, ImmutableList.of());
  }

  private static void requireFieldOf(Column column, ImmutableList<Field> fields) {
    boolean isTaken = fields.stream().anyMatch(field -> field.name().equals(column.name()));
    boolean isKeyword = fields.contains(keyword(column));
    if (column.name().equals(ID)
        || column.name().equals(RAW)
        || (column.type() == ColumnType.STRING ? !isKeyword : isTaken)) {
      throw new IllegalArgumentException(
          "column '%s' has the name of a field; the fields are %s"
              .formatted(
                  column.name(),
                  fields.stream().map(Field::name).collect(Collectors.joining(", "))));
    }
  }

  /** The field whose terms are the values of a column of strings. */
  private static Field keyword(Column column) {
    return new Field(column.name(), Detail.DOCUMENTS, false, false);
  }

  public static Schema of(List<Field> fields) {
    return new Schema(ImmutableList.sortedCopyOf(Comparator.comparing(Field::name), fields));
  }

  /**
   * The same fields with columns, and with a field for each column of strings.
   *
   * @throws IllegalArgumentException if a column has the name of a field
   */
  public Schema withColumns(ImmutableList<Column> added) {
    List<Field> all = new ArrayList<>(fields);
    for (Column column : added) {
      if (column.type() == ColumnType.STRING) {
        if (find(column.name()) >= 0) {
          requireFieldOf(column, ImmutableList.of());
        }
        all.add(keyword(column));
      }
    }
    return new Schema(of(all).fields, added);
  }

  public int size() {
    return fields.size();
  }

  /** The index of a column in {@link #columns}, or -1 if there is no column of that name. */
  public int findColumn(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** Whether every document has exactly one term in a field. */
  public boolean hasTermInEveryDocument(int ordinal) {
    return field(ordinal).isKeyword() && findColumn(field(ordinal).name()) < 0;
  }

  /** Whether any field has offsets. */
  public boolean hasOffsets() {
    return fields.stream().anyMatch(field -> field.detail().hasOffsets());
  }

  /** Whether any field has weights. */
  public boolean hasImpacts() {
    return fields.stream().anyMatch(field -> field.detail().hasImpacts());
  }

  public Field field(int ordinal) {
    return fields.get(ordinal);
  }

  /** The ordinal of a field that must exist. */
  public int ordinal(String name) {
    int ordinal = find(name);
    if (ordinal < 0) {
      throw new IllegalArgumentException(
          "no field '%s'; the fields are %s"
              .formatted(name, fields.stream().map(Field::name).collect(Collectors.joining(", "))));
    }
    return ordinal;
  }

  /** The ordinal of a field, or -1 if there is no field of that name. */
  public int find(String name) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** Names columns only if there are any; builds compare this text. */
  @Override
  public String toString() {
    return columns.isEmpty()
        ? "Schema[fields=%s]".formatted(fields)
        : "Schema[fields=%s, columns=%s]".formatted(fields, columns);
  }
}
