package io.kmodel.indexer.parse.html;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;
import org.jsoup.parser.ParseSettings;
import org.jsoup.parser.Parser;

/**
 * Reads handwritten XML with jsoup. Names may be in any case, references and CDATA sections are
 * resolved, comments are dropped, and end tags may be missing. A {@code <} that does not start
 * markup is text. Memory: a few times the text.
 */
public final class LooseXml {
  /** A CDATA section, or else a "<" that does not start markup, as in {@code a<b}. */
  private static final Pattern LOOSE_BRACKET =
      Pattern.compile(
          "(?s)(<!\\[CDATA\\[.*?\\]\\]>)"
              + "|<(?!/?[A-Za-z][\\w.-]*\\s*/?>|[A-Za-z][\\w.-]*\\s+[\\w.:-]+\\s*=|!--|!\\[CDATA"
              + "|!(?i:DOCTYPE)|\\?)");

  private LooseXml() {}

  /**
   * An element.
   *
   * @param id the value of the requested attribute
   * @param texts the texts of its parts, by name; the first one of each name
   */
  public record Item(String id, Map<String, String> texts) {}

  /**
   * Returns all elements with a name and an attribute, in order.
   *
   * @param parts the lowercase names of its parts: elements that each end where another one starts,
   *     closed or not
   */
  public static ImmutableList<Item> items(
      String xml, String name, String attribute, ImmutableSet<String> parts) {
    String text =
        LOOSE_BRACKET.matcher(xml).replaceAll(loose -> loose.group(1) == null ? "&lt;" : "$1");
    Parser parser = Parser.xmlParser().settings(ParseSettings.htmlDefault);
    String ends = name + "," + String.join(",", parts);
    ImmutableList.Builder<Item> items = ImmutableList.builder();
    for (Element item : parser.parseInput(text, "").select(name + "[" + attribute + "]")) {
      Map<String, String> texts = new HashMap<>();
      for (Element part : item.select(String.join(",", parts))) {
        // The parts of another item inside this unclosed one do not belong to it.
        if (item.equals(part.closest(name))) {
          Element own = part.clone();
          own.children().select(ends).remove();
          texts.putIfAbsent(part.normalName(), own.text());
        }
      }
      items.add(new Item(item.attr(attribute), texts));
    }
    return items.build();
  }
}
