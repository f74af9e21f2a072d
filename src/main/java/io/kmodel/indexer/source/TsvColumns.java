package io.kmodel.indexer.source;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the fields of a list's lines are: those of MS MARCO's collections, by their number, or what
 * the first line of a list calls them, as DPR's {@code psgs_w100.tsv} has one ({@code id}, {@code
 * text}, {@code title}); columns of other names beside an id and a text are passed over. Any line
 * like that is no document, wherever it stands, so that lists may be put one behind the other, and
 * be read from anywhere. Immutable.
 */
final class TsvColumns {
  /** What a column holds. */
  private enum Column {
    ID,
    URI,
    TITLE,
    TEXT,
    /** What is not indexed. */
    OTHER
  }

  /** Lists without a header, by how many fields a line has, from 2 on. */
  private static final ImmutableList<TsvColumns> USUAL =
      ImmutableList.of(
          new TsvColumns("", List.of(Column.ID, Column.TEXT)),
          new TsvColumns("", List.of(Column.ID, Column.TITLE, Column.TEXT)),
          new TsvColumns("", List.of(Column.ID, Column.URI, Column.TITLE, Column.TEXT)));

  /** Longer lines are no headers. */
  private static final int MOST_HEADER_BYTES = 1024;

  private static final ImmutableMap<String, Column> NAMES =
      ImmutableMap.<String, Column>builder()
          .put("id", Column.ID)
          .put("_id", Column.ID)
          .put("docid", Column.ID)
          .put("pid", Column.ID)
          .put("url", Column.URI)
          .put("title", Column.TITLE)
          .put("text", Column.TEXT)
          .put("contents", Column.TEXT)
          .put("body", Column.TEXT)
          .put("passage", Column.TEXT)
          .buildOrThrow();

  /** Without its end, as characters of ISO-8859-1; empty where no line names the columns. */
  private final String header;

  /** How many fields a line has. */
  final int count;

  /** Where it has them; -1 for nowhere, which an id and a text are not. */
  final int id;

  final int uri;
  final int title;
  final int text;

  private TsvColumns(String header, List<Column> columns) {
    this.header = header;
    this.count = columns.size();
    this.id = columns.indexOf(Column.ID);
    this.uri = columns.indexOf(Column.URI);
    this.title = columns.indexOf(Column.TITLE);
    this.text = columns.indexOf(Column.TEXT);
  }

  /** Those of a line of 2 to 4 fields, where there is no header. */
  static TsvColumns usual(int fields) {
    return USUAL.get(fields - 2);
  }

  /** Those that the first line of a file names that has these bytes; null if it names none. */
  static @Nullable TsvColumns named(byte[] bytes, int from, int length) {
    int at = from + Lines.markBytes(bytes, from, from + length);
    int most = Math.min(from + length, at + MOST_HEADER_BYTES);
    int end = at;
    while (end < most && bytes[end] != '\n') {
      end++;
    }
    return end == most ? null : named(text(bytes, at, end));
  }

  private static @Nullable TsvColumns named(String line) {
    List<Column> columns = new ArrayList<>();
    for (String field : line.split("\t", -1)) {
      String name = unquoted(field);
      Column column = NAMES.getOrDefault(name.toLowerCase(Locale.ROOT), Column.OTHER);
      if (name.isEmpty() || (column != Column.OTHER && columns.contains(column))) {
        return null;
      }
      columns.add(column);
    }
    TsvColumns named = new TsvColumns(line, columns);
    return named.id < 0 || named.text < 0 ? null : named;
  }

  /** As the fields behind it may be. */
  private static String unquoted(String name) {
    boolean isQuoted = name.length() > 1 && name.startsWith("\"") && name.endsWith("\"");
    return isQuoted ? name.substring(1, name.length() - 1) : name;
  }

  /** Whether a line names the columns. */
  boolean isHeader(byte[] line, int length) {
    int at = Lines.markBytes(line, 0, length);
    // Most lines are longer: nothing is made of them.
    return length - at <= header.length() + 1 && header.equals(text(line, at, length));
  }

  private static String text(byte[] bytes, int from, int to) {
    int end = to > from && bytes[to - 1] == '\r' ? to - 1 : to;
    return new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
  }
}
