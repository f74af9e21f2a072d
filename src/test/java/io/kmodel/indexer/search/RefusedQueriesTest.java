package io.kmodel.indexer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.export.lucene.view.IndexLeafReader;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.search.IndexSearcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queries, fields and parameters that cannot be. */
class RefusedQueriesTest extends SearchedDocuments {
  @Test
  void fieldsAndParametersThatCannotBeAreRefused() throws IOException {
    assertThatThrownBy(() -> FieldWeights.parse("title^x"))
        .hasMessageContaining("'x' is not a weight; write fields as in title^2,contents");
    assertThatThrownBy(() -> FieldWeights.parse("title,title"))
        .hasMessageContaining("list each field once");
    for (String no : List.of("NaN", "Infinity", "1e39")) {
      assertThatThrownBy(() -> FieldWeights.parse("title^" + no))
          .as(no)
          .hasMessageStartingWith(
              "the weight of field 'title' must be a finite number above 0; got ");
    }
    assertThatThrownBy(() -> FieldWeights.parse("title^0"))
        .hasMessage("the weight of field 'title' must be a finite number above 0; got 0.0");
    assertThatThrownBy(() -> new QueryLikelihood(0))
        .hasMessage("mu must be a finite number above 0; got 0.0");
    assertThatThrownBy(() -> new Bm25(Float.POSITIVE_INFINITY, 0))
        .hasMessage("k1 must be a finite number of at least 0; got Infinity");
    assertThatThrownBy(() -> new DivergenceFromRandomness(Float.NaN))
        .hasMessage("c must be a finite number above 0; got NaN");
    try (InvertedIndex index = index(FULL, DOCUMENTS)) {
      assertThatThrownBy(
              () -> new Searcher(index, ANALYZER, Bm25.LUCENE, FieldWeights.parse("url")))
          .hasMessage("no field 'url'; the fields are contents, id, title");
    }
  }

  @Test
  void aBagOfNoWordsFindsNothingAndOneOfTooManyIsRefused() throws IOException {
    try (InvertedIndex index = index(FULL, DOCUMENTS);
        Searcher searcher = new Searcher(index, ANALYZER, Bm25.LUCENE)) {
      assertThat(searcher.searchWords(" ... ", 10).hits()).isEmpty();
      assertThat(searcher.searchWords(words(1024), 10).hits()).isEmpty();
      assertThatThrownBy(() -> searcher.searchWords(words(1025), 10))
          .hasMessage("a query can have at most 1024 distinct words; got 1025");
    }
  }

  @Test
  void theWordsOfAllFieldsCountTogether() throws IOException {
    FieldWeights both = FieldWeights.parse("title,contents");
    try (InvertedIndex index = index(FULL, DOCUMENTS);
        Searcher searcher = new Searcher(index, ANALYZER, Bm25.LUCENE, both)) {
      assertThatThrownBy(() -> searcher.searchWords(words(513), 10))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a query can have at most 1024 distinct words; got 1026");
    }
  }

  private static String words(int count) {
    return IntStream.range(0, count).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
  }

  @Test
  void queriesThatCannotBeReadOrAnsweredAreRefused() throws IOException {
    try (InvertedIndex index = index(Schemas.of(Detail.FREQUENCIES, Stored.IDS), DOCUMENTS);
        Searcher searcher = new Searcher(index, ANALYZER, Bm25.LUCENE)) {
      assertThatThrownBy(() -> searcher.search("title:(a", 10))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("cannot parse query 'title:(a': ")
          .hasMessageEndingWith("Encountered \"<EOF>\" at line 1, column 8.");
      for (String no : List.of("/[/", "/x{99999999999}/", "/<1-/")) {
        assertThatThrownBy(() -> searcher.search(no, 10))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith("cannot parse query '%s': ".formatted(no));
      }
      assertThatThrownBy(() -> searcher.search("(".repeat(100_000), 10))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("nested too deeply");
      for (String tooComplex : List.of("/(a|b)*a(a|b){25}/", "title:a /(a|b)*a(a|b){25}/")) {
        assertThatThrownBy(() -> searcher.search(tooComplex, 10))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("': an expression needs an automaton with too many states");
      }
      assertThatThrownBy(() -> searcher.search("\"must have\"", 10))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cannot run query")
          .hasMessageContaining("indexed without position data");
      QueryReader reader = reader(index);
      IndexSearcher lucene = new IndexSearcher(new IndexLeafReader(index));
      assertThatThrownBy(() -> QueryReader.explain(lucene, reader.parse("\"must have\""), 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cannot explain query");
      assertThatThrownBy(() -> searcher.search("a", 0))
          .hasMessage("at least one hit must be requested; got 0");
    }
  }

  /** Of what Lucene rewrites once for each level. */
  @Test
  @Timeout(60)
  void aQueryIsNestedTwoHundredDeepAtMost() throws IOException {
    try (InvertedIndex index = index(FULL, DOCUMENTS);
        Searcher searcher = new Searcher(index, ANALYZER, Bm25.LUCENE)) {
      assertThat(searcher.searchSyntax(nested(200), 10).hits()).hasSize(2);
      for (int depth : new int[] {201, 2000}) {
        assertThatThrownBy(() -> searcher.searchSyntax(nested(depth), 10))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("cannot run query: nested more than 200 levels deep");
        assertThatThrownBy(() -> reader(index).parseFor(0, nested(depth)))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("cannot run query: nested more than 200 levels deep");
      }
    }
  }

  private static QueryReader reader(InvertedIndex index) throws IOException {
    return new QueryReader(
        TextAnalyzers.of(index, ANALYZER, new IndexLeafReader(index)), FieldWeights.CONTENTS);
  }

  private static String nested(int depth) {
    return "package (".repeat(depth - 1) + "package none" + ")".repeat(depth - 1);
  }

  @Test
  void aThreadThatIsToldToStopSearchesNoMore() throws IOException {
    try (InvertedIndex index = index(FULL, DOCUMENTS);
        Searcher searcher = new Searcher(index, ANALYZER, Bm25.LUCENE)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> searcher.searchWords("package", 10))
          .isInstanceOf(ClosedByInterruptException.class);
      assertThat(Thread.interrupted()).as("it stays interrupted").isTrue();
      assertThat(searcher.searchWords("package", 10).hits()).hasSize(2);
    } finally {
      assertThat(Thread.interrupted()).isFalse();
    }
  }
}
