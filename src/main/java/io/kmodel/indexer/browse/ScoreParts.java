package io.kmodel.indexer.browse;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.search.Explanation;
import org.jspecify.annotations.Nullable;

/**
 * Lucene's explanation of a score, and the parts that it is the sum of: one for each clause of the
 * query that matches. A part of BM25 comes with the numbers it was computed from.
 *
 * @param parts their values add up to the score
 */
record ScoreParts(Explanation explanation, List<Part> parts) {
  private static final Pattern WEIGHT =
      Pattern.compile("weight\\((.*) in \\d+\\) \\[.*", Pattern.DOTALL);

  /** What Lucene calls the numbers of BM25, up to the first comma, and what the page calls them. */
  private static final Map<String, String> NUMBERS =
      Map.of(
          "freq", "frequency",
          "n", "documents",
          "N", "of",
          "idf", "idf",
          "tf", "tf",
          "dl", "length",
          "avgdl", "averageLength",
          "boost", "boost");

  /** A clause, the value that it adds, and the numbers behind it. */
  record Part(String clause, float value, Map<String, Number> numbers) {}

  static ScoreParts of(Explanation explanation) {
    List<Part> parts = new ArrayList<>();
    if (explanation.isMatch()) {
      collect(explanation, parts);
    }
    return new ScoreParts(explanation, parts);
  }

  private static void collect(Explanation explanation, List<Part> parts) {
    if (explanation.getDescription().equals("sum of:")) {
      for (Explanation detail : explanation.getDetails()) {
        collect(detail, parts);
      }
      return;
    }
    Matcher weight = WEIGHT.matcher(explanation.getDescription());
    Map<String, Number> numbers = new LinkedHashMap<>();
    if (weight.matches()) {
      numbers(explanation, numbers);
      // A phrase has several terms, of which none stands for all.
      numbers.values().removeIf(Float.valueOf(Float.NaN)::equals);
    }
    parts.add(
        new Part(
            weight.matches() ? weight.group(1) : explanation.getDescription(),
            explanation.getValue().floatValue(),
            numbers));
  }

  private static void numbers(Explanation explanation, Map<String, Number> numbers) {
    for (Explanation detail : explanation.getDetails()) {
      String name = name(detail.getDescription());
      if (name != null) {
        boolean isNew = numbers.putIfAbsent(name, detail.getValue()) == null;
        if (!isNew && !name.equals("idf")) {
          numbers.put(name, Float.NaN);
        }
      }
      numbers(detail, numbers);
    }
  }

  private static @Nullable String name(String description) {
    if (description.startsWith("phraseFreq=")) {
      return "frequency";
    }
    int comma = description.indexOf(',');
    return NUMBERS.get(comma < 0 ? description : description.substring(0, comma));
  }

  void write(JsonGenerator out) throws IOException {
    out.writeBooleanField("matches", explanation.isMatch());
    out.writeNumberField("score", explanation.getValue().floatValue());
    out.writeArrayFieldStart("parts");
    for (Part part : parts) {
      out.writeStartObject();
      out.writeStringField("clause", part.clause());
      out.writeNumberField("value", part.value());
      for (Map.Entry<String, Number> number : part.numbers().entrySet()) {
        out.writeNumberField(number.getKey(), number.getValue().doubleValue());
      }
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeFieldName("lucene");
    tree(explanation, out);
  }

  private static void tree(Explanation explanation, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeNumberField("value", explanation.getValue().doubleValue());
    out.writeStringField("description", explanation.getDescription());
    out.writeArrayFieldStart("details");
    for (Explanation detail : explanation.getDetails()) {
      tree(detail, out);
    }
    out.writeEndArray();
    out.writeEndObject();
  }
}
