package io.kmodel.indexer.source.parquet;

import com.google.common.collect.ImmutableList;
import dev.hardwood.schema.ColumnSchema;
import dev.hardwood.schema.FileSchema;
import dev.hardwood.schema.SchemaNode;
import dev.hardwood.schema.SchemaNode.PrimitiveNode;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.JsonPart;
import io.kmodel.indexer.source.MetadataRequest;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.json.UsualMembers;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a file that are read, and for what: those that hold a part of a document by the
 * names that members of JSON have ({@link UsualMembers}, or as the user says), and those that hold
 * metadata. Immutable.
 */
final class ParquetColumns {
  private static final String OTHERS = "name others with --format parquet --json-members";

  /** Values of a fixed length are decimals, UUIDs and short floats; a longer one is damage. */
  private static final int MOST_FIXED_BYTES = 1 << 16;

  /** A column that is read. */
  record Leaf(ColumnSchema column, LeafText text) {}

  private final ParquetSchema schema;
  private final FileSchema columns;
  private final List<Leaf> leaves = new ArrayList<>();
  private final Map<JsonPart, List<Integer>> parts = new EnumMap<>(JsonPart.class);
  private final Set<JsonPart> named;
  private final ImmutableList<List<Integer>> metadata;
  private final ImmutableList<List<Integer>> dates;
  private final ImmutableList<List<Integer>> languages;
  private final Set<String> used = new TreeSet<>();
  private final Set<String> missing = new TreeSet<>();
  private final List<String> ids;

  /**
   * Chooses columns.
   *
   * @throws UnreadableParquetException if the text or the id has no column, or if a column that the
   *     user named is not text; the message lists the columns
   */
  ParquetColumns(FileSchema columns, SourceOptions options) throws UnreadableParquetException {
    this.columns = columns;
    this.schema = new ParquetSchema(columns);
    this.named = options.json().paths().keySet();
    this.ids = names(JsonPart.ID, options);
    if (options.docno().isPath()) {
      // Not needed, but not overlooked either.
      used.addAll(ids);
    }
    for (JsonPart part : JsonPart.values()) {
      boolean isWanted = part != JsonPart.ID || !options.docno().isPath();
      parts.put(part, isWanted ? leaves(part, options) : List.of());
    }
    require(JsonPart.TEXT, options, "");
    if (!options.docno().isPath() && (options.docno() != Docno.URI || of(JsonPart.URI).isEmpty())) {
      require(JsonPart.ID, options, ", or choose --docno path or uri");
    }
    MetadataRequest request = options.metadata();
    this.metadata = metadata(request.names());
    this.dates = metadata(request.usualDates());
    this.languages = metadata(request.usualLanguages());
  }

  private static List<String> names(JsonPart part, SourceOptions options) {
    ImmutableList<String> given = options.json().names().get(part.label());
    return given == null ? UsualMembers.names(part) : given;
  }

  private List<Integer> leaves(JsonPart part, SourceOptions options)
      throws UnreadableParquetException {
    List<Integer> found = new ArrayList<>();
    for (String name : names(part, options)) {
      List<SchemaNode> nodes = schema.find(name);
      if (nodes.isEmpty() && isNamed(part)) {
        missing.add(name);
      }
      for (SchemaNode node : nodes) {
        Leaf leaf = leaf(node);
        boolean isList = leaf != null && leaf.column().maxRepetitionLevel() > 0;
        if (isNamed(part)) {
          if (leaf == null || (isList && (part == JsonPart.ID || part == JsonPart.URI))) {
            throw unreadable(
                "its column '%s' is %s".formatted(name, leaf == null ? "not text" : "a list"));
          }
          found.add(place(leaf));
        } else if (leaf != null && (!isList || (part != JsonPart.ID && isListOfStrings(leaf)))) {
          found.add(place(leaf));
        }
      }
    }
    return found;
  }

  private static boolean isListOfStrings(Leaf leaf) {
    ColumnSchema column = leaf.column();
    return column.maxRepetitionLevel() == 1
        && LeafText.isString(column.type(), column.logicalType());
  }

  private @Nullable Leaf leaf(SchemaNode node) {
    if (!(node instanceof PrimitiveNode primitive)) {
      return null;
    }
    ColumnSchema column = columns.getColumn(primitive.columnIndex());
    LeafText text = LeafText.of(column.type(), column.logicalType());
    boolean isLong = column.typeLength() != null && column.typeLength() > MOST_FIXED_BYTES;
    return text == null || isLong ? null : new Leaf(column, text);
  }

  /** The place of a column among those that are read. */
  private int place(Leaf leaf) {
    for (int i = 0; i < leaves.size(); i++) {
      if (leaves.get(i).column().columnIndex() == leaf.column().columnIndex()) {
        return i;
      }
    }
    leaves.add(leaf);
    used.add(leaf.column().fieldPath().topLevelName());
    return leaves.size() - 1;
  }

  private ImmutableList<List<Integer>> metadata(List<String> names) {
    ImmutableList.Builder<List<Integer>> found = ImmutableList.builder();
    for (String name : names) {
      List<Integer> places = new ArrayList<>();
      for (SchemaNode node : schema.find(name)) {
        Leaf leaf = leaf(node);
        if (leaf != null) {
          places.add(place(leaf));
        }
      }
      found.add(places);
    }
    return found.build();
  }

  private void require(JsonPart part, SourceOptions options, String besides)
      throws UnreadableParquetException {
    if (of(part).isEmpty()) {
      throw unreadable(
          "it has no column for the %s, expected one of %s; %s%s"
              .formatted(part.label(), names(part, options), OTHERS, besides));
    }
  }

  /**
   * Says which columns the file lacks although the user named them for a part that has others, as
   * after a mistyped name; empty if it has all.
   */
  String missing() {
    return missing.isEmpty()
        ? ""
        : "no column '%s', as --json-members names it. Its columns: %s"
            .formatted(String.join("', '", missing), schema.describe());
  }

  private UnreadableParquetException unreadable(String why) {
    return new UnreadableParquetException(
        "a Parquet file that cannot be used: %s. Its columns: %s"
            .formatted(why, schema.describe()));
  }

  /** The columns that are read. */
  List<Leaf> leaves() {
    return leaves;
  }

  /** The places of the columns of a part, in order of preference. */
  List<Integer> of(JsonPart part) {
    return parts.getOrDefault(part, List.of());
  }

  /** The columns of titles and texts. */
  List<ColumnSchema> texts() {
    return Stream.of(JsonPart.TITLE, JsonPart.TEXT)
        .flatMap(part -> of(part).stream())
        .distinct()
        .map(place -> leaves.get(place).column())
        .toList();
  }

  /** Whether the user named the columns of a part, which then count together. */
  boolean isNamed(JsonPart part) {
    return named.contains(part);
  }

  /** The names of columns that may hold an id. */
  List<String> ids() {
    return ids;
  }

  /** The places of the columns of each wanted name. */
  ImmutableList<List<Integer>> metadata() {
    return metadata;
  }

  ImmutableList<List<Integer>> dates() {
    return dates;
  }

  ImmutableList<List<Integer>> languages() {
    return languages;
  }

  /** The columns that are not read. */
  List<String> unread() {
    return schema.names().stream().filter(name -> !used.contains(name)).toList();
  }
}
