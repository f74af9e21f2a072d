package io.kmodel.indexer.source;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.kmodel.indexer.store.JsonProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an object of JSON says of a document. Memory: the text three times, five times where half of
 * a surrogate pair is repaired. Not thread-safe.
 */
final class JsonDocument {
  /** What is kept of an object. */
  enum Part {
    ID,
    URI,
    TITLE,
    HEADINGS,
    TEXT
  }

  /** Knows which members of an object are which part of a document. */
  interface Members {
    /**
     * Takes them from an object.
     *
     * @param json at the object's start; at its end on return
     */
    JsonDocument read(JsonParser json) throws IOException;

    /** Those that ids are looked for in. */
    List<String> ids();
  }

  private final Map<Part, String> values = new EnumMap<>(Part.class);

  /** The text is an article's, which is HTML. */
  private boolean isArticle;

  /** Why it is no document; empty if it is one. */
  private String problem = "";

  /** Reads objects, for one thread; what documents are known by has to be there. */
  static TextRecord.Parser parser(Docno docno, Members members) {
    JsonParsers parsers = new JsonParsers();
    return (object, length) ->
        parse(parsers, members, object, length).toRecord(docno, members.ids());
  }

  private static JsonDocument parse(JsonParsers parsers, Members members, byte[] object, int length)
      throws DamagedRecordException {
    try (JsonParser json = parsers.parser(object, length)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("starts with " + named(json.currentToken()));
      }
      JsonDocument document = members.read(json);
      if (json.nextToken() != null) {
        throw new IOException("more than one value");
      }
      return document;
    } catch (IOException e) {
      throw new DamagedRecordException(
          "no JSON object: " + (endsEarly(e) ? "the text ends within it" : JsonProblem.of(e)));
    }
  }

  /** Whether a text ends within an object; between members that is no exception of its own. */
  static boolean endsEarly(IOException e) {
    return e instanceof JsonEOFException
        || String.valueOf(e.getMessage()).startsWith("Unexpected end-of-input");
  }

  void put(Part part, String value) {
    values.put(part, WellFormed.text(value));
  }

  boolean has(Part part) {
    return values.containsKey(part);
  }

  /** Whether its text is an article's. */
  void setArticle(boolean article) {
    isArticle = article;
  }

  /** It is damaged. */
  void setProblem(String why) {
    problem = why;
  }

  private TextRecord toRecord(Docno docno, List<String> ids) throws DamagedRecordException {
    if (!problem.isEmpty()) {
      throw new DamagedRecordException(problem);
    }
    if (orEmpty(Part.ID).isEmpty()
        && docno != Docno.PATH
        && (docno != Docno.URI || orEmpty(Part.URI).isEmpty())) {
      throw new DamagedRecordException("a record without an id in any of " + ids);
    }
    String text = orEmpty(Part.TEXT);
    String content = isArticle ? JsonArticle.page(orEmpty(Part.TITLE), text) : text;
    byte[] utf8 = content.getBytes(StandardCharsets.UTF_8);
    return new TextRecord(
        isArticle ? ContentType.HTML : ContentType.PLAIN_TEXT,
        orEmpty(Part.ID),
        orEmpty(Part.URI),
        orEmpty(Part.TITLE),
        orEmpty(Part.HEADINGS),
        true,
        utf8,
        0,
        utf8.length);
  }

  private String orEmpty(Part part) {
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
