package io.kmodel.indexer.index.model;

import com.google.common.collect.ImmutableList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The fields of an index, in byte order of their names. A field's ordinal is its index in the list
 * and the first byte of each of its <em>term keys</em>: term key := ordinal:u8 term:bytes. Byte
 * order of term keys is therefore the order by field, then by term.
 */
public record Schema(ImmutableList<Field> fields) {
  /** Names of the fields that every crawl is indexed with. */
  public static final String ID = "id";

  public static final String TITLE = "title";
  public static final String CONTENTS = "contents";

  /** The original document, if it is stored. */
  public static final String RAW = "raw";

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
  }

  public static Schema of(List<Field> fields) {
    return new Schema(ImmutableList.sortedCopyOf(Comparator.comparing(Field::name), fields));
  }

  public int size() {
    return fields.size();
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
}
