package io.kmodel.indexer.source;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.store.JsonProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * An object of JSON. The names are those of Anserini ({@code id}, {@code contents}), BEIR ({@code
 * _id}, {@code title}, {@code text}), MS MARCO ({@code pid} or {@code docid}, {@code url}, {@code
 * title}, {@code headings}, {@code body}, {@code passage} or {@code segment}), ClueWeb22 ({@code
 * ClueWeb22-ID}, {@code URL}, {@code Clean-Text}), ir_datasets ({@code doc_id}) and PyTerrier
 * ({@code docno}); the first one of a list that is there counts, and others are passed over. A
 * passage of MS MARCO names its document ({@code docid}), too.
 *
 * <p>A list of texts, as KILT has its paragraphs, is one text, with a line feed between, as are the
 * parts of an article of the Washington Post, of which it and its title make a page; null and
 * Python's NaN are empty. Memory: the text three times, five times where half of a surrogate pair
 * is repaired.
 */
final class JsonDocument {
  private static final ImmutableList<String> IDS =
      ImmutableList.of("id", "_id", "pid", "docid", "doc_id", "docno", "ClueWeb22-ID");
  private static final ImmutableList<String> TEXTS =
      ImmutableList.of("contents", "text", "body", "passage", "segment", "Clean-Text");
  private static final ImmutableList<String> TITLES = ImmutableList.of("title");
  private static final ImmutableList<String> HEADINGS = ImmutableList.of("headings");
  private static final ImmutableList<String> URIS = ImmutableList.of("url", "URL", "article_url");

  /** What may be in one, for messages. */
  static final String NAMES = "%s; %s".formatted(IDS, TEXTS);

  /** What a value is, by the name of its member. */
  private static final ImmutableMap<String, Role> ROLES = roles();

  /** The member with the parts of an article of the Washington Post. */
  private static final String ARTICLE = "contents";

  /** Of a part: those of some types are the article's text, in HTML. */
  private static final String PART_TYPE = "type";

  private static final String PART_CONTENT = "content";
  private static final ImmutableSet<String> ARTICLE_TEXTS =
      ImmutableSet.of("sanitized_html", "tweet");

  /** By which an article is told. */
  private static final ImmutableSet<String> ARTICLE_PARTS =
      ImmutableSet.of(
          "kicker",
          "title",
          "byline",
          "date",
          "deck",
          "author_info",
          "image",
          "gallery",
          "video",
          "sanitized_html",
          "tweet");

  /** What is kept of an object. */
  private enum Part {
    ID,
    URI,
    TITLE,
    HEADINGS,
    TEXT
  }

  /**
   * Of a member.
   *
   * @param rank of its name among those that say the same: the lowest one counts
   */
  private record Role(Part part, int rank) {}

  private final Map<Part, String> values = new EnumMap<>(Part.class);

  /** Of the values' names. */
  private final Map<Part, Integer> ranks = new EnumMap<>(Part.class);

  /** The text is an article's, which is HTML. */
  private boolean isArticle;

  /** A member that should be the text and is none; empty if there is none. */
  private String noText = "";

  private JsonDocument() {}

  /**
   * What is in sight of the object that a text starts with, by itself or in an array.
   *
   * @param isWhole whether all of it is
   */
  record Look(boolean hasId, boolean hasUri, boolean hasText, boolean isWhole) {
    private static final Look NONE = new Look(false, false, false, true);

    /** Whether it is a document: most objects of JSON are none, and a text themselves. */
    boolean isDocument() {
      return hasId && hasText;
    }
  }

  /** Looks at the start of a text. */
  static Look look(String start) {
    EnumSet<Part> seen = EnumSet.noneOf(Part.class);
    boolean whole = true;
    try (JsonParser json = new JsonParsers().parser(start)) {
      JsonToken first = json.nextToken();
      if (first == JsonToken.START_ARRAY) {
        first = json.nextToken();
      }
      if (first != JsonToken.START_OBJECT) {
        return Look.NONE;
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
      // What makes no sense behind an id and a text is a damaged record, and not a text.
      whole = !endsEarly(e);
    }
    return new Look(
        seen.contains(Part.ID), seen.contains(Part.URI), seen.contains(Part.TEXT), whole);
  }

  /** Whether a member says something, of a list its first value; stops where that is known. */
  private static boolean isSaid(Part part, JsonParser json) throws IOException {
    String name = json.currentName();
    JsonToken value = json.currentToken();
    if (value != JsonToken.START_ARRAY || part != Part.TEXT) {
      return value == JsonToken.VALUE_STRING
          || (part == Part.ID && value.isNumeric() && !json.isNaN());
    }
    JsonToken first = json.nextToken();
    while (first == JsonToken.VALUE_NULL) {
      first = json.nextToken();
    }
    return first == JsonToken.VALUE_STRING
        || (first == JsonToken.START_OBJECT && name.equals(ARTICLE) && startsPart(json));
  }

  /** Whether the object here is a part of an article; stops where that is known. */
  private static boolean startsPart(JsonParser json) throws IOException {
    boolean type = false;
    boolean content = false;
    while (!(type && content) && json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      type |= name.equals(PART_TYPE) && ARTICLE_PARTS.contains(json.getText());
      content |= name.equals(PART_CONTENT);
      json.skipChildren();
    }
    return type && content;
  }

  /** Between members that is no exception of its own. */
  private static boolean endsEarly(IOException e) {
    return e instanceof JsonEOFException
        || String.valueOf(e.getMessage()).startsWith("Unexpected end-of-input");
  }

  /**
   * Reads objects, for one thread.
   *
   * @param docno what documents are known by: a record without that is damaged
   */
  static TextRecord.Parser parser(Docno docno) {
    JsonParsers parsers = new JsonParsers();
    return (object, length) -> parse(parsers, docno, object, length);
  }

  private static TextRecord parse(JsonParsers parsers, Docno docno, byte[] object, int length)
      throws DamagedRecordException {
    JsonDocument document = new JsonDocument();
    try (JsonParser json = parsers.parser(object, length)) {
      document.read(json);
    } catch (IOException e) {
      throw new DamagedRecordException(
          "no JSON object: " + (endsEarly(e) ? "the text ends within it" : JsonProblem.of(e)));
    }
    String text = document.text();
    if (document.orEmpty(Part.ID).isEmpty()
        && docno != Docno.PATH
        && (docno != Docno.URI || document.orEmpty(Part.URI).isEmpty())) {
      throw new DamagedRecordException("a record without an id in any of " + IDS);
    }
    byte[] utf8 =
        (document.isArticle ? document.page(text) : text).getBytes(StandardCharsets.UTF_8);
    return new TextRecord(
        document.isArticle ? ContentType.HTML : ContentType.PLAIN_TEXT,
        document.orEmpty(Part.ID),
        document.orEmpty(Part.URI),
        document.orEmpty(Part.TITLE),
        document.orEmpty(Part.HEADINGS),
        true,
        utf8,
        0,
        utf8.length);
  }

  private void read(JsonParser json) throws IOException {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw new IOException("starts with " + named(json.currentToken()));
    }
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      Role role = ROLES.get(name);
      if (role == null) {
        json.skipChildren();
      } else if (value == JsonToken.VALUE_NULL || json.isNaN()) {
        values.putIfAbsent(role.part(), "");
      } else if (value.isScalarValue()) {
        take(role, json.getText());
      } else {
        takeTexts(name, role, json);
      }
    }
    if (json.nextToken() != null) {
      throw new IOException("more than one value");
    }
  }

  /** A list of texts is one, as is one of an article's parts; of anything else nothing is taken. */
  private void takeTexts(String name, Role role, JsonParser json) throws IOException {
    boolean isList = json.currentToken() == JsonToken.START_ARRAY && role.part() != Part.ID;
    boolean hasParts = false;
    StringJoiner texts = new StringJoiner("\n");
    for (JsonToken item = json.nextToken(); !item.isStructEnd(); item = json.nextToken()) {
      if (isList && item == JsonToken.START_OBJECT && name.equals(ARTICLE)) {
        isList = addPart(json, texts);
        hasParts = true;
      } else if (item == JsonToken.VALUE_STRING) {
        texts.add(json.getText());
      } else {
        isList &= item == JsonToken.VALUE_NULL;
        json.skipChildren();
      }
    }
    // Of parts none of which is text nothing is known.
    isList &= !hasParts || texts.length() > 0;
    if (isList && take(role, texts.toString())) {
      isArticle = hasParts;
    } else if (!isList && role.part() == Part.TEXT) {
      noText = name;
    }
  }

  /** Adds a part of an article, if it is text; whether it is one. */
  private static boolean addPart(JsonParser json, StringJoiner texts) throws IOException {
    String type = null;
    String content = null;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      boolean isText = json.nextToken() == JsonToken.VALUE_STRING;
      if (isText && name.equals(PART_TYPE)) {
        type = json.getText();
      } else if (isText && name.equals(PART_CONTENT)) {
        content = json.getText();
      }
      json.skipChildren();
    }
    if (content != null && type != null && ARTICLE_TEXTS.contains(type)) {
      texts.add(content);
    }
    return type != null;
  }

  /** Whether it counts: a name that comes before others may have said more. */
  private boolean take(Role role, String value) {
    boolean counts = role.rank() <= ranks.getOrDefault(role.part(), Integer.MAX_VALUE);
    if (counts) {
      values.put(role.part(), WellFormed.text(value));
      ranks.put(role.part(), role.rank());
      isArticle &= role.part() != Part.TEXT;
    }
    return counts;
  }

  private String page(String text) {
    String title = orEmpty(Part.TITLE).replace("&", "&amp;").replace("<", "&lt;");
    return "<!doctype html><title>" + title + "</title><body>" + text;
  }

  private String text() throws DamagedRecordException {
    String text = values.get(Part.TEXT);
    if (text == null) {
      throw new DamagedRecordException(
          noText.isEmpty()
              ? "a record without any of " + TEXTS
              : "its '%s' is neither a text nor a list of texts".formatted(noText));
    }
    return text;
  }

  private String orEmpty(Part part) {
    return values.getOrDefault(part, "");
  }

  private static ImmutableMap<String, Role> roles() {
    ImmutableMap.Builder<String, Role> roles = ImmutableMap.builder();
    ImmutableMap.of(
            Part.ID,
            IDS,
            Part.URI,
            URIS,
            Part.TITLE,
            TITLES,
            Part.HEADINGS,
            HEADINGS,
            Part.TEXT,
            TEXTS)
        .forEach(
            (part, names) -> {
              for (int rank = 0; rank < names.size(); rank++) {
                roles.put(names.get(rank), new Role(part, rank));
              }
            });
    return roles.buildOrThrow();
  }

  private static String named(@Nullable JsonToken token) {
    if (token == null) {
      return "nothing";
    }
    if (token == JsonToken.START_ARRAY) {
      return "an array";
    }
    if (token == JsonToken.VALUE_STRING) {
      return "a string";
    }
    return token.isNumeric() ? "a number" : token.asString();
  }
}
