package io.kmodel.indexer.source.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.google.common.base.Utf8;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.JsonCounts;
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.JsonPart;
import io.kmodel.indexer.source.MetadataRequest;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SparseVector;
import io.kmodel.indexer.source.WeightScale;
import io.kmodel.indexer.source.lines.TextRecord;
import io.kmodel.indexer.source.record.DamagedRecordException;
import io.kmodel.indexer.source.record.WellFormed;
import io.kmodel.indexer.store.library.JsonProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a JSON object says about a document. Memory: the text three times, or five times if half of
 * a surrogate pair is repaired. Not thread-safe.
 */
public final class JsonDocument {
  /** Knows which members of an object are which part of a document. */
  interface Members {
    /**
     * Adds what an object says.
     *
     * @param json at the object's start; at its end on return
     */
    void read(JsonParser json, JsonDocument document) throws IOException;
  }

  private final Map<JsonPart, String> values = new EnumMap<>(JsonPart.class);

  /** The weighted terms; null for a text. */
  private @Nullable SparseVector vector;

  /** Whether there is a vector, which may not be meant to be read. */
  private boolean hasVector;

  /** Whether the text is an article's, which is HTML. */
  private boolean isArticle;

  /** Why this is not a document; empty if it is one. */
  private String problem = "";

  /** Counts the members that the options have no use for. */
  public static UnusedMembers unused(SourceOptions options) {
    List<String> used = new ArrayList<>(MetadataMembers.roots(options.metadata()));
    for (List<List<String>> paths : options.json().paths().values()) {
      for (List<String> path : paths) {
        used.add(path.getFirst());
        used.add(String.join(".", path));
      }
    }
    if (options.format() == Format.VECTORS) {
      used.add(VectorMembers.NAME);
    }
    return new UnusedMembers(used);
  }

  /**
   * Parses objects as the options say, for one thread.
   *
   * @param unused counts the members that are not read
   * @param counts counts the objects that Jackson reads
   */
  public static TextRecord.Parser parser(
      SourceOptions options, UnusedMembers unused, JsonCounts counts) {
    WeightScale weights = options.format() == Format.VECTORS ? options.weights() : null;
    ObjectScanner scanner =
        new ObjectScanner(options.docno(), options.json(), weights, options.metadata(), unused);
    TextRecord.Parser byJackson =
        MetadataMembers.with(
            options.metadata(), byJackson(options.docno(), options.json(), weights, unused));
    TextRecord.Parser records = parser(scanner, byJackson, counts);
    return (object, length) -> {
      TextRecord record = records.parse(object, length);
      unused.count();
      return record;
    };
  }

  /** Parses objects, for one thread; the id that {@code docno} calls for must be present. */
  public static TextRecord.Parser parser(Docno docno, JsonMembers members) {
    return parser(docno, members, null, new UnusedMembers(List.of()));
  }

  /**
   * Parses objects with texts, or with a sparse vector each, which may have a text besides.
   *
   * @param weights how the vector's weights become integers; null if objects have texts
   */
  static TextRecord.Parser parser(
      Docno docno, JsonMembers members, @Nullable WeightScale weights, UnusedMembers unused) {
    return parser(
        new ObjectScanner(docno, members, weights, MetadataRequest.NONE, unused),
        byJackson(docno, members, weights, unused),
        new JsonCounts());
  }

  private static TextRecord.Parser parser(
      ObjectScanner scanner, TextRecord.Parser byJackson, JsonCounts counts) {
    return (object, length) -> {
      TextRecord record = scanner.read(object, length);
      counts.add(record == null ? scanner.why() : null);
      return record == null ? byJackson.parse(object, length) : record;
    };
  }

  /**
   * The same with Jackson for every object.
   *
   * @param weights of the vectors; null if objects have texts
   */
  static TextRecord.Parser byJackson(
      Docno docno, JsonMembers members, @Nullable WeightScale weights, UnusedMembers unused) {
    JsonParsers parsers = new JsonParsers();
    Members usual = UsualMembers.without(members.paths().keySet(), unused);
    // Each reads the object separately: a member may be a title by its usual name and be named as
    // text.
    List<Members> all = new ArrayList<>(List.of(usual));
    if (!members.isUsual()) {
      all.add(new NamedMembers(members));
    }
    if (weights != null) {
      all.add(new VectorMembers(weights));
    }
    List<String> ids = members.names().getOrDefault(JsonPart.ID.label(), UsualMembers.IDS);
    List<String> texts = members.names().getOrDefault(JsonPart.TEXT.label(), UsualMembers.TEXTS);
    return (object, length) -> {
      JsonDocument document = new JsonDocument();
      unused.start();
      for (Members some : all) {
        read(parsers, some, object, length, document);
      }
      requireUtf8(object, length);
      return weights == null
          ? document.toRecord(docno, ids, texts)
          : document.toVectorRecord(docno, ids);
    };
  }

  private static void read(
      JsonParsers parsers, Members members, byte[] object, int length, JsonDocument document)
      throws DamagedRecordException {
    try (JsonParser json = parsers.parser(object, length)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("starts with " + named(json.currentToken()));
      }
      members.read(json, document);
      if (json.nextToken() != null) {
        throw new IOException("more than one value");
      }
    } catch (IOException e) {
      throw new DamagedRecordException(
          "not a JSON object: " + (endsEarly(e) ? "unexpected end of text" : JsonProblem.of(e)));
    }
  }

  /**
   * Rejects what Jackson accepts beyond UTF-8: a zero in two bytes, characters above U+10FFFF, and
   * UTF-16, whose lines end elsewhere.
   */
  private static void requireUtf8(byte[] object, int length) throws DamagedRecordException {
    boolean isWide = object[0] == 0 || object[1] == 0;
    if (isWide || !Utf8.isWellFormed(object, 0, length)) {
      throw new DamagedRecordException("not a JSON object: invalid UTF-8");
    }
  }

  /**
   * Whether a text ends within an object; between members, Jackson throws no specific exception.
   */
  static boolean endsEarly(IOException e) {
    return e instanceof JsonEOFException
        || String.valueOf(e.getMessage()).startsWith("Unexpected end-of-input");
  }

  void put(JsonPart part, String value) {
    values.put(part, WellFormed.text(value));
  }

  /** The value of a part; null if there is none. */
  @Nullable String get(JsonPart part) {
    return values.get(part);
  }

  /** Sets whether the text is an article's. */
  void setArticle(boolean article) {
    isArticle = article;
  }

  /** Notes that there is a vector. */
  void noteVector() {
    hasVector = true;
  }

  /** Sets the weighted terms. */
  void setVector(SparseVector terms) {
    vector = terms;
  }

  /** Marks the record as damaged. */
  void setProblem(String why) {
    problem = why;
  }

  private TextRecord toVectorRecord(Docno docno, List<String> ids) throws DamagedRecordException {
    SparseVector terms = vector;
    if (problem.isEmpty() && terms == null) {
      throw new DamagedRecordException(
          "record has no vector; expected the member '%s'".formatted(VectorMembers.NAME));
    }
    values.putIfAbsent(JsonPart.TEXT, "");
    TextRecord record = toRecord(docno, ids, List.of());
    return terms == null ? record : record.withVector(terms);
  }

  private TextRecord toRecord(Docno docno, List<String> ids, List<String> texts)
      throws DamagedRecordException {
    if (!problem.isEmpty()) {
      throw new DamagedRecordException(problem);
    }
    String text = values.get(JsonPart.TEXT);
    if (text == null || (text.isEmpty() && hasVector && vector == null)) {
      throw new DamagedRecordException(
          hasVector
              ? "record has no text, but a vector; vectors need --format vectors"
              : "record has no text; expected one of " + texts);
    }
    if (orEmpty(JsonPart.ID).isEmpty()
        && !docno.isPath()
        && (docno != Docno.URI || orEmpty(JsonPart.URI).isEmpty())) {
      throw new DamagedRecordException("record has no id; expected one of " + ids);
    }
    String content = isArticle ? JsonArticle.page(orEmpty(JsonPart.TITLE), text) : text;
    byte[] utf8 = content.getBytes(StandardCharsets.UTF_8);
    return new TextRecord(
        isArticle ? ContentType.HTML : ContentType.PLAIN_TEXT,
        orEmpty(JsonPart.ID),
        orEmpty(JsonPart.URI),
        orEmpty(JsonPart.TITLE),
        orEmpty(JsonPart.HEADINGS),
        true,
        utf8,
        0,
        utf8.length);
  }

  private String orEmpty(JsonPart part) {
    return values.getOrDefault(part, "");
  }

  private static String named(@Nullable JsonToken token) {
    if (token == null) {
      return "nothing";
    }
    if (token == JsonToken.START_ARRAY) {
      return "an array";
    }
    if (token == JsonToken.VALUE_STRING) {
      return "a string";
    }
    return token.isNumeric() ? "a number" : token.asString();
  }
}
