package io.kmodel.indexer.parse;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;
import org.jsoup.parser.ParseSettings;
import org.jsoup.parser.Parser;

/**
 * Reads XML that people have written, by jsoup: names in any case, references, sections of CDATA,
 * comments left out, elements without an end tag, and a {@code <} that starts nothing is text.
 * Memory: a few times the text.
 */
public final class LooseXml {
  /** A section of CDATA, or else a "<" that starts nothing of XML, as in {@code a<b}. */
  private static final Pattern LOOSE_BRACKET =
      Pattern.compile(
          "(?s)(<!\\[CDATA\\[.*?\\]\\]>)"
              + "|<(?!/?[A-Za-z][\\w.-]*\\s*/?>|[A-Za-z][\\w.-]*\\s+[\\w.:-]+\\s*=|!--|!\\[CDATA"
              + "|!(?i:DOCTYPE)|\\?)");

  private LooseXml() {}

  /**
   * An element.
   *
   * @param id the value of the attribute that was asked for
   * @param texts of its parts, by name; of several of one name the first
   */
  public record Item(String id, Map<String, String> texts) {}

  /**
   * All elements of a name that have an attribute, in order.
   *
   * @param parts names of the elements that one consists of: each ends where another one starts,
   *     closed or not. In lower case
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
        // What is in another item that this one, unclosed, holds is not its own.
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
