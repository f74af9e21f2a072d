package io.kmodel.indexer.search;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.store.library.JsonProblem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads topics that are lines of JSON. The id is the member {@code id}, {@code _id}, {@code qid},
 * {@code query_id}, {@code number} or {@code topic}; the query is {@code query}, {@code title},
 * {@code text} or {@code contents}; {@code description} and {@code narrative} may follow. Of
 * several members, the first in this order counts. A member {@code vector}, an object of terms and
 * weights, is the query of an index of vectors.
 */
final class TopicJson {
  private static final ImmutableList<String> ID_MEMBERS =
      ImmutableList.of("id", "_id", "qid", "query_id", "number", "topic");

  private static final ImmutableList<String> QUERY_MEMBERS =
      ImmutableList.of("query", "title", "text", "contents");

  private static final ImmutableList<String> PART_MEMBERS =
      ImmutableList.of("description", "narrative");

  private static final String VECTOR = "vector";

  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private TopicJson() {}

  /**
   * Reads topics.
   *
   * @throws IOException if a line is not a topic; the message names it
   */
  static ImmutableList<Topic> read(String text, Path file) throws IOException {
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
          Topics.topic(
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
        return Topics.oneLine(object.get(name).asText());
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
}
