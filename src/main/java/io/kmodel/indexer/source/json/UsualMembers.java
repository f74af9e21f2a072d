package io.kmodel.indexer.source.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.source.JsonPart;
import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/**
 * The members of JSON objects by the names that collections use. The names are those of Anserini
 * ({@code id}, {@code contents}), BEIR ({@code _id}, {@code title}, {@code text}), MS MARCO ({@code
 * pid} or {@code docid}, {@code url}, {@code title}, {@code headings}, {@code body}, {@code
 * passage} or {@code segment}), ClueWeb22 ({@code ClueWeb22-ID}, {@code URL}, {@code Clean-Text}),
 * ir_datasets ({@code doc_id}) and PyTerrier ({@code docno}). The first name of a list that is
 * present counts; other members are ignored. A passage of MS MARCO also names its document ({@code
 * docid}).
 *
 * <p>A list of texts, such as KILT's paragraphs, is one text, with line feeds in between. So are
 * the parts of a Washington Post article, which make a page together with its title. Null and
 * Python's NaN are empty.
 */
public final class UsualMembers {
  static final ImmutableList<String> IDS =
      ImmutableList.of("id", "_id", "pid", "docid", "doc_id", "docno", "ClueWeb22-ID");
  static final ImmutableList<String> TEXTS =
      ImmutableList.of("contents", "text", "body", "passage", "segment", "Clean-Text");
  private static final ImmutableList<String> TITLES = ImmutableList.of("title");
  private static final ImmutableList<String> HEADINGS = ImmutableList.of("headings");
  private static final ImmutableList<String> URIS = ImmutableList.of("url", "URL", "article_url");

  /** The names for an id and a text, for messages. */
  public static final String NAMES = "%s; %s".formatted(IDS, TEXTS);

  /** The meaning of a value, by the name of its member. */
  static final ImmutableMap<String, Role> ROLES = roles();

  /**
   * The meaning of a member.
   *
   * @param rank of its name among those with the same meaning; the lowest one counts
   */
  record Role(JsonPart part, int rank) {}

  private final JsonDocument document;

  /** Parts that have other names. */
  private final Set<JsonPart> others;

  /** Ranks of the names whose values were taken. */
  private final Map<JsonPart, Integer> ranks = new EnumMap<>(JsonPart.class);

  /** The name of a member that should be the text but is not; empty if there is no such member. */
  private String noText = "";

  private final UnusedMembers unused;

  private UsualMembers(JsonDocument document, Set<JsonPart> others, UnusedMembers unused) {
    this.document = document;
    this.others = others;
    this.unused = unused;
  }

  /** The names of a part's members, in order of preference. */
  public static ImmutableList<String> names(JsonPart part) {
    return switch (part) {
      case ID -> IDS;
      case URI -> URIS;
      case TITLE -> TITLES;
      case HEADINGS -> HEADINGS;
      case TEXT -> TEXTS;
    };
  }

  /**
   * All members except those of some parts.
   *
   * @param unused sees the members that are not read here
   */
  static JsonDocument.Members without(Set<JsonPart> parts, UnusedMembers unused) {
    return (json, document) -> new UsualMembers(document, parts, unused).read(json);
  }

  /**
   * The visible part of the object that a text starts with, alone or in an array.
   *
   * @param isWhole whether the whole object is visible
   */
  public record Probe(boolean hasId, boolean hasUri, boolean hasText, boolean isWhole) {
    private static final Probe NONE = new Probe(false, false, false, true);

    /** Whether it is a document. Most JSON objects are not, and are texts themselves. */
    public boolean isDocument() {
      return hasId && hasText;
    }
  }

  /** Probes the start of a text. */
  public static Probe probe(String start) {
    EnumSet<JsonPart> seen = EnumSet.noneOf(JsonPart.class);
    boolean whole = true;
    try (JsonParser json = new JsonParsers().parser(start)) {
      JsonToken first = json.nextToken();
      if (first == JsonToken.START_ARRAY) {
        first = json.nextToken();
      }
      if (first != JsonToken.START_OBJECT) {
        return Probe.NONE;
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        Role role = ROLES.get(json.currentName());
        JsonStreamContext object = json.getParsingContext();
        json.nextToken();
        if (role != null && isSaid(role.part(), json)) {
          seen.add(role.part());
        }
        while (json.getParsingContext() != object) {
          json.nextToken();
        }
      }
    } catch (IOException e) {
      // Malformed data after an id and a text is a damaged record, not a text.
      whole = !JsonDocument.endsEarly(e);
    }
    return new Probe(
        seen.contains(JsonPart.ID),
        seen.contains(JsonPart.URI),
        seen.contains(JsonPart.TEXT),
        whole);
  }

  /** Whether a member has a value, or a list a first value; stops reading once that is known. */
  private static boolean isSaid(JsonPart part, JsonParser json) throws IOException {
    String name = json.currentName();
    JsonToken value = json.currentToken();
    if (value != JsonToken.START_ARRAY || part != JsonPart.TEXT) {
      return value == JsonToken.VALUE_STRING
          || (part == JsonPart.ID && value.isNumeric() && !json.isNaN());
    }
    JsonToken first = json.nextToken();
    while (first == JsonToken.VALUE_NULL) {
      first = json.nextToken();
    }
    return first == JsonToken.VALUE_STRING
        || (first == JsonToken.START_OBJECT
            && name.equals(JsonArticle.PARTS)
            && JsonArticle.startsPart(json));
  }

  private void read(JsonParser json) throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      Role role = ROLES.get(name);
      if (role == null || others.contains(role.part())) {
        if (name.equals(VectorMembers.NAME) && value == JsonToken.START_OBJECT) {
          document.noteVector();
        }
        unused.see(name);
        json.skipChildren();
      } else if (value == JsonToken.VALUE_NULL
          || json.isNaN()
          || (value.isScalarValue() && json.getText().isEmpty())) {
        takeNothing(role);
      } else if (value.isScalarValue()) {
        take(role, json.getText());
      } else {
        takeTexts(name, role, json);
      }
    }
    if (document.get(JsonPart.TEXT) == null && !noText.isEmpty()) {
      document.setProblem("member '%s' is neither a text nor a list of texts".formatted(noText));
    }
  }

  /** A list of texts is one text, and so is a list of an article's parts; nothing else is taken. */
  private void takeTexts(String name, Role role, JsonParser json) throws IOException {
    boolean isList = json.currentToken() == JsonToken.START_ARRAY && role.part() != JsonPart.ID;
    boolean hasParts = false;
    StringJoiner texts = new StringJoiner("\n");
    for (JsonToken item = json.nextToken(); !item.isStructEnd(); item = json.nextToken()) {
      if (isList && item == JsonToken.START_OBJECT && name.equals(JsonArticle.PARTS)) {
        isList = JsonArticle.addPart(json, texts);
        hasParts = true;
      } else if (item == JsonToken.VALUE_STRING) {
        texts.add(json.getText());
      } else {
        isList &= item == JsonToken.VALUE_NULL;
        json.skipChildren();
      }
    }
    // Parts without any text say nothing.
    isList &= !hasParts || texts.length() > 0;
    String text = texts.toString();
    if (isList && text.isEmpty()) {
      takeNothing(role);
    } else if (isList && take(role, text)) {
      if (hasParts) {
        document.setArticle(true);
      }
    } else if (!isList && role.part() == JsonPart.TEXT) {
      noText = name;
    }
  }

  /** Marks a part as present and empty; a member of another name may say more. */
  private void takeNothing(Role role) {
    if (document.get(role.part()) == null) {
      document.put(role.part(), "");
    }
  }

  /** Takes a value unless a preferred name gave one before; returns whether it counts. */
  private boolean take(Role role, String value) {
    boolean counts = role.rank() <= ranks.getOrDefault(role.part(), Integer.MAX_VALUE);
    if (counts) {
      document.put(role.part(), value);
      ranks.put(role.part(), role.rank());
      if (role.part() == JsonPart.TEXT) {
        document.setArticle(false);
      }
    }
    return counts;
  }

  private static ImmutableMap<String, Role> roles() {
    ImmutableMap.Builder<String, Role> roles = ImmutableMap.builder();
    for (JsonPart part : JsonPart.values()) {
      List<String> names = names(part);
      for (int rank = 0; rank < names.size(); rank++) {
        roles.put(names.get(rank), new Role(part, rank));
      }
    }
    return roles.buildOrThrow();
  }
}
