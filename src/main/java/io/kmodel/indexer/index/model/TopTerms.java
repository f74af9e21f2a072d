package io.kmodel.indexer.index.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The terms that most documents have. Of terms in equally many documents, the first ones in term
 * order count. Memory: {@value #MOST} terms. Not thread-safe.
 */
public final class TopTerms {
  static final int MOST = 10;

  /**
   * A term.
   *
   * @param field ordinal of its field
   * @param occurrences in all documents
   */
  public record Top(int field, String term, int documents, long occurrences) {}

  private final PriorityQueue<Top> least =
      new PriorityQueue<>(
          Comparator.comparingInt(Top::documents)
              .thenComparing(Top::term, Comparator.reverseOrder()));

  /** Adds the next term, whose key starts with its field. */
  public void add(byte[] key, int keyLength, int documents, long occurrences) {
    if (least.size() == MOST) {
      if (documents <= least.element().documents()) {
        return;
      }
      least.remove();
    }
    String term = new String(key, 1, keyLength - 1, StandardCharsets.UTF_8);
    least.add(new Top(key[0] & 0xFF, term, documents, occurrences));
  }

  /** The terms, those in most documents first. */
  public List<Top> terms() {
    List<Top> terms = new ArrayList<>(least);
    terms.sort(Comparator.comparingInt(Top::documents).reversed().thenComparing(Top::term));
    return terms;
  }
}
