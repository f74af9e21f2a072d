package io.kmodel.indexer.source.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.common.collect.ImmutableSet;
import java.io.IOException;
import java.util.StringJoiner;

/** The parts of a Washington Post article, some of which are text, in HTML. */
final class JsonArticle {
  /** The member that holds the parts. */
  static final String PARTS = "contents";

  private static final String TYPE = "type";
  private static final String CONTENT = "content";

  /** Types of parts that are the article's text. */
  private static final ImmutableSet<String> TEXT_TYPES = ImmutableSet.of("sanitized_html", "tweet");

  /** Types of parts that identify an article. */
  private static final ImmutableSet<String> TYPES =
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

  private JsonArticle() {}

  /** Whether the current object is a part of an article; stops reading once that is known. */
  static boolean startsPart(JsonParser json) throws IOException {
    boolean type = false;
    boolean content = false;
    while (!(type && content) && json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      type |= name.equals(TYPE) && TYPES.contains(json.getText());
      content |= name.equals(CONTENT);
      json.skipChildren();
    }
    return type && content;
  }

  /** Adds the current part if it is text; returns whether it is a part. */
  static boolean addPart(JsonParser json, StringJoiner texts) throws IOException {
    String type = null;
    String content = null;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      boolean isText = json.nextToken() == JsonToken.VALUE_STRING;
      if (isText && name.equals(TYPE)) {
        type = json.getText();
      } else if (isText && name.equals(CONTENT)) {
        content = json.getText();
      }
      json.skipChildren();
    }
    if (content != null && type != null && TEXT_TYPES.contains(type)) {
      texts.add(content);
    }
    return type != null;
  }

  /** A page made of an article's title and text. */
  static String page(String title, String text) {
    String escaped = title.replace("&", "&amp;").replace("<", "&lt;");
    return "<!doctype html><title>" + escaped + "</title><body>" + text;
  }
}
