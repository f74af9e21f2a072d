package io.kmodel.indexer.api;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.indexing.added.AddedDocument;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.RawMetadata;
import io.kmodel.indexer.source.record.WellFormed;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A document to add to an {@link IndexBuilder}: an id, and texts and metadata that may all be
 * missing. The methods change this object and return it. Once it is added, it can be changed and
 * added again; the index has it as it was at each addition. Not thread-safe.
 */
public final class Document {
  /** Years that have four digits. */
  private static final int MOST_YEAR = 9999;

  private record Value(MetadataType type, String text) {}

  private final String id;
  private ContentType type = ContentType.PLAIN_TEXT;
  private String contents = "";
  private String title = "";
  private String url = "";
  private String headings = "";
  private final Map<String, Value> metadata = new LinkedHashMap<>();

  private Document(String id) {
    this.id = id;
  }

  /**
   * A document without texts.
   *
   * @param id not empty. Two documents may have the same id; both are indexed then
   * @return the document
   * @throws IllegalArgumentException if the id is empty
   */
  public static Document of(String id) {
    if (id.isEmpty()) {
      throw new IllegalArgumentException("a document needs an id that is not empty");
    }
    return new Document(id);
  }

  /**
   * Sets the contents to plain text.
   *
   * @param text the whole text, of which nothing is markup
   * @return this
   */
  public Document contents(String text) {
    contents = Objects.requireNonNull(text);
    type = ContentType.PLAIN_TEXT;
    return this;
  }

  /**
   * Sets the contents to an HTML page. Title and headings are then those of the page. Its {@code
   * meta} elements give metadata of their names that this document has no value for.
   *
   * @param page the markup
   * @return this
   */
  public Document html(String page) {
    contents = Objects.requireNonNull(page);
    type = ContentType.HTML;
    return this;
  }

  /**
   * Sets the title.
   *
   * @param text plain text
   * @return this
   */
  public Document title(String text) {
    title = Objects.requireNonNull(text);
    return this;
  }

  /**
   * Sets the headings, which are indexed if the index has a field for them.
   *
   * @param text plain text
   * @return this
   */
  public Document headings(String text) {
    headings = Objects.requireNonNull(text);
    return this;
  }

  /**
   * Sets the URL, whose words are indexed if the index has a field for it.
   *
   * @param text the URL
   * @return this
   */
  public Document url(String text) {
    url = Objects.requireNonNull(text);
    return this;
  }

  /**
   * Sets a value of the type {@link MetadataType#STRING}. Runs of white space become one space.
   *
   * @param column its name in the settings of the index
   * @param value at most 4096 bytes in UTF-8; no value if it is blank
   * @return this
   */
  public Document metadata(String column, String value) {
    return put(column, MetadataType.STRING, value);
  }

  /**
   * Sets a value of the type {@link MetadataType#INTEGER}.
   *
   * @param column its name in the settings of the index
   * @param value any number
   * @return this
   */
  public Document metadata(String column, long value) {
    return put(column, MetadataType.INTEGER, Long.toString(value));
  }

  /**
   * Sets a value of the type {@link MetadataType#DOUBLE}.
   *
   * @param column its name in the settings of the index
   * @param value a finite number
   * @return this
   * @throws IllegalArgumentException if it is not finite
   */
  public Document metadata(String column, double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(
          "%s: '%s' must be a finite number; got %s".formatted(id, column, value));
    }
    return put(column, MetadataType.DOUBLE, Double.toString(value));
  }

  /**
   * Sets a value of the type {@link MetadataType#DATE}.
   *
   * @param column its name in the settings of the index
   * @param value kept to the millisecond; its year is 0 to 9999
   * @return this
   * @throws IllegalArgumentException if the year has not four digits
   */
  public Document metadata(String column, Instant value) {
    try {
      int year = value.atZone(ZoneOffset.UTC).getYear();
      if (year >= 0 && year <= MOST_YEAR) {
        return put(
            column, MetadataType.DATE, Instant.ofEpochMilli(value.toEpochMilli()).toString());
      }
    } catch (ArithmeticException | DateTimeException e) {
      // The message is the same.
    }
    throw new IllegalArgumentException(
        "%s: the year of '%s' must be 0 to %d; got %s".formatted(id, column, MOST_YEAR, value));
  }

  private Document put(String column, MetadataType of, String text) {
    metadata.put(Objects.requireNonNull(column), new Value(of, Objects.requireNonNull(text)));
    return this;
  }

  /**
   * The form in which an index with these columns takes it.
   *
   * @throws IllegalArgumentException if a text is not Unicode, or metadata does not fit
   */
  AddedDocument added(ImmutableList<Column> columns) {
    if (type == ContentType.HTML && !(title.isEmpty() && headings.isEmpty())) {
      throw new IllegalArgumentException(
          id + ": an HTML page has its own title and headings; set none beside it");
    }
    requireColumns(columns);
    ImmutableList.Builder<String> values = ImmutableList.builder();
    for (Column column : columns) {
      Value value = metadata.get(column.name());
      values.add(value == null ? "" : checked(column.name(), value.text()));
    }
    return new AddedDocument(
        checked("id", id),
        type,
        checked("contents", contents).getBytes(StandardCharsets.UTF_8),
        checked("title", title),
        checked("url", url),
        checked("headings", headings),
        RawMetadata.of("", values.build()));
  }

  private void requireColumns(ImmutableList<Column> columns) {
    metadata.forEach(
        (name, value) -> {
          Column column =
              columns.stream()
                  .filter(c -> c.name().equals(name))
                  .findFirst()
                  .orElseThrow(
                      () ->
                          new IllegalArgumentException(
                              "%s: the index has no metadata '%s'; it has %s"
                                  .formatted(
                                      id, name, columns.stream().map(Column::name).toList())));
          if (value.text().length() > Column.MAX_STRING_BYTES
              || value.text().getBytes(StandardCharsets.UTF_8).length > Column.MAX_STRING_BYTES) {
            throw new IllegalArgumentException(
                "%s: the value of '%s' is longer than %,d bytes"
                    .formatted(id, name, Column.MAX_STRING_BYTES));
          }
          if (column.type() != value.type().column()) {
            throw new IllegalArgumentException(
                "%s: the values of '%s' are of type %s; got one of type %s"
                    .formatted(id, name, MetadataType.of(column.type()), value.type()));
          }
        });
  }

  private String checked(String what, String text) {
    if (!WellFormed.is(text)) {
      throw new IllegalArgumentException(
          "%s: the %s holds half a surrogate pair, which is not Unicode".formatted(id, what));
    }
    return text;
  }
}
