package io.kmodel.indexer.evaluate;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kmodel.indexer.evaluate.TrecLines.Layout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A run in trec_eval's format, one line {@code topic Q0 docid rank score tag} per document; text
 * after the tag is ignored. Documents are ranked by score, equal scores by the bytes of their docid
 * in descending order. The rank in the file is ignored. Memory: the run.
 *
 * @param topics by id, each with its documents, best first; all ids as bytes, see {@link TrecLines}
 */
public record RankedRun(ImmutableSortedMap<String, ImmutableList<String>> topics) {
  private static final Layout LAYOUT = Layout.ofWhiteSpace(6, Integer.MAX_VALUE);

  private static final Comparator<Line> ORDER =
      Comparator.comparingDouble((Line line) -> -line.score())
          .thenComparing(Line::docId, Comparator.reverseOrder());

  private record Line(String docId, double score) {}

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read or a line is malformed; the message says which
   */
  public static RankedRun read(Path file) throws IOException {
    TreeMap<String, List<Line>> lines = new TreeMap<>();
    TrecLines.read(
        file,
        LAYOUT,
        Map.of(),
        (columns, number) ->
            lines
                .computeIfAbsent(columns[0], topic -> new ArrayList<>())
                .add(new Line(columns[2], TrecLines.score(columns[4], file, number))));
    if (lines.isEmpty()) {
      throw new IOException(file + ": the run is empty");
    }
    ImmutableSortedMap.Builder<String, ImmutableList<String>> topics =
        ImmutableSortedMap.naturalOrder();
    for (Map.Entry<String, List<Line>> topic : lines.entrySet()) {
      requireDistinct(topic.getKey(), topic.getValue(), file);
      topics.put(
          topic.getKey(),
          topic.getValue().stream()
              .sorted(ORDER)
              .map(Line::docId)
              .collect(ImmutableList.toImmutableList()));
    }
    return new RankedRun(topics.buildOrThrow());
  }

  private static void requireDistinct(String topic, List<Line> lines, Path file)
      throws IOException {
    Set<String> ids = new HashSet<>();
    for (Line line : lines) {
      if (!ids.add(line.docId())) {
        throw new IOException(
            "%s: topic %s lists document %s twice"
                .formatted(file, TrecLines.shown(topic), TrecLines.shown(line.docId())));
      }
    }
  }
}
