package io.kmodel.indexer.search;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.parse.html.LooseXml;
import io.kmodel.indexer.store.library.GzipFile;
import io.kmodel.indexer.store.library.JsonProblem;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads topics in one of four formats: TREC's own, the XML of its web tracks, {@code id<TAB>query}
 * lines, or one JSON object per line. A file with a {@code <top>} tag is in TREC's format, one with
 * {@code <topic number="1">} is XML, and one that begins with a brace is JSON. A gzip file is
 * recognized by its first bytes.
 *
 * <p>TREC's format: num, title, desc and narr are read; a field ends at the next tag, closed or
 * not, and labels such as {@code Number:} or {@code Topic:} are dropped. XML: query, description
 * and narrative are read. Leading zeros of a number are dropped, as in relevance judgements: 051
 * becomes 51. JSON: the id is the member {@code id}, {@code _id}, {@code qid}, {@code query_id},
 * {@code number} or {@code topic}; the query is {@code query}, {@code title}, {@code text} or
 * {@code contents}; {@code description} and {@code narrative} may follow. Of several members, the
 * first in this order counts. A member {@code vector}, an object of terms and weights, is the query
 * of an index of vectors. Text is UTF-8; invalid bytes read as U+FFFD. Memory: twice the text.
 */
public final class Topics {
  private static final Pattern TOP = Pattern.compile("(?i)<top\\s*>");

  private static final Pattern XML_TOPIC =
      Pattern.compile("(?i)<topic\\s[^>]*\\bnumber\\s*=\\s*[\"']([^\"']*)[\"'][^>]*>");

  /** Any tag; a "<" that does not start one is text. */
  private static final Pattern TAG = Pattern.compile("<(/?)([A-Za-z]+)\\s*>");

  private static final Pattern LABEL =
      Pattern.compile("(?i)^(?:number|topic|title|description|narrative)\\s*:");

  private static final Pattern LEADING_ZEROS = Pattern.compile("^0+(?=\\d+$)");

  private static final ImmutableList<String> ID_MEMBERS =
      ImmutableList.of("id", "_id", "qid", "query_id", "number", "topic");

  private static final ImmutableList<String> QUERY_MEMBERS =
      ImmutableList.of("query", "title", "text", "contents");

  /** The elements of an XML topic; questions and subtopics are ignored. */
  private static final ImmutableSet<String> XML_PARTS =
      ImmutableSet.of("query", "question", "description", "narrative", "subtopic");

  private static final ImmutableList<String> PART_MEMBERS =
      ImmutableList.of("description", "narrative");

  private static final String VECTOR = "vector";

  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private Topics() {}

  /**
   * Reads a file of topics, in its order; an empty one has none.
   *
   * @throws IOException if it cannot be read or is malformed; the message says where
   */
  public static ImmutableList<Topic> read(Path file) throws IOException {
    String text = new String(unpacked(file), StandardCharsets.UTF_8);
    if (text.startsWith("\uFEFF")) {
      text = text.substring(1);
    }
    ImmutableList<Topic> topics = parse(text, file);
    Set<String> ids = new HashSet<>();
    for (Topic topic : topics) {
      if (!ids.add(topic.id())) {
        throw new IOException("%s: duplicate topic id '%s'".formatted(file, topic.id()));
      }
    }
    return topics;
  }

  private static ImmutableList<Topic> parse(String text, Path file) throws IOException {
    if (TOP.matcher(text).find()) {
      return parseTrec(text, file);
    }
    if (XML_TOPIC.matcher(text).find()) {
      return parseXml(text, file);
    }
    return text.stripLeading().startsWith("{") ? parseJson(text, file) : parseTsv(text, file);
  }

  private static byte[] unpacked(Path file) throws IOException {
    try (InputStream in = GzipFile.unpacked(file)) {
      return in.readAllBytes();
    } catch (EOFException | ZipException e) {
      throw GzipFile.damaged(file, e);
    }
  }

  private static ImmutableList<Topic> parseTrec(String text, Path file) throws IOException {
    ImmutableList.Builder<Topic> topics = ImmutableList.builder();
    List<String> parts = TOP.splitAsStream(text).toList();
    for (int i = 1; i < parts.size(); i++) {
      Map<String, String> fields = trecFields(parts.get(i));
      topics.add(
          topic(
              withoutLeadingZeros(fields.getOrDefault("num", "")),
              fields.getOrDefault("title", ""),
              fields.getOrDefault("desc", ""),
              fields.getOrDefault("narr", ""),
              file + ": topic " + i));
    }
    return topics.build();
  }

  private static String withoutLeadingZeros(String number) {
    return LEADING_ZEROS.matcher(number).replaceFirst("");
  }

  private static ImmutableList<Topic> parseXml(String text, Path file) throws IOException {
    ImmutableList.Builder<Topic> topics = ImmutableList.builder();
    int number = 0;
    for (LooseXml.Item topic : LooseXml.items(text, "topic", "number", XML_PARTS)) {
      number++;
      topics.add(
          topic(
              withoutLeadingZeros(topic.id().strip()),
              clean(topic.texts().getOrDefault("query", "")),
              clean(topic.texts().getOrDefault("description", "")),
              clean(topic.texts().getOrDefault("narrative", "")),
              "%s: topic %d".formatted(file, number)));
    }
    return topics.build();
  }

  /** Texts by lower-case tag; the first one if a tag is repeated. */
  private static Map<String, String> trecFields(String top) {
    Map<String, String> fields = new HashMap<>();
    String tag = "";
    int start = 0;
    Matcher matcher = TAG.matcher(top);
    while (matcher.find()) {
      fields.putIfAbsent(tag, clean(top.substring(start, matcher.start())));
      tag = matcher.group(1).isEmpty() ? matcher.group(2).toLowerCase(Locale.ROOT) : "";
      start = matcher.end();
    }
    fields.putIfAbsent(tag, clean(top.substring(start)));
    return fields;
  }

  private static String clean(String text) {
    return oneLine(LABEL.matcher(text.strip()).replaceFirst(""));
  }

  private static ImmutableList<Topic> parseTsv(String text, Path file) throws IOException {
    ImmutableList.Builder<Topic> topics = ImmutableList.builder();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.isBlank()) {
        continue;
      }
      int tab = line.indexOf('\t');
      if (tab < 0) {
        throw new IOException(
            "%s: line %d: expected id<TAB>query, got '%s'".formatted(file, number, line));
      }
      String place = file + ": line " + number;
      topics.add(
          topic(line.substring(0, tab).strip(), oneLine(line.substring(tab)), "", "", place));
    }
    return topics.build();
  }

  private static ImmutableList<Topic> parseJson(String text, Path file) throws IOException {
    ImmutableList.Builder<Topic> topics = ImmutableList.builder();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.isBlank()) {
        continue;
      }
      String place = file + ": line " + number;
      JsonNode object;
      try {
        object = JSON.readTree(line);
      } catch (JsonProcessingException e) {
        throw new IOException(
            place + ": not a JSON object: " + JsonProblem.of(e.getOriginalMessage()), e);
      }
      Topic topic =
          topic(
              member(object, ID_MEMBERS),
              member(object, QUERY_MEMBERS),
              member(object, List.of("description")),
              member(object, List.of("narrative")),
              place);
      ImmutableMap<String, Float> vector = vector(object.get(VECTOR), place);
      if (vector.isEmpty()
          && !hasMember(object, QUERY_MEMBERS)
          && !hasMember(object, PART_MEMBERS)) {
        throw new IOException(
            "%s: no query; expected one of the members %s, or a vector with terms"
                .formatted(place, QUERY_MEMBERS));
      }
      topics.add(
          new Topic(topic.id(), topic.title(), topic.description(), topic.narrative(), vector));
    }
    return topics.build();
  }

  /** The terms and weights of a vector without those of weight 0, or empty. */
  private static ImmutableMap<String, Float> vector(@Nullable JsonNode vector, String place)
      throws IOException {
    if (vector == null) {
      return ImmutableMap.of();
    }
    ImmutableMap.Builder<String, Float> weights = ImmutableMap.builder();
    for (Map.Entry<String, JsonNode> entry : vector.properties()) {
      float weight = entry.getValue().floatValue();
      if (!entry.getValue().isNumber() || !(weight >= 0) || Float.isInfinite(weight)) {
        throw new IOException(
            "%s: the weight of '%s' is not a number of at least 0: %s"
                .formatted(place, entry.getKey(), entry.getValue()));
      }
      if (weight > 0) {
        weights.put(entry.getKey(), weight);
      }
    }
    return weights.buildOrThrow();
  }

  /** The text of the first of the members that exists, on one line; empty if none does. */
  private static String member(JsonNode object, List<String> names) {
    for (String name : names) {
      if (hasMember(object, List.of(name))) {
        return oneLine(object.get(name).asText());
      }
    }
    return "";
  }

  private static boolean hasMember(JsonNode object, List<String> names) {
    for (String name : names) {
      JsonNode value = object.get(name);
      if (value != null && (value.isTextual() || value.isNumber())) {
        return true;
      }
    }
    return false;
  }

  private static Topic topic(
      String id, String title, String description, String narrative, String place)
      throws IOException {
    try {
      return new Topic(id, title, description, narrative);
    } catch (IllegalArgumentException e) {
      throw new IOException(place + ": " + e.getMessage(), e);
    }
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }
}
