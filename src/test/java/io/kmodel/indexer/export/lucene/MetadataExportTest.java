package io.kmodel.indexer.export.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.equality.NaiveIndex;
import io.kmodel.indexer.equality.ReferenceIndex;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.equality.SampleMetadata;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import io.kmodel.indexer.export.lucene.version.LuceneVersion;
import io.kmodel.indexer.export.lucene.view.IndexLeafReader;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.index.DirectoryReader;
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
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Columns in Lucene find and sort what IndexWriter's KeywordField, LongField, DoubleField do. */
class MetadataExportTest extends IndexToExport {
  private static final int DOCUMENTS = Tier.pick(4500, 20_000);

  private InvertedIndex index(Schema schema, List<ParsedDocument> documents) throws IOException {
    Path ours = directory.resolve("ours");
    NaiveIndex.write(ours, schema, new StandardAnalyzer(), documents);
    return InvertedIndex.open(ours);
  }

  private static List<ParsedDocument> documents() {
    return SampleMetadata.with(SampleDocuments.random(5, DOCUMENTS, 3), 5);
  }

  @ParameterizedTest
  @EnumSource(
      value = Stored.class,
      names = {"NOTHING", "IDS"})
  void whatIsFoundAndItsOrderIsThatOfIndexWriter(Stored stored) throws Exception {
    Schema schema = Schemas.of(Detail.POSITIONS, stored).withColumns(SampleMetadata.COLUMNS);
    List<ParsedDocument> documents = documents();
    try (InvertedIndex index = index(schema, documents);
        DirectoryReader expected =
            ReferenceIndex.inMemory(schema, new StandardAnalyzer(), documents)) {
      List<String> all = answers(expected);
      assertThat(all).anyMatch(line -> line.length() > 100);
      for (int segments : new int[] {1, 3}) {
        Path target = directory.resolve("lucene" + segments);
        ExportOptions options = new ExportOptions(segments, 2, IndexCheck.SLOW);
        LuceneExporter.export(index, target, options);
        try (FSDirectory files = FSDirectory.open(target);
            DirectoryReader found = DirectoryReader.open(files)) {
          assertThat(answers(found)).isEqualTo(all);
        }
      }
      try (IndexLeafReader view = new IndexLeafReader(index)) {
        assertThat(answers(view)).isEqualTo(all);
      }
    }
  }

  /** Most segments lack some of the columns. */
  @ParameterizedTest
  @EnumSource(
      names = {"NEWEST", "V9_9"},
      value = LuceneVersion.class)
  void segmentsWithoutValuesAreSound(LuceneVersion version) throws Exception {
    Schema schema = Schemas.of(Detail.POSITIONS, Stored.IDS).withColumns(SampleMetadata.COLUMNS);
    List<ParsedDocument> documents = documents().subList(0, 20);
    try (InvertedIndex index = index(schema, documents)) {
      ExportOptions options =
          new ExportOptions(20, 2, IndexCheck.SLOW, ExportCodec.BEST_SPEED, version);
      ExportResult result = LuceneExporter.export(index, directory.resolve("lucene"), options);
      assertThat(result.segments()).isEqualTo(20);
    }
  }

  /** The documents that queries find, and those in the order of each column. */
  private static List<String> answers(IndexReader reader) throws IOException {
    IndexSearcher searcher = new IndexSearcher(reader);
    List<String> answers = new ArrayList<>();
    for (Column column : SampleMetadata.COLUMNS) {
      for (Query query : queries(column)) {
        answers.add(query + " " + found(searcher, query, Sort.INDEXORDER));
      }
      for (boolean reverse : new boolean[] {false, true}) {
        for (SortField field : orders(column, reverse)) {
          answers.add(field + " " + found(searcher, new MatchAllDocsQuery(), new Sort(field)));
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
        for (String value : List.of("", "h\u00E92.example", "\uD83D\uDE00\uFFFD", "none")) {
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
    SortField withLast = KeywordField.newSortField(name, reverse, SortedSetSelector.Type.MIN);
    withLast.setMissingValue(SortField.STRING_LAST);
    return List.of(field, withLast);
  }

  private static String found(IndexSearcher searcher, Query query, Sort sort) throws IOException {
    return Arrays.stream(searcher.search(query, DOCUMENTS, sort).scoreDocs)
        .map(hit -> Integer.toString(hit.doc))
        .toList()
        .toString();
  }
}
