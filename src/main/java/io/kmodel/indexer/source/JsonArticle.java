package io.kmodel.indexer.source;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.common.collect.ImmutableSet;
import java.io.IOException;
import java.util.StringJoiner;

/** The parts of an article of the Washington Post, some of which are text, in HTML. */
final class JsonArticle {
  /** The member that has them. */
  static final String PARTS = "contents";

  private static final String TYPE = "type";
  private static final String CONTENT = "content";

  /** Of parts that are the article's text. */
  private static final ImmutableSet<String> TEXT_TYPES = ImmutableSet.of("sanitized_html", "tweet");

  /** By which an article is told. */
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

  /** Whether the object here is a part of an article; stops where that is known. */
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

  /** Adds the part here, if it is text; whether it is one. */
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

  /** What title and text of an article make together. */
  static String page(String title, String text) {
    String escaped = title.replace("&", "&amp;").replace("<", "&lt;");
    return "<!doctype html><title>" + escaped + "</title><body>" + text;
  }
}
