package io.kmodel.indexer.source;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An object of JSON. The names are those of Anserini ({@code id}, {@code contents}), BEIR ({@code
 * _id}, {@code title}, {@code text}), MS MARCO ({@code docid} or {@code pid}, {@code url}, {@code
 * title}, {@code body}, {@code passage} or {@code segment}) and ClueWeb22 ({@code ClueWeb22-ID},
 * {@code URL}, {@code Clean-Text}); the first one of a list that is there counts, and others are
 * passed over. Memory: the text three times, five times where half of a surrogate pair is repaired.
 */
final class JsonDocument {
  static final ImmutableList<String> IDS =
      ImmutableList.of("id", "_id", "docid", "pid", "ClueWeb22-ID");
  static final ImmutableList<String> TEXTS =
      ImmutableList.of("contents", "text", "body", "passage", "segment", "Clean-Text");
  private static final ImmutableList<String> TITLES = ImmutableList.of("title");
  private static final ImmutableList<String> URIS = ImmutableList.of("url", "URL");

  /** What Jackson calls a place in a line, of which it says that it does not show it. */
  private static final Pattern PLACE = Pattern.compile("\\[Source:[^\\]]*column: (\\d+)\\]");

  private final String[] ids = new String[IDS.size()];
  private final String[] texts = new String[TEXTS.size()];
  private final String[] titles = new String[TITLES.size()];
  private final String[] uris = new String[URIS.size()];

  private JsonDocument() {}

  /**
   * Whether the object that a text starts with, by itself or in an array, has an id and a text; one
   * that the text does not have to its end may have that further on.
   */
  static boolean mayStart(String start) {
    boolean id = false;
    boolean text = false;
    try (JsonParser json = new JsonParsers().parser(start)) {
      JsonToken first = json.nextToken();
      if (first == JsonToken.START_ARRAY) {
        first = json.nextToken();
      }
      if (first != JsonToken.START_OBJECT) {
        return false;
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        id |= IDS.contains(name) && (value == JsonToken.VALUE_STRING || value.isNumeric());
        text |= TEXTS.contains(name) && value == JsonToken.VALUE_STRING;
        json.skipChildren();
      }
      return id && text;
    } catch (JsonEOFException e) {
      return id;
    } catch (IOException e) {
      return false;
    }
  }

  /** Reads objects, for one thread. */
  static TextRecord.Parser parser() {
    JsonParsers parsers = new JsonParsers();
    return (object, length) -> parse(parsers, object, length);
  }

  private static TextRecord parse(JsonParsers parsers, byte[] object, int length)
      throws DamagedRecordException {
    JsonDocument document = new JsonDocument();
    try (JsonParser json = parsers.parser(object, length)) {
      document.read(json);
    } catch (JsonEOFException e) {
      throw new DamagedRecordException("no JSON object: the line ends within it");
    } catch (IOException e) {
      throw new DamagedRecordException("no JSON object: " + firstLine(e));
    }
    String text = first(document.texts);
    if (text == null) {
      throw new DamagedRecordException("a record without any of " + TEXTS);
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return new TextRecord(
        orEmpty(document.ids),
        orEmpty(document.uris),
        orEmpty(document.titles),
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
      if (value.isStructStart()) {
        json.skipChildren();
      } else if (value != JsonToken.VALUE_NULL) {
        take(name, json);
      }
    }
    if (json.nextToken() != null) {
      throw new IOException("more than one value in a line");
    }
  }

  private void take(String name, JsonParser json) throws IOException {
    keep(IDS, ids, name, json);
    keep(TEXTS, texts, name, json);
    keep(TITLES, titles, name, json);
    keep(URIS, uris, name, json);
  }

  private static void keep(
      ImmutableList<String> names, String[] values, String name, JsonParser json)
      throws IOException {
    int index = names.indexOf(name);
    if (index >= 0) {
      values[index] = WellFormed.text(json.getText());
    }
  }

  private static @Nullable String first(String[] values) {
    for (String value : values) {
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  private static String orEmpty(String[] values) {
    String value = first(values);
    return value == null ? "" : value;
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

  private static String firstLine(IOException e) {
    String message = String.valueOf(e.getMessage());
    return PLACE.matcher(message).replaceAll("column $1").lines().findFirst().orElse("");
  }
}
