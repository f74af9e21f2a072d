package io.kmodel.indexer.search.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.equality.NaiveIndex;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.equality.SampleMetadata;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.ColumnValues;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.search.Bm25;
import io.kmodel.indexer.search.FieldWeights;
import io.kmodel.indexer.search.Hit;
import io.kmodel.indexer.search.SearchOptions;
import io.kmodel.indexer.search.SearchResult;
import io.kmodel.indexer.search.Searcher;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentFilterTest {
  private static final int ALL = 5000;
  private static final Schema SCHEMA =
      Schemas.of(Detail.POSITIONS, Stored.IDS).withColumns(SampleMetadata.COLUMNS);
  private static final List<ParsedDocument> DOCUMENTS =
      SampleMetadata.with(SampleDocuments.random(9, ALL, 6), 9);

  /** Columns of {@link SampleMetadata}. */
  private static final int ALWAYS = 0;

  private static final int DATE = 1;
  private static final int HOST = 2;
  private static final int LANGUAGE = 3;
  private static final int SCORE = 6;
  private static final int SIZE = 7;

  @TempDir static Path directory;

  @BeforeAll
  static void write() throws IOException {
    NaiveIndex.write(index(), SCHEMA, new StandardAnalyzer(), DOCUMENTS);
  }

  private static Path index() {
    return directory.resolve("index");
  }

  private static boolean isBetween(ColumnValues values, int column, long from, long to) {
    return values.has(column) && values.number(column) >= from && values.number(column) <= to;
  }

  private static boolean isDate(ColumnValues values, String from, String to) {
    return isBetween(
        values, DATE, Instant.parse(from).toEpochMilli(), Instant.parse(to).toEpochMilli() - 1);
  }

  private static boolean isScore(ColumnValues values, double from, double to) {
    return isBetween(values, SCORE, ColumnType.sortable(from), ColumnType.sortable(to));
  }

  private static boolean isHost(ColumnValues values, Predicate<String> test) {
    return values.has(HOST) && test.test(values.string(HOST));
  }

  private static final Map<String, Predicate<ColumnValues>> FILTERS =
      ImmutableMap.<String, Predicate<ColumnValues>>builder()
          .put("always:2", values -> values.number(ALWAYS) == 2)
          .put("always:\"-2\"", values -> values.number(ALWAYS) == -2)
          .put("always:\\-2", values -> values.number(ALWAYS) == -2)
          .put("-always:2", values -> values.number(ALWAYS) != 2)
          .put("always:[-1 TO 1]", values -> Math.abs(values.number(ALWAYS)) <= 1)
          .put("always:{-1 TO 1}", values -> values.number(ALWAYS) == 0)
          .put("always:[-1 TO 1}", values -> isBetween(values, ALWAYS, -1, 0))
          .put("always:{1 TO 1}", values -> false)
          .put("always:[2 TO 1]", values -> false)
          .put("size:*", values -> values.has(SIZE))
          .put("-size:*", values -> !values.has(SIZE))
          .put("size:[* TO 500}", values -> isBetween(values, SIZE, Long.MIN_VALUE, 499))
          .put(
              "size:{-9223372036854775808 TO *]",
              values -> isBetween(values, SIZE, Long.MIN_VALUE + 1, Long.MAX_VALUE))
          .put("size:{9223372036854775807 TO *]", values -> false)
          .put("size:[* TO -9223372036854775808}", values -> false)
          .put("-size:[100 TO *]", values -> !isBetween(values, SIZE, 100, Long.MAX_VALUE))
          .put("score:[-0.0 TO 1.5]", values -> isScore(values, -0.0, 1.5))
          .put("score:{0 TO 1e3}", values -> isScore(values, Double.MIN_VALUE, Math.nextDown(1e3)))
          .put(
              "score:[* TO -1}",
              values -> isScore(values, Double.NEGATIVE_INFINITY, Math.nextDown(-1.0)))
          .put(
              "score:Infinity",
              values -> isScore(values, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY))
          .put(
              "date:2021", values -> isDate(values, "2021-01-01T00:00:00Z", "2022-01-01T00:00:00Z"))
          .put(
              "date:[2021 TO 2022]",
              values -> isDate(values, "2021-01-01T00:00:00Z", "2023-01-01T00:00:00Z"))
          .put(
              "date:{2021 TO 2023}",
              values -> isDate(values, "2022-01-01T00:00:00Z", "2023-01-01T00:00:00Z"))
          .put(
              "date:[2021-03 TO 2021-06-05]",
              values -> isDate(values, "2021-03-01T00:00:00Z", "2021-06-06T00:00:00Z"))
          .put(
              "date:[2021-03-01T12:00:00Z TO *]",
              values -> isDate(values, "2021-03-01T12:00:00Z", "3000-01-01T00:00:00Z"))
          .put("host:h\u00E92.example", values -> isHost(values, "h\u00E92.example"::equals))
          .put(
              "host:\"h\u00E92.example\" always:1",
              values -> isHost(values, "h\u00E92.example"::equals) && values.number(ALWAYS) == 1)
          .put(
              "host:(h\u00E92.example OR h\u00E93.example)",
              values -> isHost(values, host -> host.matches("h.[23]\\.example")))
          .put("host:H\u00C92.example", values -> false)
          .put("host:h\u00E92*", values -> isHost(values, host -> host.startsWith("h\u00E92")))
          .put("host:*1.example", values -> isHost(values, host -> host.endsWith("1.example")))
          .put(
              "host:[h\u00E92 TO h\u00E93}",
              values -> isHost(values, host -> host.startsWith("h\u00E92")))
          .put("-host:*", values -> !values.has(HOST))
          .put("language:\"\"", values -> values.has(LANGUAGE) && values.string(LANGUAGE).isEmpty())
          .put("never:*", values -> false)
          .put("nothing:[0 TO *]", values -> false)
          .put("+always:1 -size:*", values -> values.number(ALWAYS) == 1 && !values.has(SIZE))
          .put(
              "always:1 OR always:2",
              values -> values.number(ALWAYS) == 1 || values.number(ALWAYS) == 2)
          .put("always:1 (-size:*)", values -> values.number(ALWAYS) == 1 && !values.has(SIZE))
          .buildOrThrow();

  private static SearchResult search(String query, DocumentFilter filter) throws IOException {
    try (InvertedIndex index = InvertedIndex.open(index());
        Searcher searcher =
            new Searcher(
                index,
                new StandardAnalyzer(),
                SearchOptions.of(Bm25.LUCENE)
                    .withFields(FieldWeights.parse("title,contents"))
                    .withFilter(filter))) {
      return searcher.searchWords(query, ALL);
    }
  }

  private static boolean passes(Predicate<ColumnValues> test, Hit hit) {
    return test.test(DOCUMENTS.get(hit.docId()).values());
  }

  @Test
  void whatPassesHasTheScoresAndTheOrderThatItHasWithoutFilter() throws IOException {
    List<Hit> all = search("the w7", DocumentFilter.NONE).hits();
    assertThat(all).hasSizeGreaterThan(1000);
    for (Map.Entry<String, Predicate<ColumnValues>> of : FILTERS.entrySet()) {
      DocumentFilter filter = DocumentFilter.parse(of.getKey(), SCHEMA);
      SearchResult result = search("the w7", filter);
      List<Hit> expected = all.stream().filter(hit -> passes(of.getValue(), hit)).toList();
      assertThat(result.hits()).as(of.getKey()).isEqualTo(expected);
      assertThat(result.found()).isEqualTo(expected.size());
    }
    long several =
        FILTERS.values().stream()
            .filter(test -> all.stream().anyMatch(hit -> passes(test, hit)))
            .count();
    assertThat(several).isGreaterThan(28);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "place:x|the index has no column 'place'; it has always, date, host, language, never, nothing, score, size, unique",
        "title:x|the index has no column 'title'",
        "x|write clauses like host:example.org; got 'x'",
        "always:1 x|write clauses like host:example.org; got 'x'",
        "\"x y\"|write clauses like host:example.org; got 'x y'",
        "x*|write clauses like host:example.org; got 'x*'",
        "size:1.5|column 'size' has whole numbers of 64 bits; got '1.5'",
        "size:9223372036854775808|column 'size' has whole numbers of 64 bits",
        "score:much|column 'score' has numbers; got 'much'",
        "date:[2021 TO tomorrow]|: 'tomorrow' is not a date",
        "date:202*|column 'date' has no strings to compare with the pattern '202*'",
        "size:/1./|column 'size' has no strings to compare with the pattern '/1./'",
        "size:12~|column 'size' has no strings to compare with the pattern '12~'",
        "size:[1 TO|Encountered \"<EOF>\" at line 1, column 10",
        "size:-1|Quote values with spaces, colons or slashes, and negative numbers: year:\"-5\""
      })
  void whatCannotBeReadSaysWhy(String filter, String why) {
    assertThatThrownBy(() -> DocumentFilter.parse(filter, SCHEMA))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("cannot read the filter '%s': ", filter)
        .hasMessageContaining(why);
  }

  @Test
  void anEmptyFilterIsRefused() {
    for (String empty : new String[] {"", " "}) {
      assertThatThrownBy(() -> DocumentFilter.parse(empty, SCHEMA))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the filter is empty; write it like host:example.org, or leave it out");
    }
  }

  @Test
  void anIndexWithoutColumnsSaysSo() {
    Schema schema = Schemas.of(Detail.POSITIONS, Stored.IDS);
    assertThatThrownBy(() -> DocumentFilter.parse("host:x", schema))
        .hasMessageContaining("the index has no columns; build it with --metadata");
  }

  @Test
  void shownColumnsAreThoseThatTheDocumentHas() throws IOException {
    try (InvertedIndex index = InvertedIndex.open(index())) {
      ShownColumns shown = new ShownColumns(index, List.of("score", "date", "host", "date"));
      for (int doc = 0; doc < ALL; doc += 97) {
        ColumnValues values = DOCUMENTS.get(doc).values();
        Map<String, String> found = shown.of(doc);
        assertThat(found.get("host")).isEqualTo(values.has(HOST) ? values.string(HOST) : null);
        assertThat(found.get("score"))
            .isEqualTo(
                values.has(SCORE)
                    ? Double.toString(ColumnType.number(values.number(SCORE)))
                    : null);
        assertThat(found.get("date"))
            .isEqualTo(
                values.has(DATE) ? Instant.ofEpochMilli(values.number(DATE)).toString() : null);
      }
      assertThatThrownBy(() -> new ShownColumns(index, List.of("host", "hosts")))
          .hasMessageStartingWith("the index has no column 'hosts'; it has always, date");
    }
  }
}
