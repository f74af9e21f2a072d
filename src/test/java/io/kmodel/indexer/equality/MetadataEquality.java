package io.kmodel.indexer.equality;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.util.BytesRef;

/** Whether two Lucene readers find the same by metadata, and sort by it alike. */
public final class MetadataEquality {
  private static final List<String> STRINGS =
      List.of("", "h\u00E92.example", "\uD83D\uDE00\uFFFD", "none", "de", "en");

  private MetadataEquality() {}

  public static void assertSame(IndexReader expected, IndexReader found, List<Column> columns)
      throws IOException {
    List<String> answers = answers(expected, columns);
    assertThat(answers).anyMatch(line -> line.length() > 100);
    assertThat(answers(found, columns)).isEqualTo(answers);
  }

  /** The documents that queries find, and those in the order of each column. */
  private static List<String> answers(IndexReader reader, List<Column> columns) throws IOException {
    IndexSearcher searcher = new IndexSearcher(reader);
    List<String> answers = new ArrayList<>();
    for (Column column : columns) {
      for (Query query : queries(column)) {
        answers.add(query + " " + found(searcher, query, Sort.INDEXORDER));
      }
      for (boolean reverse : new boolean[] {false, true}) {
        for (SortField field : orders(column, reverse)) {
          answers.add(field + " " + found(searcher, MatchAllDocsQuery.INSTANCE, new Sort(field)));
        }
      }
    }
    return answers;
  }

  private static List<Query> queries(Column column) {
    String name = column.name();
    List<Query> queries = new ArrayList<>();
    queries.add(new FieldExistsQuery(name));
    switch (column.type()) {
      case STRING -> {
        for (String value : STRINGS) {
          queries.add(KeywordField.newExactQuery(name, value));
          queries.add(new TermQuery(new Term(name, value)));
        }
        queries.add(
            new TermRangeQuery(name, new BytesRef("h\u00E92"), new BytesRef("k"), true, false));
        queries.add(
            KeywordField.newSetQuery(
                name, List.of(new BytesRef("h\u00E93.example"), new BytesRef("2"))));
      }
      case INT, DATE -> {
        queries.add(LongField.newRangeQuery(name, -1, 500));
        queries.add(LongField.newRangeQuery(name, 1_600_000_000_000L, 1_650_000_000_000L));
        queries.add(LongField.newRangeQuery(name, Long.MIN_VALUE, Long.MIN_VALUE));
        queries.add(LongField.newExactQuery(name, 3));
      }
      case DOUBLE -> {
        queries.add(DoubleField.newRangeQuery(name, -0.0, 0.7));
        queries.add(DoubleField.newRangeQuery(name, Double.NEGATIVE_INFINITY, -0.0));
        queries.add(DoubleField.newExactQuery(name, Double.MIN_VALUE));
      }
    }
    return queries;
  }

  private static List<SortField> orders(Column column, boolean reverse) {
    String name = column.name();
    SortedNumericSelector.Type least = SortedNumericSelector.Type.MIN;
    SortField field =
        switch (column.type()) {
          case STRING -> KeywordField.newSortField(name, reverse, SortedSetSelector.Type.MIN);
          case INT, DATE -> LongField.newSortField(name, reverse, least);
          case DOUBLE -> DoubleField.newSortField(name, reverse, least);
        };
    if (column.type() != ColumnType.STRING) {
      return List.of(field);
    }
    SortField withLast =
        new SortedSetSortField(name, reverse, SortedSetSelector.Type.MIN, SortField.STRING_LAST);
    return List.of(field, withLast);
  }

  private static String found(IndexSearcher searcher, Query query, Sort sort) throws IOException {
    int all = Math.max(1, searcher.getIndexReader().maxDoc());
    return Arrays.stream(searcher.search(query, all, sort).scoreDocs)
        .map(hit -> Integer.toString(hit.doc))
        .toList()
        .toString();
  }
}
