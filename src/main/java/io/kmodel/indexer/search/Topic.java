package io.kmodel.indexer.search;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One information need of a test collection. Each part is on one line, and empty if missing.
 *
 * @param id its id in relevance judgements; without white space
 * @param title the query
 * @param description a longer query
 * @param narrative a description of what is relevant and what is not
 * @param vector the query as terms with weights above 0; empty if it is words
 */
public record Topic(
    String id,
    String title,
    String description,
    String narrative,
    ImmutableMap<String, Float> vector) {
  /** The parts a query may consist of, named like TREC's tags. */
  public enum Part {
    TITLE,
    DESC,
    NARR
  }

  /** A topic of words. */
  public Topic(String id, String title, String description, String narrative) {
    this(id, title, description, narrative, ImmutableMap.of());
  }

  public Topic {
    if (id.isEmpty() || id.chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException("a topic's id must be one word; got '" + id + "'");
    }
  }

  /**
   * Joins the topic's parts into a query, skipping missing ones.
   *
   * @throws IllegalArgumentException if it has none of the parts, or hardly a letter that is not
   *     U+FFFD
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
    if (isLost(query)) {
      throw new IllegalArgumentException(
          "nearly all its letters are U+FFFD: the file was converted by a wrong charset; convert"
              + " the original again, or give it with --topics-encoding");
    }
    return query;
  }

  /** Whether a text has more replacement characters than letters and digits. */
  private static boolean isLost(String text) {
    return text.chars().filter(c -> c == '\uFFFD').count()
        > text.chars().filter(Character::isLetterOrDigit).count();
  }

  private String text(Part part) {
    return switch (part) {
      case TITLE -> title;
      case DESC -> description;
      case NARR -> narrative;
    };
  }
}
