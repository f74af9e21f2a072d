package io.kmodel.indexer.source;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * Which members of an object of JSON hold the parts of a document, where these are not called as
 * collections usually call them ({@link UsualMembers}).
 *
 * <p>A dot leads into an object, or into each one of a list: {@code body_text.text}; or it is part
 * of the name of a member of the object itself. Of several members for id or url the first one that
 * has something counts; of several for title, headings or contents all do, in this order, with a
 * line feed between.
 *
 * @param names by part: id, url, title, headings, contents; the others have their usual names
 */
public record JsonMembers(ImmutableSortedMap<String, ImmutableList<String>> names) {
  /** No part has other names than usual. */
  public static final JsonMembers USUAL = new JsonMembers(ImmutableSortedMap.of());

  private static final char DOT = '.';

  public JsonMembers {
    names.forEach(
        (part, members) -> {
          part(part);
          if (members.isEmpty() || new HashSet<>(members).size() < members.size()) {
            throw new IllegalArgumentException(
                "a document's %s is in members of JSON, each named once; got '%s'"
                    .formatted(part, String.join(",", members)));
          }
          members.forEach(JsonMembers::requireName);
        });
  }

  private static void requireName(String member) {
    if (Splitter.on(DOT).splitToStream(member).anyMatch(String::isBlank)
        || member.indexOf(',') >= 0
        || member.indexOf(';') >= 0) {
      throw new IllegalArgumentException(
          "a member of JSON has a name without , and ;, and so has each one on the way to it; got '%s'"
              .formatted(member));
    }
  }

  /**
   * Reads definitions as {@code contents=abstract.text,body_text.text}, one for a part.
   *
   * @throws IllegalArgumentException if one cannot be
   */
  public static JsonMembers parse(List<String> definitions) {
    Map<String, ImmutableList<String>> names = new TreeMap<>();
    for (String definition : definitions) {
      int equals = definition.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException(
            "members of JSON are named as in contents=abstract,body.text; got '%s'"
                .formatted(definition));
      }
      String part = definition.substring(0, equals).strip();
      List<String> members =
          Splitter.on(',').trimResults().splitToList(definition.substring(equals + 1));
      if (names.put(part, ImmutableList.copyOf(members)) != null) {
        throw new IllegalArgumentException(
            "members of JSON are named twice for a document's " + part);
      }
    }
    return new JsonMembers(ImmutableSortedMap.copyOf(names));
  }

  /** Whether all parts have their usual names. */
  public boolean isUsual() {
    return names.isEmpty();
  }

  /** The parts that are named, with the names of the members on the way to each. */
  Map<JsonPart, List<List<String>>> paths() {
    Map<JsonPart, List<List<String>>> paths = new TreeMap<>();
    names.forEach(
        (part, members) ->
            paths.put(part(part), members.stream().map(Splitter.on(DOT)::splitToList).toList()));
    return paths;
  }

  private static JsonPart part(String name) {
    List<String> known = new ArrayList<>();
    for (JsonPart part : JsonPart.values()) {
      if (part.label().equals(name)) {
        return part;
      }
      known.add(part.label());
    }
    throw new IllegalArgumentException(
        "members of JSON hold a document's %s; got '%s'".formatted(String.join(", ", known), name));
  }

  /** The definitions, with a semicolon between, which no name has. */
  @Override
  public String toString() {
    StringJoiner definitions = new StringJoiner(";");
    names.forEach((part, members) -> definitions.add(part + "=" + String.join(",", members)));
    return definitions.toString();
  }
}
