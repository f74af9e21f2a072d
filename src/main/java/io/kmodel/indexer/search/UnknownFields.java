package io.kmodel.indexer.search;

import com.google.common.collect.ImmutableSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;

/** Collects the fields in a query that cannot be searched. */
public final class UnknownFields extends QueryVisitor {
  private final Predicate<String> isSearched;
  private final Set<String> unknown = new LinkedHashSet<>();

  private UnknownFields(Predicate<String> isSearched) {
    this.isSearched = isSearched;
  }

  /**
   * The unknown fields of a query, in its order. Does not include fields of words that the analyzer
   * removed, because they are not part of the parsed query.
   *
   * @param isSearched whether a field can be searched
   */
  public static ImmutableSet<String> of(Query query, Predicate<String> isSearched) {
    UnknownFields fields = new UnknownFields(isSearched);
    query.visit(fields);
    return ImmutableSet.copyOf(fields.unknown);
  }

  /** Collects the field; terms need not be visited. */
  @Override
  public boolean acceptField(String field) {
    if (!isSearched.test(field)) {
      unknown.add(field);
    }
    return false;
  }

  /** Also visits prohibited clauses. */
  @Override
  public QueryVisitor getSubVisitor(BooleanClause.Occur occur, Query parent) {
    return this;
  }
}
