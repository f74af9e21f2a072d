package io.kmodel.indexer.parse.field;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Ordering;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.text.Suggestions;
import io.kmodel.indexer.source.MetadataRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The metadata that documents have, and where each value is found.
 *
 * @param columns in order of their names
 * @param sources for each column the name of the member, column, tag or meta element with its
 *     value; empty for a {@link KnownColumn}
 */
public record MetadataPlan(ImmutableList<Column> columns, ImmutableList<String> sources) {
  /** No metadata. */
  public static final MetadataPlan NONE = new MetadataPlan(ImmutableList.of());

  private static final String KNOWN = "metadata";
  private static final String NAMED = "metadata-from";

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");

  /** Names with another meaning in an index. */
  private static final ImmutableSet<String> RESERVED = ImmutableSet.of(Schema.ID, Schema.RAW);

  public MetadataPlan {
    if (!Ordering.natural().onResultOf(Column::name).isStrictlyOrdered(columns)) {
      throw new IllegalArgumentException(
          "columns must be distinct and ordered by name; got " + columns);
    }
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      if (!NAME.matcher(column.name()).matches() || RESERVED.contains(column.name())) {
        throw new IllegalArgumentException(
            "a column's name has letters, digits, - and _, starts with a letter, and is not one of %s; got '%s'"
                .formatted(RESERVED, column.name()));
      }
      KnownColumn known = KnownColumn.named(column.name());
      if (sources.get(i).isEmpty() && (known == null || !known.column().equals(column))) {
        throw new IllegalArgumentException("no source for the column " + column);
      }
    }
  }

  /** Columns that are known or else found under their own names. */
  public MetadataPlan(ImmutableList<Column> columns) {
    this(
        columns,
        columns.stream()
            .map(column -> KnownColumn.named(column.name()) == null ? column.name() : "")
            .collect(ImmutableList.toImmutableList()));
  }

  /**
   * Parses columns.
   *
   * @param known names of {@link KnownColumn}
   * @param named definitions such as {@code year=published:int}
   * @throws IllegalArgumentException if one is invalid
   */
  public static MetadataPlan parse(List<String> known, List<String> named) {
    Map<String, Column> columns = new TreeMap<>();
    Map<String, String> sources = new TreeMap<>();
    for (String given : known) {
      String name = given.strip();
      KnownColumn column = KnownColumn.named(name);
      if (column == null) {
        throw new IllegalArgumentException(
            "unknown metadata '%s'%s"
                .formatted(name, Suggestions.among(name, KnownColumn.names())));
      }
      put(column.column(), "", columns, sources);
    }
    named.forEach(definition -> define(definition.strip(), columns, sources));
    return new MetadataPlan(
        ImmutableList.copyOf(columns.values()), ImmutableList.copyOf(sources.values()));
  }

  private static void define(
      String definition, Map<String, Column> columns, Map<String, String> sources) {
    int equals = definition.indexOf('=');
    int colon = definition.lastIndexOf(':');
    String source = definition.substring(equals + 1, colon > equals ? colon : definition.length());
    if (equals < 0 || source.isBlank()) {
      throw new IllegalArgumentException(
          "write sources of metadata as in year=published:int; got '%s'".formatted(definition));
    }
    ColumnType type = ColumnType.STRING;
    if (colon > equals) {
      type = type(definition.substring(colon + 1));
      if (type == null) {
        throw new IllegalArgumentException(
            "the type of metadata must be string, int, double or date; got '%s' (a name with a colon needs a type behind it)"
                .formatted(definition));
      }
    }
    put(
        new Column(definition.substring(0, equals).strip(), type),
        source.strip(),
        columns,
        sources);
  }

  private static @Nullable ColumnType type(String name) {
    return Arrays.stream(ColumnType.values())
        .filter(type -> label(type).equals(name.strip()))
        .findFirst()
        .orElse(null);
  }

  private static String label(ColumnType type) {
    return type.name().toLowerCase(Locale.ROOT);
  }

  private static void put(
      Column column, String source, Map<String, Column> columns, Map<String, String> sources) {
    if (columns.put(column.name(), column) != null) {
      throw new IllegalArgumentException("metadata '%s' is given twice".formatted(column.name()));
    }
    sources.put(column.name(), source);
  }

  /** Reads the plan of an index from its options, see {@link #addTo}. */
  public static MetadataPlan from(Map<String, String> options) {
    return parse(list(options.get(KNOWN)), list(options.get(NAMED)));
  }

  private static List<String> list(@Nullable String recorded) {
    return recorded == null ? List.of() : Splitter.on(',').splitToList(recorded);
  }

  /** Adds the columns to the options of an index, if there are any. */
  public void addTo(Map<String, String> options) {
    List<String> known = new ArrayList<>();
    List<String> named = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      if (sources.get(i).isEmpty()) {
        known.add(column.name());
      } else {
        named.add("%s=%s:%s".formatted(column.name(), sources.get(i), label(column.type())));
      }
    }
    if (!known.isEmpty()) {
      options.put(KNOWN, String.join(",", known));
    }
    if (!named.isEmpty()) {
      options.put(NAMED, String.join(",", named));
    }
  }

  /** The index of a known column; -1 if it is not wanted. */
  public int indexOf(KnownColumn known) {
    int index = columns.indexOf(known.column());
    return index >= 0 && sources.get(index).isEmpty() ? index : -1;
  }

  /** Whether the languages of texts are detected. */
  public boolean detectsLanguages() {
    return indexOf(KnownColumn.DETECTED_LANGUAGE) >= 0;
  }

  /**
   * The same, with the languages of texts detected.
   *
   * @throws IllegalArgumentException if that name is taken
   */
  public MetadataPlan withLanguages() {
    if (detectsLanguages()) {
      return this;
    }
    Map<String, Column> allColumns = new TreeMap<>();
    Map<String, String> allSources = new TreeMap<>();
    for (int i = 0; i < columns.size(); i++) {
      allColumns.put(columns.get(i).name(), columns.get(i));
      allSources.put(columns.get(i).name(), sources.get(i));
    }
    Column detected = KnownColumn.DETECTED_LANGUAGE.column();
    if (allColumns.put(detected.name(), detected) != null) {
      throw new IllegalArgumentException(
          "metadata '%s' is the language that is detected; give the other one another name"
              .formatted(detected.name()));
    }
    allSources.put(detected.name(), "");
    return new MetadataPlan(
        ImmutableList.copyOf(allColumns.values()), ImmutableList.copyOf(allSources.values()));
  }

  /** The names whose values are wanted, each once. */
  public ImmutableList<String> names() {
    return sources.stream()
        .filter(source -> !source.isEmpty())
        .distinct()
        .collect(ImmutableList.toImmutableList());
  }

  /** What readers of the source must note. */
  public MetadataRequest request() {
    return new MetadataRequest(
        indexOf(KnownColumn.DATE) >= 0,
        indexOf(KnownColumn.LANGUAGE) >= 0 || indexOf(KnownColumn.CONTENT_TYPE) >= 0,
        names());
  }
}
