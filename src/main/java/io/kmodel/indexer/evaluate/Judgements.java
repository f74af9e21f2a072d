package io.kmodel.indexer.evaluate;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import io.kmodel.indexer.evaluate.TrecLines.Layout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Relevance judgements in TREC's format ("qrels"), one line {@code topic iteration docid relevance}
 * per judgement, separated by white space. Also in BEIR's format, tab-separated {@code topic docid
 * relevance} below a header line. Values above 0 are relevant, higher ones more so; values below 0
 * mean not judged. Memory: the judgements.
 *
 * @param topics by id, each with its documents' relevance; all ids as bytes, see {@link TrecLines}
 */
public record Judgements(ImmutableSortedMap<String, Map<String, Integer>> topics) {
  private static final Layout LAYOUT = Layout.ofWhiteSpace(4, 4);

  private static final ImmutableMap<String, Layout> BY_HEADER =
      ImmutableMap.of("query-id\tcorpus-id\tscore", Layout.ofTabs(3));

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read or a line is malformed; the message says which
   */
  public static Judgements read(Path file) throws IOException {
    TreeMap<String, Map<String, Integer>> topics = new TreeMap<>();
    TrecLines.read(
        file,
        LAYOUT,
        BY_HEADER,
        (columns, line) -> {
          // A tab-separated name may contain spaces, which a run has to encode.
          String docId = TrecLines.word(columns[columns.length - 2]);
          int relevance = TrecLines.integer(columns[columns.length - 1], file, line);
          Map<String, Integer> documents =
              topics.computeIfAbsent(columns[0], topic -> new HashMap<>());
          if (documents.put(docId, relevance) != null) {
            throw new IOException(
                "%s: line %d: document %s is judged twice for topic %s"
                    .formatted(file, line, TrecLines.shown(docId), TrecLines.shown(columns[0])));
          }
        });
    if (topics.isEmpty()) {
      throw new IOException(file + ": no judgements");
    }
    return new Judgements(ImmutableSortedMap.copyOf(topics));
  }
}
