package io.kmodel.indexer.source.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.source.MetadataRequest;
import io.kmodel.indexer.source.RawMetadata;
import io.kmodel.indexer.source.lines.TextRecord;
import io.kmodel.indexer.source.record.DamagedRecordException;
import io.kmodel.indexer.source.record.WellFormed;
import io.kmodel.indexer.store.library.JsonProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the members of JSON objects that hold metadata. A dot in a name leads into an object, or
 * into each object of a list, or is part of the name of a member of the object itself. The first
 * value that is not empty counts; null, NaN and objects are no values. It reads an object once
 * more, by Jackson, after its text. Not thread-safe.
 */
final class MetadataMembers {
  private static final char DOT = '.';

  /** A name, with the names of members inside it. */
  private static final class Node {
    final Map<String, Node> inside = new HashMap<>();
    final List<Integer> slots = new ArrayList<>();
  }

  private final JsonParsers parsers = new JsonParsers();
  private final Node root = new Node();
  private final MetadataRequest request;

  /** The values of {@link #names}, or empty. */
  private final String[] values;

  private MetadataMembers(MetadataRequest request) {
    this.request = request;
    List<String> all = names(request);
    this.values = new String[all.size()];
    for (int slot = 0; slot < values.length; slot++) {
      String name = all.get(slot);
      Node node = root;
      for (String part : Splitter.on(DOT).split(name)) {
        node = node.inside.computeIfAbsent(part, key -> new Node());
      }
      node.slots.add(slot);
      if (name.indexOf(DOT) >= 0) {
        root.inside.computeIfAbsent(name, key -> new Node()).slots.add(slot);
      }
    }
  }

  /** The names of members of an object itself in which metadata is looked for. */
  static Set<String> roots(MetadataRequest request) {
    return new MetadataMembers(request).root.inside.keySet();
  }

  /** Adds metadata to the records of a parser, if any is wanted. */
  static TextRecord.Parser with(MetadataRequest request, TextRecord.Parser records) {
    if (request.isEmpty()) {
      return records;
    }
    MetadataMembers members = new MetadataMembers(request);
    return (object, length) -> {
      TextRecord record = records.parse(object, length);
      return record == null ? null : record.withMetadata(members.read(object, length));
    };
  }

  private RawMetadata read(byte[] object, int length) throws DamagedRecordException {
    Arrays.fill(values, "");
    try (JsonParser json = parsers.parser(object, length)) {
      json.nextToken();
      members(json, root);
    } catch (IOException e) {
      throw new DamagedRecordException("not a JSON object: " + JsonProblem.of(e));
    }
    return metadata(request, Arrays.asList(values));
  }

  /** The metadata of an object, given the values of {@link #names}. */
  static RawMetadata metadata(MetadataRequest request, List<String> values) {
    int dates = request.names().size();
    int languages = dates + request.usualDates().size();
    return new RawMetadata(
        first(values.subList(dates, languages)),
        first(values.subList(languages, values.size())),
        "",
        ImmutableList.copyOf(values.subList(0, dates)));
  }

  /** The wanted names, then those of dates and languages. */
  static List<String> names(MetadataRequest request) {
    List<String> all = new ArrayList<>(request.names());
    all.addAll(request.usualDates());
    all.addAll(request.usualLanguages());
    return all;
  }

  private static String first(List<String> candidates) {
    return candidates.stream().filter(value -> !value.isEmpty()).findFirst().orElse("");
  }

  private void members(JsonParser json, Node node) throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      Node member = node.inside.get(json.currentName());
      json.nextToken();
      if (member == null) {
        json.skipChildren();
      } else {
        value(json, member);
      }
    }
  }

  private void value(JsonParser json, Node node) throws IOException {
    JsonToken value = json.currentToken();
    if (value == JsonToken.START_OBJECT) {
      members(json, node);
    } else if (value == JsonToken.START_ARRAY) {
      while (json.nextToken() != JsonToken.END_ARRAY) {
        value(json, node);
      }
    } else if (value != JsonToken.VALUE_NULL && !json.isNaN()) {
      for (int slot : node.slots) {
        if (values[slot].isEmpty()) {
          values[slot] = WellFormed.text(json.getText()).strip();
        }
      }
    }
  }
}
