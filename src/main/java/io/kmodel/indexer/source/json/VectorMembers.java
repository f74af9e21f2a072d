package io.kmodel.indexer.source.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.kmodel.indexer.source.SparseVector;
import io.kmodel.indexer.source.WeightScale;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the sparse vector of an object in Anserini's form: {@code "vector":{"term":weight}}. A term
 * of weight 0 is left out. Memory: the terms.
 */
final class VectorMembers implements JsonDocument.Members {
  /** The member that holds the vector. */
  static final String NAME = "vector";

  private final WeightScale scale;
  private final SparseVector vector = new SparseVector();

  private byte[] terms = new byte[1 << 12];
  private int used;

  VectorMembers(WeightScale scale) {
    this.scale = scale;
  }

  @Override
  public void read(JsonParser json, JsonDocument document) throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      boolean isVector = json.currentName().equals(NAME);
      JsonToken value = json.nextToken();
      if (!isVector) {
        json.skipChildren();
      } else if (value == JsonToken.START_OBJECT) {
        readVector(json, document);
        document.setVector(vector);
      } else {
        json.skipChildren();
        document.setProblem("member '%s' is not an object of terms and weights".formatted(NAME));
      }
    }
  }

  private void readVector(JsonParser json, JsonDocument document) throws IOException {
    vector.clear(terms);
    used = 0;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String term = json.currentName();
      if (!json.nextToken().isNumeric()) {
        document.setProblem("the weight of term '%s' is not a number".formatted(term));
        json.skipChildren();
        continue;
      }
      try {
        int weight = scale.weight(json.getDoubleValue());
        if (weight > 0) {
          add(term.getBytes(StandardCharsets.UTF_8), weight);
        }
      } catch (IllegalArgumentException e) {
        document.setProblem(
            "the weight %s of term '%s' %s".formatted(json.getText(), term, e.getMessage()));
      }
    }
  }

  private void add(byte[] term, int weight) {
    if (used + term.length > terms.length) {
      terms = Arrays.copyOf(terms, Math.max(used + term.length, 2 * terms.length));
    }
    System.arraycopy(term, 0, terms, used, term.length);
    vector.addUnescaped(terms, used, term.length, weight);
    used += term.length;
  }
}
