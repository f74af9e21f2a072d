package io.kmodel.indexer.source;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kmodel.indexer.source.json.UsualMembers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * Which members of a JSON object hold the parts of a document, if they do not have the usual names
 * ({@link UsualMembers}).
 *
 * <p>A dot leads into an object, or into each object of a list: {@code body_text.text}. It may also
 * be part of the name of a member of the object itself. Of several members for id or url, the first
 * non-empty one counts; of several for title, headings or contents, all count, in this order, with
 * a line feed in between.
 *
 * @param names by part: id, url, title, headings, contents; the other parts have their usual names
 */
public record JsonMembers(ImmutableSortedMap<String, ImmutableList<String>> names) {
  /** All parts have their usual names. */
  public static final JsonMembers USUAL = new JsonMembers(ImmutableSortedMap.of());

  private static final char DOT = '.';

  public JsonMembers {
    names.forEach(
        (part, members) -> {
          part(part);
          if (members.isEmpty() || new HashSet<>(members).size() < members.size()) {
            throw new IllegalArgumentException(
                "%s needs one or more JSON members, each named once; got '%s'"
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
          "a JSON member's names must be non-empty, without comma or semicolon; got '%s'"
              .formatted(member));
    }
  }

  /**
   * Parses definitions such as {@code contents=abstract.text,body_text.text}, one per part.
   *
   * @throws IllegalArgumentException if one is invalid
   */
  public static JsonMembers parse(List<String> definitions) {
    Map<String, ImmutableList<String>> names = new TreeMap<>();
    for (String definition : definitions) {
      int equals = definition.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException(
            "JSON members must be given as in contents=abstract,body.text; got '%s'"
                .formatted(definition));
      }
      String part = definition.substring(0, equals).strip();
      List<String> members =
          Splitter.on(',').trimResults().splitToList(definition.substring(equals + 1));
      if (names.put(part, ImmutableList.copyOf(members)) != null) {
        throw new IllegalArgumentException("JSON members are given twice for " + part);
      }
    }
    return new JsonMembers(ImmutableSortedMap.copyOf(names));
  }

  /** Whether all parts have their usual names. */
  public boolean isUsual() {
    return names.isEmpty();
  }

  /** The parts that are named, with the path to each member. */
  public Map<JsonPart, List<List<String>>> paths() {
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
        "JSON members can be given for %s; got '%s'".formatted(String.join(", ", known), name));
  }

  /** The definitions, separated by semicolons, which no name contains. */
  @Override
  public String toString() {
    StringJoiner definitions = new StringJoiner(";");
    names.forEach((part, members) -> definitions.add(part + "=" + String.join(",", members)));
    return definitions.toString();
  }
}
