package io.kmodel.indexer.search;

/**
 * One information need of a test collection.
 *
 * @param id what its relevance judgements call it; without white space
 * @param title the query, on one line
 * @param description a longer query, on one line; empty where there is none
 */
public record Topic(String id, String title, String description) {
  public Topic {
    if (id.isEmpty() || id.chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException("a topic's id must be one word; got '" + id + "'");
    }
  }
}
