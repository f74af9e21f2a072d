package io.kmodel.indexer.source.json;

import com.google.common.base.Splitter;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.JsonCounts;
import io.kmodel.indexer.source.JsonCounts.Unsure;
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.JsonPart;
import io.kmodel.indexer.source.MetadataRequest;
import io.kmodel.indexer.source.WeightScale;
import io.kmodel.indexer.source.lines.TextRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the members of a JSON object from its bytes, in one pass, and copies a text only if it has
 * escapes or is put together from several strings. The same members are read by Jackson in {@link
 * UsualMembers}, {@link NamedMembers}, {@link VectorMembers} and {@link MetadataMembers}. Objects
 * with anything of {@link JsonCounts.Unsure} are left to them, so every error is theirs. Members
 * that are not wanted are checked as well.
 *
 * <p>Memory: the texts that are copied, and offsets of the strings of a list. Not thread-safe.
 */
final class ObjectScanner {
  private static final int UNSURE = JsonScanner.UNSURE;

  /** A part of the document that a user has named: its own text, and those of its members. */
  private record NamedPart(JsonText text, List<MemberNode.Slot> slots) {}

  private final Docno docno;
  private final MetadataRequest metadata;
  private final UnusedMembers unused;

  private final JsonScanner json = new JsonScanner();

  /** Reads the vector that every object must have; null if they have texts. */
  private final @Nullable VectorScanner vectors;

  private final MemberNode root = new MemberNode("");
  private final Map<JsonPart, JsonText> texts = new EnumMap<>(JsonPart.class);
  private final List<MemberNode.Usual> usual = new ArrayList<>();
  private final List<NamedPart> named = new ArrayList<>();

  /** The values of {@link MetadataMembers#names}, or empty. */
  private final String[] values;

  /** The strings of a list. */
  private final JsonText items = new JsonText();

  /** Whether an object of texts has a vector. */
  private boolean hasVector;

  /**
   * Reads objects with texts, or with vectors, by their usual names.
   *
   * @param weights of the vectors; null for texts
   * @param unused sees the members that are not read
   */
  ObjectScanner(Docno docno, @Nullable WeightScale weights, UnusedMembers unused) {
    this(docno, JsonMembers.USUAL, weights, MetadataRequest.NONE, unused);
  }

  /** The same with named members and metadata. */
  ObjectScanner(
      Docno docno,
      JsonMembers members,
      @Nullable WeightScale weights,
      MetadataRequest metadata,
      UnusedMembers unused) {
    this.docno = docno;
    this.metadata = metadata;
    this.unused = unused;
    this.vectors = weights == null ? null : new VectorScanner(weights, json);
    for (JsonPart part : JsonPart.values()) {
      texts.put(part, new JsonText());
    }
    Map<JsonPart, List<List<String>>> paths = members.paths();
    addUsual(paths.keySet());
    paths.forEach(this::addNamed);
    root.child(VectorMembers.NAME).isVector = true;
    List<String> names = MetadataMembers.names(metadata);
    this.values = new String[names.size()];
    for (int i = 0; i < values.length; i++) {
      addMetadata(names.get(i), i);
    }
  }

  private void addUsual(Set<JsonPart> others) {
    Map<JsonPart, MemberNode.Usual> byPart = new EnumMap<>(JsonPart.class);
    UsualMembers.ROLES.forEach(
        (name, role) -> {
          if (!others.contains(role.part())) {
            MemberNode node = root.child(name);
            node.usual =
                byPart.computeIfAbsent(
                    role.part(), part -> new MemberNode.Usual(text(part), part == JsonPart.ID));
            node.rank = role.rank();
          }
        });
    usual.addAll(byPart.values());
  }

  private void addNamed(JsonPart part, List<List<String>> paths) {
    List<MemberNode.Slot> slots = new ArrayList<>();
    boolean isJoined = part != JsonPart.ID && part != JsonPart.URI;
    for (List<String> path : paths) {
      MemberNode.Slot slot = new MemberNode.Slot(new JsonText(), isJoined);
      slots.add(slot);
      MemberNode node = root;
      for (String name : path) {
        node.leadsToNamed = true;
        node = node.child(name);
        node.isNamed = true;
      }
      node.slots.add(slot);
      if (path.size() > 1) {
        // A name may contain a dot itself.
        MemberNode flat = root.child(String.join(".", path));
        flat.isNamed = true;
        flat.slots.add(slot);
      }
    }
    named.add(new NamedPart(text(part), slots));
  }

  private void addMetadata(String name, int value) {
    MemberNode node = root;
    for (String part : Splitter.on('.').split(name)) {
      node = node.child(part);
    }
    node.values.add(value);
    if (name.indexOf('.') >= 0) {
      root.child(name).values.add(value);
    }
  }

  private JsonText text(JsonPart part) {
    JsonText text = texts.get(part);
    if (text == null) {
      throw new IllegalStateException("no text for " + part);
    }
    return text;
  }

  /** The record of an object, valid until the next call; null if Jackson must read it. */
  @Nullable TextRecord read(byte[] bytes, int count) {
    start(bytes, count);
    int open = json.afterBlanks(0);
    int end = json.is(open, '{') ? members(root, open, 1) : UNSURE;
    if (end == UNSURE || json.afterBlanks(end) < count) {
      return null;
    }
    named.forEach(ObjectScanner::assemble);
    for (JsonText text : texts.values()) {
      text.finish(json.object(), json.unescaped());
    }
    return isComplete() ? record() : null;
  }

  /** Why the last object is left to Jackson. */
  Unsure why() {
    return json.why();
  }

  private void start(byte[] bytes, int count) {
    json.start(bytes, count);
    unused.start();
    if (vectors != null) {
      vectors.start();
    }
    hasVector = false;
    for (JsonText text : texts.values()) {
      text.clear();
    }
    for (MemberNode.Usual value : usual) {
      value.rank = Integer.MAX_VALUE;
    }
    for (NamedPart part : named) {
      for (MemberNode.Slot slot : part.slots()) {
        slot.text().clear();
      }
    }
    Arrays.fill(values, "");
  }

  /** Puts the texts of a part's members together as {@link NamedMembers} does. */
  private static void assemble(NamedPart part) {
    for (MemberNode.Slot slot : part.slots()) {
      if (part.text().isEmpty()) {
        part.text().set(slot.text());
      } else if (slot.isJoined() && !slot.text().isEmpty()) {
        part.text().appendAll(slot.text());
      }
    }
  }

  private boolean isComplete() {
    boolean needsId = !docno.isPath() && (docno != Docno.URI || text(JsonPart.URI).isEmpty());
    JsonText text = text(JsonPart.TEXT);
    boolean hasContent =
        vectors == null ? text.isPresent() && !(hasVector && text.isEmpty()) : vectors.isPresent();
    if (hasContent && !(needsId && text(JsonPart.ID).isEmpty())) {
      return true;
    }
    json.unsure(Unsure.INCOMPLETE);
    return false;
  }

  private TextRecord record() {
    JsonText text = text(JsonPart.TEXT);
    TextRecord record =
        new TextRecord(
            ContentType.PLAIN_TEXT,
            text(JsonPart.ID).string(),
            text(JsonPart.URI).string(),
            text(JsonPart.TITLE).string(),
            text(JsonPart.HEADINGS).string(),
            true,
            text.bytes(),
            text.from(),
            text.to());
    if (vectors != null) {
      record = record.withVector(vectors.vector());
    }
    return metadata.isEmpty()
        ? record
        : record.withMetadata(MetadataMembers.metadata(metadata, Arrays.asList(values)));
  }

  /** Reads the members of an object; returns the offset after it. */
  private int members(MemberNode of, int brace, int open) {
    if (open > JsonScanner.MOST_OPEN) {
      return json.unsure(Unsure.DEPTH);
    }
    int at = json.afterBlanks(brace + 1);
    if (json.is(at, '}')) {
      return at + 1;
    }
    while (true) {
      at = member(of, at, open);
      if (at == UNSURE) {
        return UNSURE;
      }
      at = json.afterBlanks(at);
      if (!json.is(at, ',')) {
        return json.is(at, '}') ? at + 1 : UNSURE;
      }
      at = json.afterBlanks(at + 1);
    }
  }

  /** Reads a name and its value; returns the offset after it. */
  private int member(MemberNode of, int quote, int open) {
    int start = json.name(quote);
    if (start == UNSURE) {
      return UNSURE;
    }
    MemberNode node = of.find(json.object(), quote + 1, json.nameEnd());
    if (of == root && (node == null || node.usual == null)) {
      unused.see(json.object(), quote + 1, json.nameEnd());
    }
    if (node == null) {
      return json.skip(start, open);
    }
    return node.isVector && of == root
        ? vector(node, start, open)
        : value(node, start, open, false);
  }

  private int vector(MemberNode node, int start, int open) {
    if (vectors == null) {
      hasVector |= json.is(start, '{');
      return value(node, start, open, false);
    }
    boolean isOnlyVector =
        !node.isNamed && node.values.isEmpty() && !node.hasInside() && json.is(start, '{');
    return isOnlyVector ? vectors.read(start) : json.unsure(Unsure.VECTOR);
  }

  /**
   * Reads a value; returns the offset after it.
   *
   * @param isItem whether it is in a list
   */
  private int value(MemberNode node, int at, int open, boolean isItem) {
    if (json.is(at, '"')) {
      int end = json.text(at + 1);
      if (end == UNSURE) {
        return UNSURE;
      }
      int from = json.hasEscapes() ? ~json.textFrom() : json.textFrom();
      return take(node, from, json.textTo(), isItem) ? end + 1 : UNSURE;
    }
    if (json.is(at, '{')) {
      boolean isWrong = node.usual != null || (node.isNamed && !node.leadsToNamed);
      return isWrong ? json.unsure(Unsure.STRUCTURE) : members(node, at, open + 1);
    }
    if (json.is(at, '[')) {
      return list(node, at, open + 1, isItem);
    }
    int end = json.number(at);
    if (end == UNSURE) {
      end = json.word(at);
      if (end != UNSURE && !json.is(at, 't') && !json.is(at, 'f')) {
        takeNothing(node, isItem);
        return end;
      }
    }
    return end != UNSURE && take(node, at, end, isItem) ? end : UNSURE;
  }

  /** Reads a list; returns the offset after it. */
  private int list(MemberNode node, int bracket, int open, boolean isItem) {
    MemberNode.Usual taken = node.usual;
    if (open > JsonScanner.MOST_OPEN) {
      return json.unsure(Unsure.DEPTH);
    }
    if (taken != null && (taken.isId || isItem)) {
      return json.unsure(Unsure.STRUCTURE);
    }
    for (MemberNode.Slot slot : node.slots) {
      if (!slot.isJoined()) {
        return json.unsure(Unsure.STRUCTURE);
      }
    }
    node.setPresent();
    items.clear();
    int at = json.afterBlanks(bracket + 1);
    boolean isEnd = json.is(at, ']');
    while (!isEnd) {
      if (taken != null && !json.is(at, '"') && !json.is(at, 'n')) {
        return json.unsure(Unsure.STRUCTURE);
      }
      at = value(node, at, open, true);
      if (at == UNSURE) {
        return UNSURE;
      }
      at = json.afterBlanks(at);
      isEnd = json.is(at, ']');
      if (!isEnd && !json.is(at, ',')) {
        return UNSURE;
      }
      at = isEnd ? at : json.afterBlanks(at + 1);
    }
    if (taken != null && items.isEmpty()) {
      taken.text.setPresent();
    } else if (taken != null && node.rank <= taken.rank) {
      taken.text.set(items);
      taken.rank = node.rank;
    }
    return at + 1;
  }

  /** Takes null, NaN or infinity. */
  private static void takeNothing(MemberNode node, boolean isItem) {
    if (node.usual != null && !isItem) {
      node.usual.text.setPresent();
    }
    node.setPresent();
  }

  /**
   * Takes a string, a number, true or false.
   *
   * @param start its offset in the object, or ~offset among the strings without their escapes
   * @return whether that is certain
   */
  private boolean take(MemberNode node, int start, int end, boolean isItem) {
    if (node.isNamed && node.slots.isEmpty()) {
      json.unsure(Unsure.STRUCTURE);
      return false;
    }
    MemberNode.Usual taken = node.usual;
    if (taken != null && isItem) {
      items.append(start, end);
    } else if (taken != null && end == (start < 0 ? ~start : start)) {
      taken.text.setPresent();
    } else if (taken != null && node.rank <= taken.rank) {
      taken.text.set(start, end);
      taken.rank = node.rank;
    }
    for (MemberNode.Slot slot : node.slots) {
      if (slot.text().isEmpty()) {
        slot.text().set(start, end);
      } else if (slot.isJoined()) {
        slot.text().append(start, end);
      }
    }
    for (int value : node.values) {
      if (values[value].isEmpty()) {
        values[value] = string(start, end).strip();
      }
    }
    return true;
  }

  private String string(int start, int end) {
    byte[] bytes = start < 0 ? json.unescaped() : json.object();
    int from = start < 0 ? ~start : start;
    return new String(bytes, from, end - from, StandardCharsets.UTF_8);
  }
}
