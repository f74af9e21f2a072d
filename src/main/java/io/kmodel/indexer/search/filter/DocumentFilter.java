package io.kmodel.indexer.search.filter;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.Schema;
import java.util.stream.Collectors;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.jspecify.annotations.Nullable;

/**
 * Limits the documents that queries find, by their metadata. Scores stay as they are. Immutable.
 *
 * <p>A filter is in Lucene's classic syntax, with columns as fields; all clauses must hold: {@code
 * host:example.org date:[2020 TO 2021] -language:en}. A date stands for its whole year, month, day,
 * minute or second.
 */
public final class DocumentFilter {
  /** Leaves all documents. */
  public static final DocumentFilter NONE = new DocumentFilter(null);

  private final @Nullable Query query;

  private DocumentFilter(@Nullable Query query) {
    this.query = query;
  }

  /**
   * Parses a filter for an index with the given schema.
   *
   * @throws IllegalArgumentException if it cannot be read, or a column does not exist; the message
   *     lists the columns
   */
  public static DocumentFilter parse(String text, Schema schema) {
    if (text.isBlank()) {
      throw new IllegalArgumentException(
          "the filter is empty; write it like host:example.org, or leave it out");
    }
    try {
      return new DocumentFilter(new FilterParser(schema).parse(text));
    } catch (ParseException
        | IllegalArgumentException
        | IndexSearcher.TooManyClauses
        | TooComplexToDeterminizeException e) {
      throw new IllegalArgumentException(
          "cannot read the filter '%s': %s".formatted(text, problem(e)), e);
    } catch (StackOverflowError e) {
      throw new IllegalArgumentException("cannot read the filter: nested too deeply", e);
    }
  }

  /** The problem without Lucene's list of expected tokens. */
  private static String problem(Exception e) {
    String message = String.valueOf(e.getMessage());
    if (!(e instanceof ParseException)) {
      return message;
    }
    Throwable cause = e.getCause();
    String found = cause == null ? message : String.valueOf(cause.getMessage());
    int expected = found.indexOf("\nWas expecting");
    return (expected < 0 ? found : found.substring(0, expected)).strip()
        + " Quote values with spaces, colons or slashes, and negative numbers: year:\"-5\"";
  }

  /**
   * Finds a column.
   *
   * @throws IllegalArgumentException if it does not exist; the message lists the columns
   */
  public static Column column(ImmutableList<Column> columns, String name) {
    return columns.stream()
        .filter(column -> column.name().equals(name))
        .findFirst()
        .orElseThrow(() -> unknown(columns, name));
  }

  private static IllegalArgumentException unknown(ImmutableList<Column> columns, String name) {
    return new IllegalArgumentException(
        columns.isEmpty()
            ? "the index has no columns; build it with --metadata"
            : "the index has no column '%s'; it has %s"
                .formatted(
                    name, columns.stream().map(Column::name).collect(Collectors.joining(", "))));
  }

  /** A query that finds only those documents of another one that pass, with its scores. */
  public Query limit(Query other) {
    return query == null
        ? other
        : new BooleanQuery.Builder()
            .add(other, BooleanClause.Occur.MUST)
            .add(query, BooleanClause.Occur.FILTER)
            .build();
  }
}
