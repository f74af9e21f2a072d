package io.kmodel.indexer.source.parquet;

import com.google.common.base.Splitter;
import dev.hardwood.metadata.LogicalType;
import dev.hardwood.metadata.PhysicalType;
import dev.hardwood.metadata.RepetitionType;
import dev.hardwood.schema.FileSchema;
import dev.hardwood.schema.SchemaNode;
import dev.hardwood.schema.SchemaNode.GroupNode;
import dev.hardwood.schema.SchemaNode.PrimitiveNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds columns by the names that the members of the same documents have in JSON: a dot leads into
 * a group, or into each group of a list, or is part of a column's name.
 */
final class ParquetSchema {
  private static final char DOT = '.';

  /** Longer descriptions are cut. */
  private static final int MOST_CHARS = 2000;

  private final GroupNode root;

  ParquetSchema(FileSchema schema) {
    this.root = schema.getRootNode();
  }

  /** The names of the columns that are not inside another one. */
  List<String> names() {
    return root.children().stream().map(SchemaNode::name).toList();
  }

  /** What a name leads to, in the order of the file; a list counts as its elements. */
  List<SchemaNode> find(String name) {
    List<SchemaNode> found = new ArrayList<>();
    add(found, Splitter.on(DOT).splitToList(name));
    if (name.indexOf(DOT) >= 0) {
      add(found, List.of(name));
    }
    found.sort(Comparator.comparingInt(ParquetSchema::order));
    return found;
  }

  private void add(List<SchemaNode> found, List<String> path) {
    SchemaNode node = root;
    for (String name : path) {
      node = child(node, name);
      if (node == null) {
        return;
      }
      node = element(node);
    }
    found.add(node);
  }

  private static @Nullable SchemaNode child(SchemaNode node, String name) {
    if (!(node instanceof GroupNode group) || group.isMap() || group.isVariant()) {
      return null;
    }
    return group.children().stream().filter(c -> c.name().equals(name)).findFirst().orElse(null);
  }

  private static int order(SchemaNode node) {
    return node instanceof PrimitiveNode leaf ? leaf.columnIndex() : -1;
  }

  /** The elements of lists and of lists of lists; anything else is returned as it is. */
  private static SchemaNode element(SchemaNode node) {
    SchemaNode inner = node;
    while (inner instanceof GroupNode group && group.isList() && group.getListElement() != null) {
      inner = group.getListElement();
    }
    return inner;
  }

  /** The columns with their types, for messages. */
  String describe() {
    String all =
        root.children().stream()
            .map(node -> node.name() + " " + type(node))
            .collect(Collectors.joining(", "));
    return all.length() > MOST_CHARS ? all.substring(0, MOST_CHARS) + "…" : all;
  }

  private static String type(SchemaNode node) {
    String type =
        switch (node) {
          case PrimitiveNode leaf -> type(leaf.type(), leaf.logicalType());
          case GroupNode group -> typeOf(group);
        };
    return list(type, isRepeated(node));
  }

  private static String typeOf(GroupNode group) {
    SchemaNode element = group.getListElement();
    if (element != null) {
      return list(type(element), !isRepeated(element));
    }
    if (group.isMap()) {
      return "map";
    }
    return group.isVariant()
        ? "variant"
        : group.children().stream()
            .map(child -> child.name() + " " + type(child))
            .collect(Collectors.joining(", ", "group<", ">"));
  }

  private static boolean isRepeated(SchemaNode node) {
    return node.repetitionType() == RepetitionType.REPEATED;
  }

  private static String list(String type, boolean isList) {
    return isList ? "list<" + type + ">" : type;
  }

  private static String type(PhysicalType type, @Nullable LogicalType meaning) {
    return switch (meaning) {
      case LogicalType.StringType string -> "string";
      case LogicalType.EnumType name -> "enum";
      case LogicalType.JsonType json -> "json";
      case LogicalType.DateType date -> "date";
      case LogicalType.TimeType time -> "time";
      case LogicalType.TimestampType time -> "timestamp";
      case LogicalType.DecimalType decimal -> "decimal";
      case LogicalType.UuidType uuid -> "uuid";
      case null ->
          type == PhysicalType.BYTE_ARRAY ? "binary" : type.name().toLowerCase(Locale.ROOT);
      default -> type.name().toLowerCase(Locale.ROOT);
    };
  }
}
