package io.kmodel.indexer.cli.command;

import com.google.common.base.Joiner;
import io.kmodel.indexer.cli.base.Visible;
import io.kmodel.indexer.cli.option.JsonOption;
import io.kmodel.indexer.cli.view.Counted;
import io.kmodel.indexer.search.Hit;
import io.kmodel.indexer.search.SearchResult;
import io.kmodel.indexer.search.filter.ShownColumns;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Prints the answer to a query: as text, or as one object of JSON, because the number of documents
 * found belongs to the answer and not to a hit.
 *
 * @param columns read for each hit
 */
record SearchOutput(String query, SearchResult result, ShownColumns columns, PrintWriter out) {
  void printText(double milliseconds) throws IOException {
    out.printf(
        Locale.ROOT,
        "%s%s for '%s' (%.0f ms)%n",
        result.foundExactly() ? "" : "at least ",
        Counted.of(result.found(), "document"),
        Visible.of(query),
        milliseconds);
    if (!result.expansion().isEmpty()) {
      out.printf("expanded to %s%n", expansion());
    }
    int rank = 0;
    for (Hit hit : result.hits()) {
      rank++;
      printText(rank, hit);
    }
    result.notes().forEach(note -> out.printf("%n%s%n", note));
  }

  private String expansion() {
    return result.expansion().entrySet().stream()
        .map(
            word ->
                String.format(Locale.ROOT, "%s %.3f", Visible.of(word.getKey()), word.getValue()))
        .collect(Collectors.joining(", "));
  }

  private void printText(int rank, Hit hit) throws IOException {
    out.printf(Locale.ROOT, "%n%3d. %s  (%.3f)%n", rank, Visible.of(hit.id()), hit.score());
    if (!hit.title().isEmpty()) {
      out.printf("     %s%n", Visible.of(hit.title()));
    }
    Map<String, String> values = columns.of(hit.docId());
    if (!values.isEmpty()) {
      out.printf("     %s%n", Visible.of(Joiner.on("; ").withKeyValueSeparator(": ").join(values)));
    }
    if (hit.snippet() != null && !hit.snippet().isEmpty()) {
      out.printf("     %s%n", Visible.of(hit.snippet()));
    }
  }

  /**
   * Prints the object. Members that the index does not store are missing.
   *
   * @param hasIds whether the index stores ids
   */
  void printJson(boolean hasIds) throws IOException {
    List<Map<String, Object>> hits = new ArrayList<>();
    for (Hit hit : result.hits()) {
      hits.add(members(hits.size() + 1, hit, hasIds));
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("query", query);
    answer.put("found", result.found());
    answer.put("exact", result.foundExactly());
    if (!result.expansion().isEmpty()) {
      answer.put("expansion", result.expansion());
    }
    answer.put("hits", hits);
    JsonOption.print(answer, out);
  }

  private Map<String, Object> members(int rank, Hit hit, boolean hasIds) throws IOException {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("rank", rank);
    members.put("document", hit.docId());
    if (hasIds) {
      members.put("id", hit.id());
    }
    members.put("score", hit.score());
    if (!hit.title().isEmpty()) {
      members.put("title", hit.title());
    }
    if (hit.snippet() != null) {
      members.put("snippet", hit.snippet());
    }
    Map<String, String> values = columns.of(hit.docId());
    if (!values.isEmpty()) {
      members.put("metadata", values);
    }
    return members;
  }
}
