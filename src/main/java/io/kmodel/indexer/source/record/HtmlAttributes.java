package io.kmodel.indexer.source.record;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Reads the attributes of a tag by the rules of the HTML standard (§13.2.5.32 to 13.2.5.40): values
 * in quotes of either kind or without, and nothing is an error. References are not resolved. Not
 * thread-safe.
 */
public final class HtmlAttributes {
  private final String text;
  private int at;
  private String name = "";
  private String value = "";

  /**
   * Reads from an offset on.
   *
   * @param from behind the name of the tag
   */
  public HtmlAttributes(String text, int from) {
    this.text = text;
    this.at = from;
  }

  /** Reads all attributes up to the end of the tag, by name; the first of a name counts. */
  public Map<String, String> rest() {
    Map<String, String> all = new HashMap<>();
    while (next()) {
      all.putIfAbsent(name, value);
    }
    return all;
  }

  /** Reads the next attribute; at the end of the tag returns false. */
  public boolean next() {
    while (at < text.length() && (isSpace(text.charAt(at)) || text.charAt(at) == '/')) {
      at++;
    }
    if (at >= text.length() || text.charAt(at) == '>') {
      at++;
      return false;
    }
    int start = at++;
    while (at < text.length() && !isSpace(text.charAt(at)) && "=/>".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    name = text.substring(start, at).toLowerCase(Locale.ROOT);
    int equals = skipSpace(text, at);
    value = "";
    if (equals < text.length() && text.charAt(equals) == '=') {
      at = skipSpace(text, equals + 1);
      value = readValue();
    }
    return true;
  }

  /** Its name in lower case. */
  public String name() {
    return name;
  }

  /** Its value; empty if it has none. */
  public String value() {
    return value;
  }

  /**
   * The offset after the last attribute, or behind the tag once it has ended; beyond the text if
   * the text ends within the tag.
   */
  public int end() {
    return at;
  }

  private String readValue() {
    if (at >= text.length()) {
      return "";
    }
    char quote = text.charAt(at);
    if (quote == '"' || quote == '\'') {
      int end = text.indexOf(quote, at + 1);
      int start = at + 1;
      at = end < 0 ? text.length() : end + 1;
      return end < 0 ? "" : text.substring(start, end);
    }
    int start = at;
    while (at < text.length() && !isSpace(text.charAt(at)) && text.charAt(at) != '>') {
      at++;
    }
    return text.substring(start, at);
  }

  private static boolean isSpace(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\u000B');
  }

  private static int skipSpace(String text, int from) {
    int index = from;
    while (index < text.length() && isSpace(text.charAt(index))) {
      index++;
    }
    return index;
  }
}
