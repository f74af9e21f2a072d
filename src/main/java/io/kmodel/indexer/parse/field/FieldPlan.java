package io.kmodel.indexer.parse.field;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.text.Suggestions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The fields of an index besides the id, and the parts of a document that each holds. The parts of
 * a field are joined into one text, with a line feed between two that are not empty.
 *
 * @param parts by field; at least one field, at least one part each
 * @param mainContent whether the contents of HTML are its main content only
 */
public record FieldPlan(
    ImmutableSortedMap<String, ImmutableList<TextPart>> parts, boolean mainContent) {
  private static final ImmutableList<TextPart> USUAL =
      ImmutableList.of(TextPart.TITLE, TextPart.CONTENTS);

  /** The option with the parts of a field. */
  private static final String PARTS = "field.%s.parts";

  private static final String MAIN_CONTENT = "main-content";

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");

  /** Names with another meaning in an index. */
  private static final ImmutableList<String> RESERVED = ImmutableList.of(Schema.ID, Schema.RAW);

  /** One field each for title and contents; declared after the constants that check it. */
  public static final FieldPlan DEFAULT = parse("title,contents");

  public FieldPlan {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("an index needs at least one field besides the id");
    }
    parts.forEach(
        (name, of) -> {
          if (!name.equals(Schema.RAW) || !of.equals(List.of(TextPart.RAW))) {
            requireField(name, of);
          }
        });
  }

  private FieldPlan(Map<String, ImmutableList<TextPart>> parts) {
    this(ImmutableSortedMap.copyOf(parts), false);
  }

  private static void requireField(String name, ImmutableList<TextPart> parts) {
    if (!NAME.matcher(name).matches() || RESERVED.contains(name)) {
      throw new IllegalArgumentException(
          "a field name has letters, digits, - and _, starts with a letter, and is not one of %s; got '%s'"
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
   * Parses fields that hold one part each: {@code title,contents,headings}.
   *
   * @throws IllegalArgumentException if a part is unknown; the message lists the known ones
   */
  public static FieldPlan parse(String fields) {
    Map<String, ImmutableList<TextPart>> parts = new TreeMap<>();
    for (TextPart part : parts(fields)) {
      if (parts.put(name(part), ImmutableList.of(part)) != null) {
        throw new IllegalArgumentException(
            "field '%s' is named twice in '%s'".formatted(name(part), fields));
      }
    }
    return new FieldPlan(parts);
  }

  /** Returns a copy that does or does not limit the contents of HTML to its main content. */
  public FieldPlan withMainContent(boolean whether) {
    return new FieldPlan(parts, whether);
  }

  /**
   * Returns a copy with a field of several parts, which replaces a field of the same name.
   *
   * @param definition as in {@code all=title,contents}
   */
  public FieldPlan combine(String definition) {
    int equals = definition.indexOf('=');
    if (equals < 0) {
      throw new IllegalArgumentException(
          "write combined fields like all=title,contents; got '%s'".formatted(definition));
    }
    Map<String, ImmutableList<TextPart>> combined = new TreeMap<>(parts);
    combined.put(
        definition.substring(0, equals).strip(),
        ImmutableList.copyOf(parts(definition.substring(equals + 1))));
    return new FieldPlan(combined).withMainContent(mainContent);
  }

  /** Returns a copy that also stores the document as it was read. */
  public FieldPlan withRaw() {
    Map<String, ImmutableList<TextPart>> all = new TreeMap<>(parts);
    all.put(Schema.RAW, ImmutableList.of(TextPart.RAW));
    return new FieldPlan(all).withMainContent(mainContent);
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
        "unknown part of a document '%s'%s".formatted(name, Suggestions.among(name, known)));
  }

  private static String name(TextPart part) {
    return part.name().toLowerCase(Locale.ROOT);
  }

  /** Whether some field holds a part. */
  public boolean holds(TextPart part) {
    return parts.values().stream().anyMatch(of -> of.contains(part));
  }

  /** Returns the number of texts in a document's fields, besides one title and one contents. */
  public int furtherTexts() {
    int texts = 0;
    for (List<TextPart> of : parts.values()) {
      boolean usual = of.size() == 1 && USUAL.contains(of.get(0));
      texts += usual ? 0 : of.size();
    }
    return texts;
  }

  /** Returns the fields that hold exactly the part with their name. */
  public List<String> ofTheirName() {
    return parts.keySet().stream()
        .filter(field -> isOfItsName(field) && !field.equals(Schema.RAW))
        .toList();
  }

  private boolean isOfItsName(String field) {
    List<TextPart> of = parts.getOrDefault(field, ImmutableList.of());
    return of.size() == 1 && name(of.get(0)).equals(field);
  }

  /**
   * Reads the plan of an index.
   *
   * @param fields its fields with text, without {@link Schema#RAW}
   * @param options of the index, see {@link #addTo}
   * @throws IllegalArgumentException if they name a part that is not known
   */
  public static FieldPlan from(List<String> fields, Map<String, String> options) {
    Map<String, ImmutableList<TextPart>> parts = new TreeMap<>();
    for (String field : fields) {
      String names = options.getOrDefault(PARTS.formatted(field), field);
      parts.put(field, ImmutableList.copyOf(parts(names)));
    }
    return new FieldPlan(parts).withMainContent(Boolean.parseBoolean(options.get(MAIN_CONTENT)));
  }

  /** Adds the parts of fields to an index's options, unless the field's name implies them. */
  public void addTo(Map<String, String> options) {
    parts.forEach(
        (field, of) -> {
          if (!isOfItsName(field)) {
            options.put(
                PARTS.formatted(field),
                String.join(",", of.stream().map(FieldPlan::name).toList()));
          }
        });
    if (mainContent) {
      options.put(MAIN_CONTENT, "true");
    }
  }
}
