package io.kmodel.indexer.api;

import io.kmodel.indexer.index.model.ColumnType;
import java.util.Arrays;

/** What the values of a metadata column are. */
public enum MetadataType {
  /** Text that is compared as a whole. */
  STRING(ColumnType.STRING),
  /** A whole number of 64 bits. */
  INTEGER(ColumnType.INT),
  /** A number of double precision. */
  DOUBLE(ColumnType.DOUBLE),
  /** A point in time, kept in milliseconds. */
  DATE(ColumnType.DATE);

  private final ColumnType type;

  MetadataType(ColumnType type) {
    this.type = type;
  }

  static MetadataType of(ColumnType column) {
    return Arrays.stream(values()).filter(type -> type.type == column).findFirst().orElseThrow();
  }

  ColumnType column() {
    return type;
  }
}
