package io.kmodel.indexer.search;

import com.google.common.base.Ascii;
import java.io.IOException;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.queryparser.classic.MultiFieldQueryParser;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.jspecify.annotations.Nullable;

/**
 * Reads queries in Lucene's classic syntax, and says in one line why a query cannot be parsed or
 * run. Words without a field are searched in the {@link FieldWeights}. Thread-safe.
 */
public final class QueryReader {
  private static final int SHOWN_CHARACTERS = 500;

  private final TextAnalyzers analyzers;
  private final FieldWeights fields;

  /**
   * Creates a reader.
   *
   * @param analyzers of every field; the caller keeps ownership
   */
  public QueryReader(TextAnalyzers analyzers, FieldWeights fields) {
    this.analyzers = analyzers;
    this.fields = fields;
  }

  /**
   * Parses a query.
   *
   * @throws IllegalArgumentException if it cannot be parsed, or is nested too deeply
   */
  public Query parse(String text) throws IOException {
    return requireShallow(analyzers.read(analyzer -> read(text, analyzer)));
  }

  /** Parses a query as it is answered for one document, by that document's analyzer. */
  public Query parseFor(int docId, String text) throws IOException {
    return requireShallow(read(text, analyzers.of(docId)));
  }

  /** What {@link #parseFor} returns, for a query that is parsed already. */
  public Query readingFor(int docId, String text, Query parsed) throws IOException {
    return analyzers.areByLanguage() ? parseFor(docId, text) : parsed;
  }

  private static Query requireShallow(Query query) {
    query.visit(new Nesting(0, null));
    return query;
  }

  private Query read(String text, Analyzer analyzer) {
    try {
      return parser(analyzer).parse(text);
    } catch (ParseException | IndexSearcher.TooManyClauses | IllegalArgumentException e) {
      throw new IllegalArgumentException(problem(text, e), e);
    } catch (StackOverflowError e) {
      throw new IllegalArgumentException("cannot parse query: nested too deeply", e);
    } catch (TooComplexToDeterminizeException e) {
      throw new IllegalArgumentException(
          "cannot parse query '%s': an expression needs an automaton with too many states"
              .formatted(text),
          e);
    }
  }

  /** Leaves out a query of too many clauses, because it is too long to show. */
  private static String problem(String text, Exception e) {
    return e instanceof IndexSearcher.TooManyClauses
            || e.getCause() instanceof IndexSearcher.TooManyClauses
        ? "a query can have at most %d clauses".formatted(IndexSearcher.getMaxClauseCount())
        : "cannot parse query '%s': %s".formatted(text, withoutExpected(e));
  }

  /** Removes Lucene's list of expected tokens: a dozen lines with names from its grammar. */
  private static String withoutExpected(Exception e) {
    String message = String.valueOf(e.getMessage());
    int expected = message.indexOf("\nWas expecting");
    return expected < 0 ? message : message.substring(0, expected).stripTrailing();
  }

  /** Limits nesting: Lucene rewrites a query once per level, so thousands take minutes to hours. */
  private static final class Nesting extends QueryVisitor {
    private static final int MOST = 200;

    private final int level;
    private final @Nullable Query parent;

    Nesting(int level, @Nullable Query parent) {
      this.level = level;
      this.parent = parent;
    }

    @Override
    public QueryVisitor getSubVisitor(BooleanClause.Occur occur, Query of) {
      if (isSame(of)) {
        return this;
      }
      if (level == MOST) {
        throw new IllegalArgumentException(
            "cannot run query: nested more than %d levels deep".formatted(MOST));
      }
      return new Nesting(level + 1, of);
    }

    /** A query calls getSubVisitor for itself, and again for each kind of its clauses. */
    @SuppressWarnings("ReferenceEquality") // equals() would take as long as a rewrite
    private boolean isSame(Query of) {
      return of == parent;
    }
  }

  private QueryParser parser(Analyzer analyzer) {
    if (fields.isOne()) {
      return new QueryParser(fields.weights().keySet().iterator().next(), analyzer);
    }
    return new MultiFieldQueryParser(
        fields.weights().keySet().toArray(String[]::new), analyzer, fields.weights());
  }

  private static String shown(Query query) {
    return Ascii.truncate(query.toString(), SHOWN_CHARACTERS, "…");
  }

  /** Runs a query, ordering equal scores as Lucene does. */
  public static TopDocs run(IndexSearcher searcher, Query query, int top) throws IOException {
    return run(searcher, query, top, Ties.NUMBER);
  }

  /**
   * Runs a query.
   *
   * @param top maximum number of hits
   * @throws IllegalArgumentException if the query needs data that the index does not record, or
   *     matches too many terms
   */
  static TopDocs run(IndexSearcher searcher, Query query, int top, Ties ties) throws IOException {
    try {
      return ties.search(searcher, query, top);
    } catch (IllegalStateException | IndexSearcher.TooManyClauses e) {
      // Lucene throws these if a phrase needs positions, or if a pattern has too many terms.
      throw new IllegalArgumentException(
          "cannot run query '%s': %s".formatted(shown(query), e.getMessage()), e);
    }
  }

  /**
   * Explains the score of a document.
   *
   * @throws IllegalArgumentException if the query cannot be run
   */
  public static Explanation explain(IndexSearcher searcher, Query query, int docId)
      throws IOException {
    try {
      return searcher.explain(query, docId);
    } catch (IllegalStateException | IndexSearcher.TooManyClauses e) {
      throw new IllegalArgumentException(
          "cannot explain query '%s': %s".formatted(shown(query), e.getMessage()), e);
    }
  }
}
