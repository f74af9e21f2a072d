package io.kmodel.indexer.api;

import com.google.common.primitives.ImmutableIntArray;
import java.util.List;

/**
 * A document of a term's list.
 *
 * @param document its number in the index
 * @param occurrences how often it has the term; in an index of vectors, the term's weight
 * @param positions of the occurrences, ascending from 0; empty if the index has none
 */
public record Posting(int document, int occurrences, List<Integer> positions) {
  /** Copies the positions. */
  public Posting {
    positions = ImmutableIntArray.copyOf(positions).asList();
  }
}
