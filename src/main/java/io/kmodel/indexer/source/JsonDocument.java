package io.kmodel.indexer.source;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.source.LineRecords.LineDocument;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A line with an object of JSON. The names are those of Anserini ({@code id}, {@code contents}),
 * BEIR ({@code _id}, {@code title}, {@code text}) and MS MARCO ({@code docid} or {@code pid},
 * {@code url}, {@code title}, {@code body} or {@code passage}); the first one of a list that is
 * there counts, and others are passed over. Memory: the text three times, five times where half of
 * a surrogate pair is repaired.
 */
final class JsonDocument {
  static final ImmutableList<String> IDS = ImmutableList.of("id", "_id", "docid", "pid");
  static final ImmutableList<String> TEXTS =
      ImmutableList.of("contents", "text", "body", "passage");
  private static final ImmutableList<String> TITLES = ImmutableList.of("title");
  private static final ImmutableList<String> URIS = ImmutableList.of("url");

  private final String[] ids = new String[IDS.size()];
  private final String[] texts = new String[TEXTS.size()];
  private final String[] titles = new String[TITLES.size()];
  private final String[] uris = new String[URIS.size()];

  private JsonDocument() {}

  /** Reads lines, for one thread. */
  static LineRecords.LineParser lines() {
    JsonParsers parsers = new JsonParsers();
    return (line, length) -> parse(parsers, line, length);
  }

  private static LineDocument parse(JsonParsers parsers, byte[] line, int length)
      throws DamagedRecordException {
    JsonDocument document = new JsonDocument();
    try (JsonParser json = parsers.parser(line, length)) {
      document.read(json);
    } catch (IOException e) {
      throw new DamagedRecordException("no JSON object: " + firstLine(e));
    }
    String text = first(document.texts);
    if (text == null) {
      throw new DamagedRecordException("a record without any of " + TEXTS);
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return new LineDocument(
        orEmpty(document.ids),
        orEmpty(document.uris),
        orEmpty(document.titles),
        utf8,
        0,
        utf8.length);
  }

  private void read(JsonParser json) throws IOException {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw new IOException("starts with " + json.currentToken());
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

  private static @org.jspecify.annotations.Nullable String first(String[] values) {
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

  private static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
