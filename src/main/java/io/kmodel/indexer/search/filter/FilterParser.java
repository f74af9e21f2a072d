package io.kmodel.indexer.search.filter;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.Schema;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.Term;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.jspecify.annotations.Nullable;

/**
 * Reads filters in Lucene's classic syntax, with columns as fields. All clauses must hold. Strings
 * are compared as a whole, in order of their UTF-8 bytes; numbers and dates by value. Not
 * thread-safe.
 */
final class FilterParser extends QueryParser {
  /** What a clause without a column gets as its field. */
  private static final String NO_COLUMN = "";

  private final ImmutableList<Column> columns;

  FilterParser(Schema schema) {
    super(NO_COLUMN, new KeywordAnalyzer());
    this.columns = schema.columns();
    setDefaultOperator(Operator.AND);
    setAllowLeadingWildcard(true);
  }

  /** Clauses that only exclude leave all other documents. */
  @Override
  protected @Nullable Query getBooleanQuery(List<BooleanClause> clauses) throws ParseException {
    List<BooleanClause> all = new ArrayList<>(clauses);
    if (clauses.stream().allMatch(BooleanClause::isProhibited)) {
      all.add(new BooleanClause(MatchAllDocsQuery.INSTANCE, BooleanClause.Occur.MUST));
    }
    return super.getBooleanQuery(all);
  }

  @Override
  protected Query getFieldQuery(String name, String text, boolean quoted) {
    return range(name, text, text, true, true);
  }

  @Override
  protected Query getFieldQuery(String name, String text, int slop) {
    return getFieldQuery(name, text, true);
  }

  @Override
  protected Query getRangeQuery(
      String name,
      @Nullable String from,
      @Nullable String to,
      boolean fromInclusive,
      boolean toInclusive) {
    return range(name, from, to, fromInclusive, toInclusive);
  }

  @Override
  protected Query getWildcardQuery(String name, String pattern) throws ParseException {
    if (pattern.equals("*")) {
      return range(name, null, null, true, true);
    }
    requireStrings(name, pattern);
    return super.getWildcardQuery(name, pattern);
  }

  @Override
  protected Query getPrefixQuery(String name, String prefix) throws ParseException {
    requireStrings(name, prefix + "*");
    return super.getPrefixQuery(name, prefix);
  }

  @Override
  protected Query getRegexpQuery(String name, String expression) throws ParseException {
    requireStrings(name, "/" + expression + "/");
    return super.getRegexpQuery(name, expression);
  }

  @Override
  protected Query getFuzzyQuery(String name, String text, float similarity) throws ParseException {
    requireStrings(name, text + "~");
    return super.getFuzzyQuery(name, text, similarity);
  }

  private void requireStrings(String name, String pattern) {
    if (column(name, pattern).type() != ColumnType.STRING) {
      throw new IllegalArgumentException(
          "column '%s' has no strings to compare with the pattern '%s'".formatted(name, pattern));
    }
  }

  private Column column(String name, @Nullable String text) {
    if (name.equals(NO_COLUMN)) {
      throw new IllegalArgumentException(
          "write clauses like host:example.org; got '%s'".formatted(text));
    }
    return DocumentFilter.column(columns, name);
  }

  private Query range(
      String name,
      @Nullable String from,
      @Nullable String to,
      boolean fromInclusive,
      boolean toInclusive) {
    Column column = column(name, from);
    if (column.type() != ColumnType.STRING) {
      return numbers(column, from, to, fromInclusive, toInclusive);
    }
    return from != null && from.equals(to) && fromInclusive && toInclusive
        ? new TermQuery(new Term(name, from))
        : TermRangeQuery.newStringRange(name, from, to, fromInclusive, toInclusive);
  }

  private static Query numbers(
      Column column,
      @Nullable String from,
      @Nullable String to,
      boolean fromInclusive,
      boolean toInclusive) {
    long least = Long.MIN_VALUE;
    long greatest = Long.MAX_VALUE;
    boolean isEmpty = false;
    if (from != null) {
      Period start = period(column, from);
      isEmpty = !fromInclusive && start.last() == Long.MAX_VALUE;
      least = fromInclusive ? start.first() : start.last() + 1;
    }
    if (to != null) {
      Period end = period(column, to);
      isEmpty |= !toInclusive && end.first() == Long.MIN_VALUE;
      greatest = toInclusive ? end.last() : end.first() - 1;
    }
    return isEmpty || least > greatest
        ? new MatchNoDocsQuery("an empty range of " + column.name())
        : NumericDocValuesField.newSlowRangeQuery(column.name(), least, greatest);
  }

  /** The values that a text stands for: one number, or the time of a date. */
  private static Period period(Column column, String text) {
    try {
      return switch (column.type()) {
        case INT -> alone(Long.parseLong(text.strip()));
        case DOUBLE -> alone(ColumnType.sortable(Double.parseDouble(text)));
        case DATE -> Period.parse(text.strip());
        case STRING -> throw new IllegalArgumentException("no number: " + column);
      };
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "column '%s' has %s; got '%s'"
              .formatted(
                  column.name(),
                  column.type() == ColumnType.INT ? "whole numbers of 64 bits" : "numbers",
                  text),
          e);
    }
  }

  private static Period alone(long number) {
    return new Period(number, number);
  }
}
