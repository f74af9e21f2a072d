package io.kmodel.indexer.parse.html;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.nodes.Entities;
import org.jsoup.parser.Parser;

/**
 * The document type of XML, and the entities that it declares as texts. Nothing is fetched.
 * Entities that are not declared are those of XML and HTML. A reference within the value of an
 * entity is not replaced by another declared one, and all values together add {@value #MOST_ADDED}
 * characters at most, so a document cannot grow much. Not thread-safe.
 */
public final class XmlEntities {
  private static final String QUOTED = "\"[^\"]*+\"|'[^']*+'";

  private static final Pattern DOCTYPE =
      Pattern.compile(
          "<!DOCTYPE\\b(?:[^\\[>\"']|%s)*+(?:\\[((?:<!--(?:[^-]|-(?!->))*+-->|<\\?(?:[^?]|\\?(?!>))*+\\?>|[^\\]\"']|%s)*+)\\]\\s*+)?+>"
              .formatted(QUOTED, QUOTED),
          Pattern.CASE_INSENSITIVE);

  private static final Pattern ENTITY =
      Pattern.compile("<!ENTITY\\s++([\\w:.-]++)\\s++(%s)\\s*+>".formatted(QUOTED));

  private static final Pattern REFERENCE =
      Pattern.compile("&(#\\d++|#[xX][0-9A-Fa-f]++|[\\w:.-]++);");

  private static final Pattern NUMBER = Pattern.compile("&#[xX]?[0-9A-Fa-f]++;");
  private static final int MOST_ADDED = 1 << 16;

  private final Map<String, String> declared = new HashMap<>();
  private int added;

  /** Reads a document type at an offset; returns the offset after it, or -1 without one. */
  public int doctype(String xml, int from) {
    Matcher doctype = DOCTYPE.matcher(xml).region(from, xml.length());
    if (!doctype.lookingAt()) {
      return -1;
    }
    if (doctype.group(1) != null) {
      Matcher entity = ENTITY.matcher(doctype.group(1));
      while (entity.find()) {
        String quoted = entity.group(2);
        String value = quoted.substring(1, quoted.length() - 1);
        declared.putIfAbsent(
            entity.group(1),
            NUMBER
                .matcher(value)
                .replaceAll(
                    number ->
                        Matcher.quoteReplacement(Parser.unescapeEntities(number.group(), false))));
      }
    }
    return doctype.end();
  }

  /** Replaces the references in a text; one to an unknown entity stays. */
  public String resolve(String text) {
    return text.indexOf('&') < 0
        ? text
        : REFERENCE
            .matcher(text)
            .replaceAll(reference -> Matcher.quoteReplacement(value(reference)));
  }

  private String value(MatchResult reference) {
    String whole = reference.group();
    String name = reference.group(1);
    if (name.startsWith("#")) {
      return Parser.unescapeEntities(whole, false);
    }
    String value = declared.get(name);
    if (value == null) {
      String known = Entities.getByName(name);
      return known.isEmpty() ? whole : known;
    }
    if (added + value.length() > MOST_ADDED) {
      return whole;
    }
    added += value.length();
    return value;
  }
}
