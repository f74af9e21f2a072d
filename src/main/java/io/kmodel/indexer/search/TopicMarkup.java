package io.kmodel.indexer.search;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.parse.html.XmlEntities;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads topics that are elements: TREC's {@code <top>}, {@code <topic>}, {@code <query>}, or
 * documents as topics ({@code <DOC>}); the first of these tags says which. Names may be in any
 * case, and an element ends at the latest where the next topic starts. A {@code <} that does not
 * start markup is text. Comments are dropped, references and CDATA sections resolved.
 *
 * <p>The id is the attribute {@code number}, else the element {@code num}, {@code number}, {@code
 * id}, {@code identifier} or {@code docno}, else the attribute {@code num}, {@code id} or {@code
 * qid}. The query is {@code query}, {@code title} or {@code text}, else the topic's text outside of
 * elements. {@code desc} or {@code description}, and {@code narr} or {@code narrative} may follow.
 * A name may have a language before it, such as {@code EN-title}. Of several elements, the first
 * counts.
 *
 * <p>Elements that mark up words are part of the text. In {@code <top>}, every other tag ends an
 * element, closed or not. In the others, elements besides the ones above are part of the text
 * within these, and ignored outside of them. Time: linear, except for comments without an end.
 * Memory: twice the text.
 */
final class TopicMarkup {
  private static final String SGML = "top";
  private static final String INDRI = "query";
  private static final ImmutableSet<String> TOPICS = ImmutableSet.of(SGML, "topic", "doc", INDRI);

  private static final Pattern ANYWHERE =
      Pattern.compile("(?i)<(?:top|topic|doc)(?:\\s[^<>]*+)?>\\s*+<");

  /** Elements around all topics. */
  private static final Pattern ROOT = Pattern.compile("(?i)<(?:topics|queries|parameters)[\\s/>]");

  private static final Pattern TAG = Pattern.compile("<(/?)([A-Za-z][\\w.:-]*+)");

  private static final Pattern ATTRIBUTE =
      Pattern.compile("\\s++([\\w.:-]++)\\s*+=\\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\\s\"'<>]++))");

  private static final Pattern TAG_END = Pattern.compile("\\s*+/?>");

  private static final Pattern LANGUAGE = Pattern.compile("^[a-z]{2}-(?=title$|desc$|narr$)");

  private static final ImmutableList<String> IDS =
      ImmutableList.of("num", "number", "id", "identifier", "docno");

  private static final ImmutableList<String> ID_ATTRIBUTES = ImmutableList.of("num", "id", "qid");
  private static final ImmutableList<String> TITLES = ImmutableList.of("query", "title", "text");
  private static final ImmutableList<String> DESCRIPTIONS = ImmutableList.of("description", "desc");
  private static final ImmutableList<String> NARRATIVES = ImmutableList.of("narrative", "narr");

  /** Elements that each end where another one starts; the last two are ignored. */
  private static final ImmutableSet<String> PARTS =
      ImmutableSet.<String>builder()
          .addAll(IDS)
          .addAll(TITLES)
          .addAll(DESCRIPTIONS)
          .addAll(NARRATIVES)
          .add("question", "subtopic")
          .build();

  /** Elements that mark up words of a text. */
  private static final ImmutableSet<String> INLINE =
      ImmutableSet.of(
          "a", "b", "br", "code", "em", "font", "hr", "i", "img", "p", "span", "strong", "sub",
          "sup");

  private static final Pattern LABEL =
      Pattern.compile("(?i)^(?:number|topic|title|description|narrative)\\s*:");

  private static final Pattern LEADING_ZEROS = Pattern.compile("^0+(?=\\d+$)");

  private static final int SHOWN_ELEMENTS = 5;

  /** A topic as it is being read: its attributes, and the texts of its elements by name. */
  private static final class Item {
    final Map<String, String> attributes;
    final Map<String, StringBuilder> texts = new LinkedHashMap<>();

    Item(Map<String, String> attributes) {
      this.attributes = attributes;
      texts.put("", new StringBuilder());
    }

    /** The text of the first of these elements that has any; empty without one. */
    String text(List<String> names) {
      for (String name : names) {
        String found = texts.getOrDefault(name, new StringBuilder()).toString().strip();
        if (!found.isEmpty()) {
          return Topics.oneLine(LABEL.matcher(found).replaceFirst(""));
        }
      }
      return "";
    }

    String id() {
      String number = attributes.getOrDefault("number", "");
      String id = number.isBlank() ? text(IDS) : number;
      for (String name : ID_ATTRIBUTES) {
        id = id.isBlank() ? attributes.getOrDefault(name, "") : id;
      }
      return LEADING_ZEROS.matcher(id.strip()).replaceFirst("");
    }
  }

  private final String text;
  private final Path file;
  private final XmlEntities entities = new XmlEntities();
  private final List<Item> items = new ArrayList<>();
  private String topic = "";
  private @Nullable Item item;

  /** The element that is open; empty outside of elements. */
  private String element = "";

  /** Where its text goes; null if it is ignored. */
  private @Nullable StringBuilder to;

  private TopicMarkup(String text, Path file) {
    this.text = text;
    this.file = file;
  }

  /** Whether a text that starts with something else has a topic with an element. */
  static boolean follows(String text) {
    return ANYWHERE.matcher(text).find();
  }

  /**
   * Reads topics.
   *
   * @throws IOException if there are no topics of a known form, or one has no id
   */
  static ImmutableList<Topic> read(String text, Path file) throws IOException {
    TopicMarkup markup = new TopicMarkup(text, file);
    markup.scan();
    return markup.topics();
  }

  private void scan() {
    int from = 0;
    int open = text.indexOf('<');
    while (open >= 0) {
      int end = text.startsWith("<!", open) || text.startsWith("<?", open) ? 0 : tagEnd(open);
      if (end == 0) {
        end = declarationEnd(open);
        if (end > 0) {
          append(from, open);
          if (to != null && text.startsWith("<![CDATA[", open)) {
            to.append(text, open + "<![CDATA[".length(), end - "]]>".length());
          }
        }
      } else if (end > 0) {
        append(from, open);
        tag(open, end);
      }
      from = end > 0 ? end : from;
      open = text.indexOf('<', Math.max(end, open + 1));
    }
    append(from, text.length());
  }

  private void append(int from, int end) {
    if (to != null) {
      to.append(entities.resolve(text.substring(from, end)));
    }
  }

  /** The offset after a comment, a section, an instruction or a document type; -1 if it is text. */
  private int declarationEnd(int open) {
    if (text.startsWith("<!--", open)) {
      return after("-->", open + "<!--".length());
    }
    if (text.startsWith("<![CDATA[", open)) {
      return after("]]>", open);
    }
    return text.startsWith("<?", open) ? after("?>", open) : entities.doctype(text, open);
  }

  private int after(String end, int from) {
    int found = text.indexOf(end, from);
    return found < 0 ? -1 : found + end.length();
  }

  /** The offset after a tag; -1 if it is text. */
  private int tagEnd(int open) {
    Matcher tag = TAG.matcher(text).region(open, text.length());
    if (!tag.lookingAt()) {
      return -1;
    }
    int at = tag.end();
    Matcher attribute = ATTRIBUTE.matcher(text).region(at, text.length());
    while (attribute.lookingAt()) {
      at = attribute.end();
      attribute.region(at, text.length());
    }
    Matcher end = TAG_END.matcher(text).region(at, text.length());
    return end.lookingAt() ? end.end() : -1;
  }

  private void tag(int open, int end) {
    Matcher tag = TAG.matcher(text).region(open, text.length());
    if (!tag.lookingAt()) {
      return;
    }
    String name = LANGUAGE.matcher(tag.group(2).toLowerCase(Locale.ROOT)).replaceFirst("");
    boolean closes = !tag.group(1).isEmpty();
    if (topic.isEmpty() && !closes && TOPICS.contains(name)) {
      topic = name;
    }
    if (name.equals(topic)) {
      finish();
      if (!closes) {
        item = new Item(attributes(tag.end()));
        items.add(item);
        element("");
      }
    } else if (item != null && text.charAt(end - 2) == '/') {
      empty(name);
    } else if (item != null) {
      inTopic(name, closes);
    }
  }

  /** An element without content, such as {@code <title/>}. */
  private void empty(String name) {
    if (item != null) {
      item.texts.putIfAbsent(name, new StringBuilder());
    }
    if (to != null) {
      to.append(' ');
    }
  }

  private void inTopic(String name, boolean closes) {
    if (topic.equals(SGML) && !INLINE.contains(name)) {
      element(closes ? "" : name);
    } else if (closes && name.equals(element)) {
      element("");
    } else if (!closes && PARTS.contains(name)) {
      element(name);
    } else if (!closes && element.isEmpty() && !INLINE.contains(name)) {
      element(name);
    } else if (to != null) {
      to.append(' ');
    }
  }

  /** Starts an element of the topic; its text is ignored if there was one with that name. */
  private void element(String name) {
    element = name;
    if (item != null) {
      boolean isNew = item.texts.putIfAbsent(name, new StringBuilder()) == null;
      boolean isText = name.isEmpty() && !topic.equals(SGML);
      to = isNew || isText ? item.texts.get(name) : null;
      if (to != null) {
        to.append(' ');
      }
    }
  }

  private void finish() {
    item = null;
    to = null;
    element = "";
  }

  private Map<String, String> attributes(int from) {
    Map<String, String> attributes = new HashMap<>();
    Matcher attribute = ATTRIBUTE.matcher(text).region(from, text.length());
    while (attribute.lookingAt()) {
      for (int group = 2; group <= 4; group++) {
        if (attribute.group(group) != null) {
          attributes.putIfAbsent(
              attribute.group(1).toLowerCase(Locale.ROOT),
              entities.resolve(attribute.group(group)));
        }
      }
      attribute.region(attribute.end(), text.length());
    }
    return attributes;
  }

  private ImmutableList<Topic> topics() throws IOException {
    if (items.isEmpty() && ROOT.matcher(text).find()) {
      return ImmutableList.of();
    }
    if (items.stream().noneMatch(read -> hasText(read) || hasPart(read))) {
      throw Topics.unknown(file, "", described());
    }
    ImmutableList.Builder<Topic> topics = ImmutableList.builder();
    for (int i = 0; i < items.size(); i++) {
      Item read = items.get(i);
      String place = "%s: topic %d".formatted(file, i + 1);
      String title = title(read);
      if (topic.equals(INDRI) && title.startsWith("#")) {
        throw new IOException(place + ": Indri's query language is not read: " + title);
      }
      topics.add(
          Topics.topic(read.id(), title, read.text(DESCRIPTIONS), read.text(NARRATIVES), place));
    }
    return topics.build();
  }

  private String title(Item read) {
    String title = read.text(TITLES);
    return title.isEmpty()
        ? Topics.oneLine(read.texts.getOrDefault("", new StringBuilder()).toString())
        : title;
  }

  private boolean hasText(Item read) {
    return !(title(read) + read.text(DESCRIPTIONS) + read.text(NARRATIVES)).isEmpty();
  }

  /** Whether it has an element for a text, perhaps an empty one. */
  private static boolean hasPart(Item read) {
    return Stream.of(TITLES, DESCRIPTIONS, NARRATIVES)
        .flatMap(List::stream)
        .anyMatch(read.texts::containsKey);
  }

  /** What the file has, for a message. */
  private String described() {
    if (items.isEmpty()) {
      return "no <top>, <topic> or <DOC>";
    }
    List<String> names =
        items.getFirst().texts.keySet().stream()
            .filter(name -> !name.isEmpty())
            .limit(SHOWN_ELEMENTS)
            .map(name -> "<" + name + ">")
            .toList();
    return "<%s> with %s".formatted(topic, names.isEmpty() ? "no text" : String.join(", ", names));
  }
}
