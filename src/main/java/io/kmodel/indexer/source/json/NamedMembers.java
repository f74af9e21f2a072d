package io.kmodel.indexer.source.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.JsonPart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the members of objects that a user has named ({@link JsonMembers}). A named member that is
 * present but is not text makes the record a damaged one, so that no text goes missing silently. If
 * an object has a name twice, both members count. Memory: the text three times while it is
 * assembled.
 */
final class NamedMembers implements JsonDocument.Members {
  private static final String BETWEEN = "\n";

  /** A name, with the names of members inside it. */
  private static final class Node {
    final String path;
    final Map<String, Node> inside = new HashMap<>();

    /** The destinations of a text at this path. */
    final List<Slot> slots = new ArrayList<>();

    Node(String path) {
      this.path = path;
    }

    Node child(String name) {
      String to = path.isEmpty() ? name : path + "." + name;
      return inside.computeIfAbsent(name, n -> new Node(to));
    }
  }

  /**
   * The destination of a text.
   *
   * @param number among all slots, in the order of the parts and of the names of each part
   */
  private record Slot(JsonPart part, int number) {
    /** Whether it may be assembled from several texts. */
    boolean isText() {
      return part != JsonPart.ID && part != JsonPart.URI;
    }
  }

  private final Node root = new Node("");
  private final List<Slot> slots = new ArrayList<>();

  NamedMembers(JsonMembers members) {
    members
        .paths()
        .forEach(
            (part, paths) -> {
              for (List<String> path : paths) {
                Node node = root;
                for (String name : path) {
                  node = node.child(name);
                }
                Slot slot = new Slot(part, slots.size());
                slots.add(slot);
                node.slots.add(slot);
                if (path.size() > 1) {
                  // A name may contain a dot itself.
                  root.child(String.join(".", path)).slots.add(slot);
                }
              }
            });
  }

  @Override
  public void read(JsonParser json, JsonDocument document) throws IOException {
    Reading reading = new Reading(slots.size());
    reading.members(json, root);
    Map<JsonPart, StringBuilder> parts = new EnumMap<>(JsonPart.class);
    for (Slot slot : slots) {
      StringBuilder found = reading.texts.get(slot.number());
      if (found != null) {
        StringBuilder part = parts.computeIfAbsent(slot.part(), p -> new StringBuilder());
        if (part.isEmpty() || (slot.isText() && !found.isEmpty())) {
          part.append(part.isEmpty() ? "" : BETWEEN).append(found);
        }
      }
    }
    parts.forEach((part, text) -> document.put(part, text.toString()));
    if (!reading.problem.isEmpty()) {
      document.setProblem(reading.problem);
    }
  }

  /** The state of reading one object. */
  private static final class Reading {
    /** By slot number; null if the object has no such member. */
    final List<@Nullable StringBuilder> texts;

    /** Why the first invalid member is not text; empty if all are valid. */
    String problem = "";

    Reading(int slots) {
      texts = new ArrayList<>(Collections.nCopies(slots, null));
    }

    /** Reads the members of an object to its end. */
    void members(JsonParser json, Node node) throws IOException {
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        Node member = node.inside.get(json.currentName());
        JsonToken value = json.nextToken();
        if (member == null) {
          json.skipChildren();
        } else {
          value(value, json, member);
        }
      }
    }

    private void value(JsonToken value, JsonParser json, Node node) throws IOException {
      if (value == JsonToken.VALUE_NULL || json.isNaN()) {
        isThere(node);
      } else if (value.isScalarValue()) {
        if (node.slots.isEmpty()) {
          isWrong(node, "a value, not an object");
        }
        for (Slot slot : node.slots) {
          add(json.getText(), slot);
        }
      } else if (value == JsonToken.START_OBJECT) {
        if (node.inside.isEmpty()) {
          isWrong(node, "an object, not text");
          json.skipChildren();
        } else {
          members(json, node);
        }
      } else {
        list(json, node);
      }
    }

    private void list(JsonParser json, Node node) throws IOException {
      if (node.slots.stream().anyMatch(slot -> !slot.isText())) {
        isWrong(node, "a list, not text");
      }
      isThere(node);
      for (JsonToken item = json.nextToken();
          item != JsonToken.END_ARRAY;
          item = json.nextToken()) {
        value(item, json, node);
      }
    }

    /** Only a text is assembled; for other parts, the first non-empty value counts. */
    private void add(String value, Slot slot) {
      StringBuilder text = text(slot);
      if (text.isEmpty()) {
        text.append(value);
      } else if (slot.isText()) {
        text.append(BETWEEN).append(value);
      }
    }

    /** Marks a member as present, although it may be empty, here and further inside. */
    private void isThere(Node node) {
      node.slots.forEach(this::text);
      node.inside.values().forEach(this::isThere);
    }

    private StringBuilder text(Slot slot) {
      StringBuilder text = texts.get(slot.number());
      if (text == null) {
        text = new StringBuilder();
        texts.set(slot.number(), text);
      }
      return text;
    }

    private void isWrong(Node node, String what) {
      if (problem.isEmpty()) {
        problem = "member '%s' is %s".formatted(node.path, what);
      }
    }
  }
}
