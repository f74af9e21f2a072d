package io.kmodel.indexer.source.parquet;

import com.google.common.base.Utf8;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.source.JsonPart;
import io.kmodel.indexer.source.RawMetadata;
import io.kmodel.indexer.source.record.WellFormed;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Assembles the parts of a document from the values of a row, as {@code UsualMembers} and {@code
 * NamedMembers} do from an object: of usual names the first that has a text counts; named columns
 * count together, with a line feed in between, for an id or a URL only the first value. Not
 * thread-safe.
 */
final class ParquetRow {
  private static final byte[] BETWEEN = {'\n'};

  private final ParquetColumns columns;
  private final List<ColumnValues> values;

  /** Whether all texts since the last {@link #start} were UTF-8. */
  private boolean isUtf8;

  ParquetRow(ParquetColumns columns, List<ColumnValues> values) {
    this.columns = columns;
    this.values = values;
  }

  /** Starts a row. */
  void start() {
    isUtf8 = true;
  }

  /** Whether the texts were UTF-8 so far; U+FFFD stands for bytes that were not. */
  boolean isUtf8() {
    return isUtf8;
  }

  /** The bytes of a part in pieces, which belong to the page. */
  List<byte[]> pieces(JsonPart part) {
    return columns.isNamed(part) ? named(part) : usual(part);
  }

  private List<byte[]> usual(JsonPart part) {
    for (int place : columns.of(part)) {
      List<byte[]> found = joined(values.get(place).row);
      if (found.stream().anyMatch(piece -> piece.length > 0)) {
        return found;
      }
    }
    return List.of();
  }

  private static List<byte[]> joined(List<byte[]> row) {
    if (row.size() < 2) {
      return row;
    }
    List<byte[]> pieces = new ArrayList<>(2 * row.size());
    for (byte[] value : row) {
      if (!pieces.isEmpty()) {
        pieces.add(BETWEEN);
      }
      pieces.add(value);
    }
    return pieces;
  }

  private List<byte[]> named(JsonPart part) {
    boolean isText = part != JsonPart.ID && part != JsonPart.URI;
    List<byte[]> pieces = new ArrayList<>();
    for (int place : columns.of(part)) {
      boolean isFirst = true;
      for (byte[] value : values.get(place).row) {
        // Values that come before the first one with a text are left out, in each column.
        if (!isFirst || value.length > 0) {
          if (!pieces.isEmpty()) {
            pieces.add(BETWEEN);
          }
          pieces.add(value);
          isFirst = false;
        }
      }
      if (!isText && !pieces.isEmpty()) {
        break;
      }
    }
    return pieces;
  }

  /** A title or headings. */
  String text(JsonPart part) {
    byte[] bytes = bytes(pieces(part));
    isUtf8 &= Utf8.isWellFormed(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** An id or a URL. */
  String name(JsonPart part) {
    byte[] bytes = bytes(pieces(part));
    return WellFormed.name(bytes, 0, bytes.length);
  }

  private static byte[] bytes(List<byte[]> pieces) {
    if (pieces.size() == 1) {
      return pieces.getFirst();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    pieces.forEach(bytes::writeBytes);
    return bytes.toByteArray();
  }

  /** The wanted metadata. */
  RawMetadata metadata() {
    return new RawMetadata(
        first(columns.dates()),
        first(columns.languages()),
        "",
        columns.metadata().stream()
            .map(places -> first(ImmutableList.of(places)))
            .collect(ImmutableList.toImmutableList()));
  }

  /** The first value that is not empty. */
  private String first(ImmutableList<List<Integer>> names) {
    for (List<Integer> places : names) {
      for (int place : places) {
        for (byte[] value : values.get(place).row) {
          String text = WellFormed.name(value, 0, value.length).strip();
          if (!text.isEmpty()) {
            return text;
          }
        }
      }
    }
    return "";
  }
}
