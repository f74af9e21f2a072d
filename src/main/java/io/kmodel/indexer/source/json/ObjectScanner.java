package io.kmodel.indexer.source.json;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.JsonPart;
import io.kmodel.indexer.source.WeightScale;
import io.kmodel.indexer.source.lines.TextRecord;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the usual members of a JSON object from its bytes, eight at a time, and copies a text only
 * if it has escapes. It knows objects whose members are strings, whole numbers, true, false and
 * null, and one vector, in valid UTF-8 and with all that the record needs. Everything else it
 * leaves to Jackson, so every error is Jackson's.
 *
 * <p>Memory: the texts with escapes. Not thread-safe.
 */
final class ObjectScanner {
  private static final int UNSURE = JsonScanner.UNSURE;

  /** A part of the document: some bytes, once it is present. */
  private static final class Value {
    boolean isPresent;

    /** Rank of the name whose value was taken; the lowest one counts. */
    int rank;

    byte[] bytes = {};
    int from;
    int to;

    boolean isEmpty() {
      return from == to;
    }

    String string() {
      return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }
  }

  private final Docno docno;
  private final ImmutableList<UsualMembers.Name> names = UsualMembers.names();
  private final Map<JsonPart, Value> values = new EnumMap<>(JsonPart.class);
  private final Value id = value(JsonPart.ID);
  private final Value uri = value(JsonPart.URI);
  private final Value title = value(JsonPart.TITLE);
  private final Value headings = value(JsonPart.HEADINGS);
  private final Value text = value(JsonPart.TEXT);

  private final JsonScanner json = new JsonScanner();

  /** Reads the vector that every object must have; null if they have texts. */
  private final @Nullable VectorScanner vectors;

  private final UnusedMembers unused;

  /**
   * Reads objects with texts, or with vectors.
   *
   * @param weights of the vectors; null for texts
   * @param unused sees the members that are not read
   */
  ObjectScanner(Docno docno, @Nullable WeightScale weights, UnusedMembers unused) {
    this.docno = docno;
    this.unused = unused;
    this.vectors = weights == null ? null : new VectorScanner(weights, json);
  }

  private Value value(JsonPart part) {
    return values.computeIfAbsent(part, key -> new Value());
  }

  /** The record of an object, valid until the next call; null if Jackson must read it. */
  @Nullable TextRecord read(byte[] bytes, int count) {
    json.start(bytes, count);
    unused.start();
    if (vectors != null) {
      vectors.start();
    }
    for (Value value : values.values()) {
      value.isPresent = false;
      value.rank = Integer.MAX_VALUE;
      value.from = 0;
      value.to = 0;
    }
    boolean isSure = members() && json.isUtf8();
    boolean needsId = !docno.isPath() && (docno != Docno.URI || uri.isEmpty());
    boolean hasContent = vectors == null ? text.isPresent : vectors.isPresent();
    if (!isSure || !hasContent || (needsId && id.isEmpty())) {
      return null;
    }
    return vectors == null ? record() : record().withVector(vectors.vector());
  }

  private TextRecord record() {
    return new TextRecord(
        ContentType.PLAIN_TEXT,
        id.string(),
        uri.string(),
        title.string(),
        headings.string(),
        true,
        text.bytes,
        text.from,
        text.to);
  }

  /** Reads all members; returns whether that is the whole object, and nothing in it is unusual. */
  private boolean members() {
    int at = json.afterBlanks(0);
    if (!json.is(at, '{')) {
      return false;
    }
    do {
      at = member(json.afterBlanks(at + 1));
      at = at == UNSURE ? json.length() : json.afterBlanks(at);
    } while (json.is(at, ','));
    return json.is(at, '}') && json.afterBlanks(at + 1) == json.length();
  }

  /** Reads a name and its value; returns the offset after it. */
  private int member(int at) {
    int nameEnd = json.is(at, '"') ? json.string(at + 1) : UNSURE;
    if (nameEnd == UNSURE || json.hasEscapes()) {
      return UNSURE;
    }
    UsualMembers.Name name = name(at + 1, nameEnd);
    int colon = json.afterBlanks(nameEnd + 1);
    int start = json.afterBlanks(colon + 1);
    if (!json.is(colon, ':')) {
      return UNSURE;
    }
    if (vectors != null && vectors.isName(at + 1, nameEnd)) {
      return json.is(start, '{') ? vectors.read(start) : UNSURE;
    }
    if (name == null) {
      unused.see(json.object(), at + 1, nameEnd);
    }
    if (json.is(start, '"')) {
      int end = json.string(start + 1);
      boolean taken =
          end != UNSURE && (name == null || take(name, start + 1, end, json.hasEscapes()));
      return taken ? end + 1 : UNSURE;
    }
    int end = json.wholeNumber(start);
    if (end == UNSURE) {
      return name == null ? json.word(start) : UNSURE;
    }
    return name == null || take(name, start, end, false) ? end : UNSURE;
  }

  private UsualMembers.@Nullable Name name(int from, int to) {
    for (UsualMembers.Name name : names) {
      if (name.is(json.object(), from, to)) {
        return name;
      }
    }
    return null;
  }

  /** Takes a value as {@link UsualMembers} does; returns whether it is certain. */
  private boolean take(UsualMembers.Name name, int from, int to, boolean escapes) {
    Value value = value(name.part());
    if (from == to) {
      value.isPresent = true;
    } else if (name.rank() <= value.rank) {
      value.isPresent = true;
      value.rank = name.rank();
      value.bytes = json.object();
      value.from = from;
      value.to = to;
      return !escapes || unescape(value);
    }
    return true;
  }

  /** Replaces a value by one without escapes; returns false for half of a surrogate pair. */
  private boolean unescape(Value value) {
    int start = json.unescape(value.from, value.to);
    value.bytes = json.unescaped();
    value.from = start;
    value.to = json.unescapedLength();
    return start != UNSURE;
  }
}
