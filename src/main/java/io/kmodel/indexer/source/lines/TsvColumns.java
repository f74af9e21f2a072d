package io.kmodel.indexer.source.lines;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.source.record.Lines;
import io.kmodel.indexer.source.record.WellFormed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of the fields in a list's lines: by number, as in MS MARCO's collections, or by the
 * names in the list's first line, as in DPR's {@code psgs_w100.tsv} ({@code id}, {@code text},
 * {@code title}). Columns with other names, next to an id and a text, hold at most metadata. A line
 * equal to the first one is never a document, so that lists may be concatenated, and read from any
 * offset. Immutable.
 */
public final class TsvColumns {
  /** What a column holds. */
  private enum Column {
    ID,
    URI,
    TITLE,
    TEXT,
    /** Not text. */
    OTHER
  }

  /** Lists without a header, by the number of fields in a line, from 2 on. */
  private static final ImmutableList<TsvColumns> USUAL =
      ImmutableList.of(
          new TsvColumns("", List.of(), List.of(Column.ID, Column.TEXT)),
          new TsvColumns("", List.of(), List.of(Column.ID, Column.TITLE, Column.TEXT)),
          new TsvColumns("", List.of(), List.of(Column.ID, Column.URI, Column.TITLE, Column.TEXT)));

  /** Longer lines are not headers. */
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

  /** The header without its line end, as ISO-8859-1; empty if there is no header. */
  private final String header;

  /** The names in the header; empty if there is no header. */
  private final ImmutableList<String> names;

  /** Number of fields in a line. */
  final int count;

  /** Indexes of the fields; -1 if a field is missing, which id and text never are. */
  final int id;

  final int uri;
  final int title;
  final int text;

  private TsvColumns(String header, List<String> names, List<Column> columns) {
    this.header = header;
    this.names = ImmutableList.copyOf(names);
    this.count = columns.size();
    this.id = columns.indexOf(Column.ID);
    this.uri = columns.indexOf(Column.URI);
    this.title = columns.indexOf(Column.TITLE);
    this.text = columns.indexOf(Column.TEXT);
  }

  /** The columns of a line of 2 to 4 fields in a list without a header. */
  static TsvColumns usual(int fields) {
    return USUAL.get(fields - 2);
  }

  /**
   * The columns that are named in the first line of a file with these bytes; null if it names none.
   */
  public static @Nullable TsvColumns named(byte[] bytes, int from, int length) {
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
    List<String> names = new ArrayList<>();
    for (String field : line.split("\t", -1)) {
      String name = unquoted(field);
      Column column = NAMES.getOrDefault(name.toLowerCase(Locale.ROOT), Column.OTHER);
      if (name.isEmpty() || (column != Column.OTHER && columns.contains(column))) {
        return null;
      }
      columns.add(column);
      names.add(WellFormed.name(name));
    }
    TsvColumns named = new TsvColumns(line, names, columns);
    return named.id < 0 || named.text < 0 ? null : named;
  }

  /** The index of a column that the header names, in either case; -1 if not found. */
  int indexOf(String name) {
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).equalsIgnoreCase(name)) {
        return i;
      }
    }
    return -1;
  }

  /** A name may be quoted, like the fields below it. */
  private static String unquoted(String name) {
    boolean isQuoted = name.length() > 1 && name.startsWith("\"") && name.endsWith("\"");
    return isQuoted ? name.substring(1, name.length() - 1) : name;
  }

  /** Whether a line equals the header. */
  public boolean isHeader(byte[] line, int length) {
    int at = Lines.markBytes(line, 0, length);
    // Most lines are longer and need not be decoded.
    return length - at <= header.length() + 1 && header.equals(text(line, at, length));
  }

  private static String text(byte[] bytes, int from, int to) {
    int end = to > from && bytes[to - 1] == '\r' ? to - 1 : to;
    return new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
  }
}
