package io.kmodel.indexer.search;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * Writes a run as trec_eval reads it: {@code topic Q0 docid rank score tag}, a line each. Hits of a
 * topic are ranked by score, equal scores by docId; ranks count from 1; a score is written with as
 * many digits as tell it from its neighbours, in every locale alike. White space in a docid, which
 * the format has no room for, is percent-encoded. Text is UTF-8. Not thread-safe.
 *
 * <pre>301 Q0 docs/policy.html 1 12.25 bm25</pre>
 */
public final class TrecRun implements AutoCloseable {
  private static final Comparator<Hit> ORDER =
      Comparator.comparingDouble((Hit hit) -> -hit.score()).thenComparingInt(Hit::docId);

  private final BufferedWriter out;
  private final String tag;

  /**
   * Starts a run.
   *
   * @param file replaced where there is one
   * @param tag names the run; one word
   */
  public TrecRun(Path file, String tag) throws IOException {
    requireWord("a run's tag", tag);
    this.tag = tag;
    this.out = Files.newBufferedWriter(file);
  }

  /** Writes the hits of one topic. */
  public void write(String topic, List<Hit> hits) throws IOException {
    requireWord("a topic's id", topic);
    int rank = 0;
    for (Hit hit : hits.stream().sorted(ORDER).toList()) {
      rank++;
      out.write(
          topic + " Q0 " + encode(hit.id()) + " " + rank + " " + hit.score() + " " + tag + "\n");
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  private static String encode(String id) {
    if (id.chars().noneMatch(TrecRun::isSpace)) {
      return id;
    }
    StringBuilder encoded = new StringBuilder();
    id.chars()
        .forEach(
            c -> {
              if (isSpace(c)) {
                encoded.append('%').append(hex(c >>> 4)).append(hex(c));
              } else {
                encoded.append((char) c);
              }
            });
    return encoded.toString();
  }

  /** What C's isspace is true of, which is what trec_eval separates columns by. */
  private static boolean isSpace(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  private static char hex(int nibble) {
    return Character.toUpperCase(Character.forDigit(nibble & 0xF, 16));
  }

  private static void requireWord(String what, String word) {
    if (word.isEmpty() || word.chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException(what + " must be one word; got '" + word + "'");
    }
  }
}
