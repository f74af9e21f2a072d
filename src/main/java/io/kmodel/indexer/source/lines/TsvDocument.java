package io.kmodel.indexer.source.lines;

import com.google.common.base.Utf8;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.MetadataRequest;
import io.kmodel.indexer.source.RawMetadata;
import io.kmodel.indexer.source.TsvQuotes;
import io.kmodel.indexer.source.record.DamagedRecordException;
import io.kmodel.indexer.source.record.Lines;
import io.kmodel.indexer.source.record.WellFormed;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A line of fields with tabs in between. In MS MARCO's collections, these are id and text; id,
 * title and text; or id, URL, title and text. Otherwise a header names them. A byte order mark is
 * not part of the id.
 *
 * <p>Fields may be quoted as in CSV: if a field is enclosed in quotation marks and has only pairs
 * of them inside, it stands for the enclosed text, with one mark for each pair. Tabs and line feeds
 * within are text. A field that starts with a mark and is not quoted in this way is taken
 * literally. So is one that would end in a further line, if each of these lines has as many fields
 * as the header: an unpaired mark then takes no other records away. Memory: the largest quoted text
 * so far. Not thread-safe.
 */
public final class TsvDocument implements TextRecord.Parser {
  private static final int MAX_FIELDS = 4;

  /** Decodes bytes to text. */
  @FunctionalInterface
  private interface Decoding {
    String decode(byte[] bytes, int from, int length);
  }

  private final @Nullable TsvColumns named;
  private final MetadataRequest wanted;
  private final boolean quoted;

  /** Whether marks that pair always enclose a field, even if each line could be a record. */
  private final boolean isCertain;

  /** Where the fields of the current line start; after the last one, where another would start. */
  private final int[] starts;

  /** Holds a text without its quotes. */
  private byte[] unquoted = {};

  /**
   * Parses the lines of a file.
   *
   * @param named the columns that its first line names, or null
   */
  public TsvDocument(@Nullable TsvColumns named) {
    this(named, MetadataRequest.NONE, TsvQuotes.AUTO);
  }

  /**
   * The same with metadata, in columns that the first line names.
   *
   * @param quotes what quotation marks mean
   */
  public TsvDocument(@Nullable TsvColumns named, MetadataRequest wanted, TsvQuotes quotes) {
    this.named = named;
    this.wanted = wanted;
    this.quoted = quotes.apply(named != null);
    this.isCertain = quotes == TsvQuotes.YES;
    this.starts = new int[Math.max(MAX_FIELDS, named == null ? 0 : named.count) + 1];
  }

  @Override
  public @Nullable TextRecord parse(byte[] line, int length) throws DamagedRecordException {
    if (named != null && named.isHeader(line, length)) {
      return null;
    }
    TsvColumns columns = columns(split(line, length));
    String id = field(line, columns.id, WellFormed::name);
    String uri = field(line, columns.uri, WellFormed::name);
    String title = field(line, columns.title, TsvDocument::utf8);
    boolean decoded = title.indexOf('\uFFFD') < 0 || isUtf8(line, columns.title);
    int from = starts[columns.text];
    int to = starts[columns.text + 1] - 1;
    if (!isQuoted(line, from, to)) {
      return new TextRecord(ContentType.PLAIN_TEXT, id, uri, title, "", decoded, line, from, to)
          .withMetadata(metadata(line));
    }
    if (unquoted.length < to - from) {
      unquoted = new byte[to - from];
    }
    return new TextRecord(
            ContentType.PLAIN_TEXT,
            id,
            uri,
            title,
            "",
            decoded,
            unquoted,
            0,
            unquote(line, from, to, unquoted))
        .withMetadata(metadata(line));
  }

  private RawMetadata metadata(byte[] line) {
    if (wanted.isEmpty() || named == null) {
      return RawMetadata.NONE;
    }
    return new RawMetadata(
        first(line, wanted.usualDates()),
        first(line, wanted.usualLanguages()),
        "",
        wanted.names().stream()
            .map(name -> first(line, List.of(name)))
            .collect(ImmutableList.toImmutableList()));
  }

  /** The first value in columns of these names that is not empty. */
  private String first(byte[] line, List<String> names) {
    for (String name : names) {
      String value = named == null ? "" : field(line, named.indexOf(name), WellFormed::name);
      if (!value.isEmpty()) {
        return value;
      }
    }
    return "";
  }

  /** Finds the fields of a line; returns their number. */
  private int split(byte[] line, int length) throws DamagedRecordException {
    starts[0] = Lines.markBytes(line, 0, length);
    int fields = 1;
    for (int i = fieldEnd(line, starts[0], length); i < length; i = fieldEnd(line, i + 1, length)) {
      if (fields == starts.length - 1) {
        throw new DamagedRecordException(
            named == null
                ? "more than 4 fields in a line, expected 2 to 4"
                : "more than %d fields in a line, expected %d as in the first line"
                    .formatted(fields, named.count));
      }
      starts[fields++] = i + 1;
    }
    if (fields < 2) {
      throw new DamagedRecordException("no tab in a line, expected 2 to 4 fields");
    }
    starts[fields] = length + 1;
    return fields;
  }

  private TsvColumns columns(int fields) throws DamagedRecordException {
    if (named == null) {
      return TsvColumns.usual(fields);
    }
    if (fields != named.count) {
      throw new DamagedRecordException(
          "%d fields in a line, expected %d as in the first line".formatted(fields, named.count));
    }
    return named;
  }

  private String field(byte[] line, int field, Decoding decoding) {
    if (field < 0) {
      return "";
    }
    int from = starts[field];
    int to = starts[field + 1] - 1;
    if (!isQuoted(line, from, to)) {
      return decoding.decode(line, from, to - from).strip();
    }
    byte[] bytes = new byte[to - from];
    return decoding.decode(bytes, 0, unquote(line, from, to, bytes)).strip();
  }

  private static String utf8(byte[] bytes, int from, int length) {
    return new String(bytes, from, length, StandardCharsets.UTF_8);
  }

  private boolean isUtf8(byte[] line, int field) {
    int from = starts[field];
    return Utf8.isWellFormed(line, from, starts[field + 1] - 1 - from);
  }

  /** The offset of the tab after a field, or the end of the record. */
  private int fieldEnd(byte[] line, int from, int length) {
    int at =
        quoted && from < length && line[from] == '"' ? quotedEnd(line, from + 1, length) : from;
    at = at < 0 || (at < length && line[at] != '\t') ? from : at;
    while (at < length && line[at] != '\t') {
      at++;
    }
    return at;
  }

  /** The offset after the mark that ends a quoted field, or -1 if none does. */
  private static int quotedEnd(byte[] bytes, int from, int end) {
    for (int i = from; i < end; i++) {
      if (bytes[i] == '"') {
        i++;
        if (i == end || bytes[i] != '"') {
          return i;
        }
      }
    }
    return -1;
  }

  @Override
  public boolean isOpen(byte[] record, int length) {
    if (!quoted) {
      return false;
    }
    int end = withoutLineEnd(record, length);
    int fields = 0;
    for (int from = Lines.markBytes(record, 0, end); from < end; from++) {
      fields++;
      if (fields == starts.length) {
        return false;
      }
      if (record[from] == '"' && quotedEnd(record, from + 1, end) < 0) {
        return true;
      }
      from = fieldEnd(record, from, end);
    }
    return false;
  }

  @Override
  public int further(byte[] record, int length, byte[] next, int from, int end, boolean isAll) {
    int closed = quotedEnd(next, from, end);
    if (closed < 0 || (closed == end && !isAll)) {
      return 0;
    }
    int at = closed;
    if (at < end && next[at] == '\r') {
      at++;
    }
    if (at < end && next[at] != '\t' && next[at] != '\n') {
      return 0;
    }
    while (at < end && next[at] != '\n') {
      at++;
    }
    if (at == end && !isAll) {
      return 0;
    }
    boolean areRecords =
        named != null
            && !isCertain
            && areRecords(record, 0, withoutLineEnd(record, length), named.count)
            && areRecords(next, from, at, named.count);
    return areRecords ? 0 : Math.min(at + 1, end) - from;
  }

  /** Whether each of these lines, the last one without its end, has this number of fields. */
  private static boolean areRecords(byte[] lines, int from, int end, int count) {
    int fields = 1;
    for (int i = from; i < end; i++) {
      if (lines[i] == '\t') {
        fields++;
      } else if (lines[i] == '\n') {
        if (fields != count) {
          return false;
        }
        fields = 1;
      }
    }
    return fields == count;
  }

  private static int withoutLineEnd(byte[] record, int length) {
    int end = length > 0 && record[length - 1] == '\n' ? length - 1 : length;
    return end > 0 && record[end - 1] == '\r' ? end - 1 : end;
  }

  /** Whether a field is quoted, in a list where quotes have a meaning. */
  private boolean isQuoted(byte[] line, int from, int to) {
    if (!quoted || to - from < 2 || line[from] != '"' || line[to - 1] != '"') {
      return false;
    }
    for (int i = from + 1; i < to - 1; i++) {
      if (line[i] == '"' && (++i == to - 1 || line[i] != '"')) {
        return false;
      }
    }
    return true;
  }

  /** Removes the quotes of a field; returns the length of its text. */
  private static int unquote(byte[] line, int from, int to, byte[] bytes) {
    int length = 0;
    for (int i = from + 1; i < to - 1; i++) {
      bytes[length++] = line[i];
      i += line[i] == '"' ? 1 : 0;
    }
    return length;
  }
}
