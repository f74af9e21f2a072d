package io.kmodel.indexer.search;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.jspecify.annotations.Nullable;

/**
 * Leaves terms out of queries that no document has, which leaves hits and scores as they are. A
 * query in many forms would otherwise have more clauses than Lucene takes. Terms of fields that the
 * index does not have stay. Not thread-safe.
 */
final class PresentTerms {
  private final IndexReader reader;
  private final Map<Term, Boolean> absent = new HashMap<>();

  PresentTerms(IndexReader reader) {
    this.reader = reader;
  }

  /** A query without absent terms; null if it can match nothing. */
  @Nullable Query in(Query query) {
    if (query instanceof TermQuery word) {
      return absent.computeIfAbsent(word.getTerm(), this::isAbsent) ? null : query;
    }
    if (query instanceof BoostQuery boosted) {
      Query inner = in(boosted.getQuery());
      return inner == null ? null : new BoostQuery(inner, boosted.getBoost());
    }
    if (query instanceof BooleanQuery clauses && clauses.getMinimumNumberShouldMatch() == 0) {
      return in(clauses);
    }
    return query instanceof MatchNoDocsQuery ? null : query;
  }

  private @Nullable Query in(BooleanQuery query) {
    BooleanQuery.Builder kept = new BooleanQuery.Builder();
    boolean mayMatch = false;
    for (BooleanClause clause : query) {
      Query inner = in(clause.query());
      if (inner != null) {
        kept.add(inner, clause.occur());
        mayMatch |= clause.occur() != Occur.MUST_NOT;
      } else if (clause.isRequired()) {
        return null;
      }
    }
    return mayMatch ? kept.build() : null;
  }

  private boolean isAbsent(Term term) {
    try {
      return reader.docFreq(term) == 0 && MultiTerms.getTerms(reader, term.field()) != null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
