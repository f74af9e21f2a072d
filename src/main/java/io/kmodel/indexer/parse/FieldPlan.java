package io.kmodel.indexer.parse;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kmodel.indexer.index.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Which fields an index has beside the id, and which parts of a document each holds. Where a field
 * holds several, they are one text, with a line feed between two that are not empty.
 *
 * @param parts by field; at least one field, at least one part each
 */
public record FieldPlan(ImmutableSortedMap<String, ImmutableList<TextPart>> parts) {
  private static final ImmutableList<TextPart> USUAL =
      ImmutableList.of(TextPart.TITLE, TextPart.CONTENTS);
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");

  /** Names that mean something else in an index. */
  private static final ImmutableList<String> RESERVED = ImmutableList.of(Schema.ID, Schema.RAW);

  /** A field each for title and contents; behind what it is checked with. */
  public static final FieldPlan DEFAULT = parse("title,contents");

  public FieldPlan {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("an index has at least one field beside the id");
    }
    parts.forEach(
        (name, of) -> {
          if (!name.equals(Schema.RAW) || !of.equals(List.of(TextPart.RAW))) {
            requireField(name, of);
          }
        });
  }

  private static void requireField(String name, ImmutableList<TextPart> parts) {
    if (!NAME.matcher(name).matches() || RESERVED.contains(name)) {
      throw new IllegalArgumentException(
          "a field's name has letters, digits, - and _, starts with a letter, and is none of %s; got '%s'"
              .formatted(RESERVED, name));
    }
    if (parts.isEmpty()
        || parts.contains(TextPart.RAW)
        || parts.stream().distinct().count() < parts.size()) {
      throw new IllegalArgumentException(
          "field '%s' must hold parts of a document, each once; got %s".formatted(name, parts));
    }
  }

  /**
   * Reads fields that hold one part each: {@code title,contents,headings}.
   *
   * @throws IllegalArgumentException if there is no such part; says which there are
   */
  public static FieldPlan parse(String fields) {
    Map<String, ImmutableList<TextPart>> parts = new TreeMap<>();
    for (TextPart part : parts(fields)) {
      if (parts.put(name(part), ImmutableList.of(part)) != null) {
        throw new IllegalArgumentException(
            "field '%s' is named twice in '%s'".formatted(name(part), fields));
      }
    }
    return new FieldPlan(ImmutableSortedMap.copyOf(parts));
  }

  /**
   * The same with a field of several parts, in place of the one of that name if there is one.
   *
   * @param definition as in {@code all=title,contents}
   */
  public FieldPlan combine(String definition) {
    int equals = definition.indexOf('=');
    if (equals < 0) {
      throw new IllegalArgumentException(
          "fields are combined as in all=title,contents; got '%s'".formatted(definition));
    }
    Map<String, ImmutableList<TextPart>> combined = new TreeMap<>(parts);
    combined.put(
        definition.substring(0, equals).strip(),
        ImmutableList.copyOf(parts(definition.substring(equals + 1))));
    return new FieldPlan(ImmutableSortedMap.copyOf(combined));
  }

  /** The same with the document as it came, for storing. */
  public FieldPlan withRaw() {
    Map<String, ImmutableList<TextPart>> all = new TreeMap<>(parts);
    all.put(Schema.RAW, ImmutableList.of(TextPart.RAW));
    return new FieldPlan(ImmutableSortedMap.copyOf(all));
  }

  private static List<TextPart> parts(String names) {
    List<TextPart> parts = new ArrayList<>();
    for (String name : Splitter.on(',').trimResults().split(names)) {
      parts.add(part(name));
    }
    return parts;
  }

  private static TextPart part(String name) {
    List<TextPart> all =
        Arrays.stream(TextPart.values()).filter(part -> part != TextPart.RAW).toList();
    for (TextPart part : all) {
      if (name(part).equals(name)) {
        return part;
      }
    }
    List<String> known = all.stream().map(FieldPlan::name).toList();
    throw new IllegalArgumentException(
        "documents have no '%s'%s".formatted(name, Nearest.among(name, known)));
  }

  private static String name(TextPart part) {
    return part.name().toLowerCase(Locale.ROOT);
  }

  /** Whether some field holds a part. */
  boolean holds(TextPart part) {
    return parts.values().stream().anyMatch(of -> of.contains(part));
  }

  /** How many texts a document's fields are made of, beside one title and one contents. */
  int furtherTexts() {
    int texts = 0;
    for (List<TextPart> of : parts.values()) {
      boolean usual = of.size() == 1 && USUAL.contains(of.get(0));
      texts += usual ? 0 : of.size();
    }
    return texts;
  }

  /** The fields that hold the part of a document that has their name, and nothing else. */
  public List<String> ofTheirName() {
    return parts.keySet().stream()
        .filter(field -> isOfItsName(field) && !field.equals(Schema.RAW))
        .toList();
  }

  private boolean isOfItsName(String field) {
    List<TextPart> of = parts.getOrDefault(field, ImmutableList.of());
    return of.size() == 1 && name(of.get(0)).equals(field);
  }

  /** Puts among an index's options what a field holds, where its name does not say it. */
  public void addTo(Map<String, String> options) {
    parts.forEach(
        (field, of) -> {
          if (!isOfItsName(field)) {
            options.put(
                "field.%s.parts".formatted(field),
                String.join(",", of.stream().map(FieldPlan::name).toList()));
          }
        });
  }
}
