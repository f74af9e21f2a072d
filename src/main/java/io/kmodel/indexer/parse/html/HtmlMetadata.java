package io.kmodel.indexer.parse.html;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.source.record.HtmlAttributes;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;

/**
 * Collects what a page says about itself: the language of its html element, and the meta elements
 * that are children of its head. Of several with a name, the first that is not blank counts. Both
 * HTML parsers report the same elements. Not thread-safe.
 */
public final class HtmlMetadata {
  /** The attributes that name what a meta element says, in this order. */
  private static final ImmutableList<String> NAMES =
      ImmutableList.of("name", "property", "itemprop", "http-equiv");

  private static final String LANG = "lang";
  private static final String XML_LANG = "xml:lang";

  private final ImmutableSet<String> wanted;
  private final boolean wantsLanguage;
  private final Map<String, String> values = new HashMap<>();
  private String language = "";
  private boolean active;

  /**
   * Collects values.
   *
   * @param wanted names in lower case
   * @param wantsLanguage whether the language of the html element is wanted
   */
  public HtmlMetadata(ImmutableSet<String> wanted, boolean wantsLanguage) {
    this.wanted = wanted;
    this.wantsLanguage = wantsLanguage;
  }

  /**
   * Forgets the previous document.
   *
   * @param collects whether anything is wanted of the next one
   */
  public void start(boolean collects) {
    active = collects;
    clear();
  }

  /** Forgets all values, because the page is read again. */
  void clear() {
    values.clear();
    language = "";
  }

  /** Whether anything is wanted of the page. */
  boolean isActive() {
    return active;
  }

  /** Returns the language of the html element; empty if it has none. */
  public String language() {
    return language;
  }

  /** Returns the content of the meta element with a wanted name, in lower case; or empty. */
  public String value(String name) {
    return values.getOrDefault(name, "");
  }

  /** Collects what a tree says. */
  public void addAll(Document tree) {
    clear();
    if (!active) {
      return;
    }
    Element html = tree.firstElementChild();
    if (html != null) {
      addLanguage(html::attr);
    }
    for (Element child : tree.head().children()) {
      if (child.normalName().equals("meta")) {
        addMeta(child::attr);
      }
    }
  }

  /**
   * Reads the attributes of a tag of the page.
   *
   * @param from behind its name
   * @param to its end
   */
  static UnaryOperator<String> attributes(byte[] page, int from, int to) {
    String tag = new String(page, from, to - from, StandardCharsets.UTF_8);
    Map<String, String> all = new HtmlAttributes(tag, 0).rest();
    return name -> unescaped(all.getOrDefault(name, ""));
  }

  private static String unescaped(String value) {
    String text = value.indexOf('&') < 0 ? value : Parser.unescapeEntities(value, true);
    return text.replace('\0', '\uFFFD');
  }

  /** Whether an html element has a language. */
  static boolean hasLanguage(UnaryOperator<String> attributes) {
    return !attributes.apply(LANG).isEmpty() || !attributes.apply(XML_LANG).isEmpty();
  }

  /** Adds the html element with these attributes. */
  void addLanguage(UnaryOperator<String> attributes) {
    if (wantsLanguage) {
      String lang = attributes.apply(LANG).strip();
      language = lang.isEmpty() ? attributes.apply(XML_LANG).strip() : lang;
    }
  }

  /** Adds a meta element with these attributes. */
  void addMeta(UnaryOperator<String> attributes) {
    for (String attribute : NAMES) {
      String name = attributes.apply(attribute).strip().toLowerCase(Locale.ROOT);
      if (wanted.contains(name)) {
        String content = attributes.apply("content").strip();
        if (!content.isEmpty()) {
          values.putIfAbsent(name, content);
        }
        return;
      }
    }
  }
}
