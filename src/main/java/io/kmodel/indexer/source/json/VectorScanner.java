package io.kmodel.indexer.source.json;

import io.kmodel.indexer.source.JsonCounts.Unsure;
import io.kmodel.indexer.source.SparseVector;
import io.kmodel.indexer.source.WeightScale;
import java.nio.charset.StandardCharsets;

/**
 * Reads a sparse vector, an object of terms and weights, from the bytes of a JSON object. Copies a
 * term only if it has escapes. Not thread-safe.
 */
final class VectorScanner {
  /** Longer numbers are left to Jackson. */
  private static final int MOST_CHARACTERS = 40;

  private final WeightScale scale;
  private final JsonScanner json;
  private final SparseVector vector = new SparseVector();
  private boolean isPresent;

  /** The last number as a weight. */
  private int weight;

  VectorScanner(WeightScale scale, JsonScanner json) {
    this.scale = scale;
    this.json = json;
  }

  /** Starts an object. */
  void start() {
    isPresent = false;
  }

  /** Whether the object has a vector, the last of which is kept. */
  boolean isPresent() {
    return isPresent;
  }

  SparseVector vector() {
    return vector;
  }

  /** Reads a vector from its brace on; returns the offset after it, or UNSURE. */
  int read(int brace) {
    vector.clear(json.object());
    isPresent = true;
    int at = json.afterBlanks(brace + 1);
    if (json.is(at, '}')) {
      return at + 1;
    }
    at = brace;
    do {
      at = entry(json.afterBlanks(at + 1));
      at = at == JsonScanner.UNSURE ? json.length() : json.afterBlanks(at);
    } while (json.is(at, ','));
    return json.is(at, '}') ? at + 1 : JsonScanner.UNSURE;
  }

  private int entry(int quote) {
    int end = json.is(quote, '"') ? json.text(quote + 1) : JsonScanner.UNSURE;
    if (end == JsonScanner.UNSURE || end - quote > JsonScanner.MOST_NAME_BYTES) {
      return JsonScanner.UNSURE;
    }
    int colon = json.afterBlanks(end + 1);
    int after = json.is(colon, ':') ? number(json.afterBlanks(colon + 1)) : JsonScanner.UNSURE;
    int length = json.textTo() - json.textFrom();
    if (after != JsonScanner.UNSURE && weight > 0) {
      if (json.hasEscapes()) {
        vector.addUnescaped(json.unescaped(), json.textFrom(), length, weight);
      } else {
        vector.add(json.textFrom(), length, weight);
      }
    }
    return after;
  }

  /** Reads a number of at least 0 that can be kept. */
  private int number(int from) {
    int end = json.number(from);
    if (end == JsonScanner.UNSURE || json.is(from, '-') || end - from > MOST_CHARACTERS) {
      return unsure();
    }
    boolean isWhole = json.digits(from) == end;
    return isWhole && !scale.scales() ? wholeNumber(from, end) : decimal(from, end);
  }

  private int unsure() {
    return json.unsure(Unsure.VECTOR);
  }

  private int wholeNumber(int from, int to) {
    long value = 0;
    for (int at = from; at < to && value <= SparseVector.MAX_WEIGHT; at++) {
      value = 10 * value + json.object()[at] - '0';
    }
    weight = (int) value;
    return value <= SparseVector.MAX_WEIGHT ? to : unsure();
  }

  private int decimal(int from, int to) {
    String number = new String(json.object(), from, to - from, StandardCharsets.ISO_8859_1);
    try {
      weight = scale.weight(Double.parseDouble(number));
      return to;
    } catch (IllegalArgumentException e) {
      // Jackson's reader says why.
      return unsure();
    }
  }
}
