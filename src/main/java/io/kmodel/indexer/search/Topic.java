package io.kmodel.indexer.search;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One information need of a test collection. Each part is on one line, and empty where there is
 * none.
 *
 * @param id what its relevance judgements call it; without white space
 * @param title the query
 * @param description a longer query
 * @param narrative what is relevant, and what is not
 */
public record Topic(String id, String title, String description, String narrative) {
  /** What a query may be made of, as TREC's tags call it. */
  public enum Part {
    TITLE,
    DESC,
    NARR
  }

  public Topic {
    if (id.isEmpty() || id.chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException("a topic's id must be one word; got '" + id + "'");
    }
  }

  /**
   * Its query: the parts that there are of those asked for, one after the other.
   *
   * @throws IllegalArgumentException where it has none of them
   */
  public String query(List<Part> parts) {
    String query =
        parts.stream()
            .map(this::text)
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(" "));
    if (query.isEmpty()) {
      throw new IllegalArgumentException(
          "it has no "
              + parts.stream()
                  .map(part -> part.name().toLowerCase(Locale.ROOT))
                  .collect(Collectors.joining(" and no ")));
    }
    return query;
  }

  private String text(Part part) {
    return switch (part) {
      case TITLE -> title;
      case DESC -> description;
      case NARR -> narrative;
    };
  }
}
