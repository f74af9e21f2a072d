package io.kmodel.indexer.parse.field;

import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Metadata that every format may have; the guide to formats says where each value comes from. */
public enum KnownColumn {
  /** When the document was captured or published. */
  DATE(ColumnType.DATE),
  /** The host of its URL, in lower case, without a port. */
  HOST(ColumnType.STRING),
  /** A language tag in lower case. */
  LANGUAGE(ColumnType.STRING),
  /** Its media type in lower case, without parameters. */
  CONTENT_TYPE(ColumnType.STRING),
  /** Its content in bytes. */
  LENGTH(ColumnType.INT),
  /** The language that its contents are in: two letters of ISO 639-1, or three of ISO 639-3. */
  DETECTED_LANGUAGE(ColumnType.STRING);

  private final ColumnType type;
  private final String label;

  KnownColumn(ColumnType type) {
    this.type = type;
    this.label = name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public Column column() {
    return new Column(label, type);
  }

  /** The column of a name; null if no known one has it. */
  static @Nullable KnownColumn named(String name) {
    return Arrays.stream(values())
        .filter(known -> known.label.equals(name))
        .findFirst()
        .orElse(null);
  }

  /** The names of all. */
  public static List<String> names() {
    return Arrays.stream(values()).map(known -> known.label).toList();
  }
}
