package io.kmodel.indexer.api;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.search.SearchResult;
import java.util.Iterator;
import java.util.List;

/**
 * The best documents for a query, best first; equal scores are in the order of the documents.
 *
 * @param list the documents
 * @param found number of documents that match, or a lower bound
 * @param exact whether it is their number
 */
public record Hits(List<Hit> list, long found, boolean exact) implements Iterable<Hit> {
  /** Copies the list. */
  public Hits {
    list = List.copyOf(list);
  }

  static Hits of(SearchResult result) {
    return new Hits(
        result.hits().stream()
            .map(
                hit ->
                    new Hit(
                        hit.docId(),
                        hit.id(),
                        hit.score(),
                        hit.title(),
                        hit.snippet() == null ? "" : hit.snippet()))
            .collect(ImmutableList.toImmutableList()),
        result.found(),
        result.foundExactly());
  }

  @Override
  public Iterator<Hit> iterator() {
    return list.iterator();
  }
}
