package io.kmodel.indexer.search;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The fields searched for words without a field, and their weights.
 *
 * @param weights by field, each above 0; at least one
 */
public record FieldWeights(ImmutableMap<String, Float> weights) {
  public static final FieldWeights CONTENTS =
      new FieldWeights(ImmutableMap.of(Schema.CONTENTS, 1f));

  public FieldWeights {
    if (weights.isEmpty()) {
      throw new IllegalArgumentException("at least one field must be given");
    }
    weights.forEach(
        (field, weight) -> {
          if (!Float.isFinite(weight) || weight <= 0) {
            throw new IllegalArgumentException(
                "the weight of field '%s' must be a finite number above 0; got %s"
                    .formatted(field, weight));
          }
        });
  }

  /**
   * The contents, or all tokenized fields of an index without them.
   *
   * @throws IllegalArgumentException if it has no tokenized field
   */
  public static FieldWeights defaultOf(Schema schema) {
    if (schema.find(Schema.CONTENTS) >= 0) {
      return CONTENTS;
    }
    return parse(
        schema.fields().stream()
            .filter(Field::tokenized)
            .map(Field::name)
            .collect(Collectors.joining(",")));
  }

  /** Parses fields and weights, as in {@code title^2,contents}. */
  public static FieldWeights parse(String text) {
    Map<String, Float> weights = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int caret = part.indexOf('^');
      String field = (caret < 0 ? part : part.substring(0, caret)).strip();
      if (field.isEmpty() || weights.containsKey(field)) {
        throw new IllegalArgumentException(
            "list each field once, as in title^2,contents; got '%s'".formatted(text));
      }
      weights.put(field, caret < 0 ? 1f : weight(part.substring(caret + 1), text));
    }
    return new FieldWeights(ImmutableMap.copyOf(weights));
  }

  private static float weight(String text, String all) {
    try {
      return Float.parseFloat(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'%s' is not a weight; write fields as in title^2,contents; got '%s'"
              .formatted(text, all),
          e);
    }
  }

  /** Whether there is only one field, whose weight is then irrelevant. */
  boolean isOne() {
    return weights.size() == 1;
  }
}
