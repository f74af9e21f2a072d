package io.kmodel.indexer.search;

import com.google.common.collect.ImmutableSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;

/** Collects the fields that a query names and in which nothing can be found. */
final class UnknownFields extends QueryVisitor {
  private final Predicate<String> isSearched;
  private final Set<String> unknown = new LinkedHashSet<>();

  private UnknownFields(Predicate<String> isSearched) {
    this.isSearched = isSearched;
  }

  /**
   * Those of a query, in its order. Words of which an analyzer leaves nothing are in no query, and
   * neither are their fields.
   *
   * @param isSearched whether something can be found in a field
   */
  static ImmutableSet<String> of(Query query, Predicate<String> isSearched) {
    UnknownFields fields = new UnknownFields(isSearched);
    query.visit(fields);
    return ImmutableSet.copyOf(fields.unknown);
  }

  /** Of the terms none is wanted. */
  @Override
  public boolean acceptField(String field) {
    if (!isSearched.test(field)) {
      unknown.add(field);
    }
    return false;
  }

  /** What must not match is looked at, too. */
  @Override
  public QueryVisitor getSubVisitor(BooleanClause.Occur occur, Query parent) {
    return this;
  }
}
