package io.kmodel.indexer.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kmodel.indexer.equality.ReferenceIndex;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.queryparser.classic.MultiFieldQueryParser;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.similarities.AfterEffectL;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.BasicModelIn;
import org.apache.lucene.search.similarities.DFRSimilarity;
import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.search.similarities.NormalizationH2;
import org.apache.lucene.search.similarities.Similarity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SearcherTest extends SearchedDocuments {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "package maintainer|a/1.html b/2.html",
        "+package -builds|a/1.html",
        "\"package is\"|b/2.html",
        "\"maintainer package\"~6|b/2.html a/1.html",
        "title:\"debian policy\"|a/1.html",
        "title:empty|d/4.html",
        "id:\"c 3.html\"|c 3.html",
        "id:a\\/1.html|a/1.html",
        "inter*|c 3.html",
        "maintaimer~1|a/1.html b/2.html",
        "nowhere|''",
        "-package|''"
      })
  void queriesInLucenesSyntaxAreAnswered(String query, String ids) throws IOException {
    try (InvertedIndex index = index(FULL, DOCUMENTS);
        Searcher searcher = new Searcher(index, ANALYZER, Bm25.LUCENE)) {
      SearchResult result = searcher.search(query, 10);
      assertThat(result.hits().stream().map(Hit::id))
          .containsExactlyInAnyOrderElementsOf(
              ids.isEmpty()
                  ? List.of()
                  : DOCUMENTS.stream().map(ParsedDocument::id).filter(ids::contains).toList());
      assertThat(result.found()).isEqualTo(result.hits().size());
      assertThat(result.foundExactly()).isTrue();
      assertThat(result.notes()).isEmpty();
    }
  }

  @Test
  void hitsCarryWhatIsStored() throws IOException {
    try (InvertedIndex index = index(FULL, DOCUMENTS);
        Searcher searcher = new Searcher(index, ANALYZER, Bm25.LUCENE)) {
      Hit hit = searcher.search("builds package", 1).hits().get(0);
      assertThat(hit.docId()).isEqualTo(1);
      assertThat(hit.title()).isEmpty();
      assertThat(hit.snippet()).isEqualTo("The maintainer [builds]. A [package] is a file.");
      Hit title = searcher.search("title:policy", 1).hits().get(0);
      assertThat(title.title()).isEqualTo("Debian Policy");
      assertThat(title.snippet()).isEqualTo("A package must have a maintainer.");
    }
  }

  @Test
  void aSnippetIsOneLineAndComesFromFarBehindTheStart() throws IOException {
    String far = "other words.\n".repeat(10_000) + " The\n\tmaintainer \n builds it. ";
    try (InvertedIndex index = index(FULL, List.of(new ParsedDocument("a", "", far)));
        Searcher searcher = new Searcher(index, ANALYZER, Bm25.LUCENE)) {
      assertThat(searcher.search("builds", 1).hits().get(0).snippet())
          .isEqualTo("The maintainer [builds] it.");
    }
  }

  /** And the cut, which is within a surrogate pair here, leaves no half of it. */
  @Test
  void whatIsBeyondAMillionCharactersIsFoundButNotShown() throws IOException {
    String far = " river." + "\uD83D\uDC26".repeat(1 << 19) + " builds it.";
    try (InvertedIndex index = index(FULL, List.of(new ParsedDocument("a", "", far)));
        Searcher searcher = new Searcher(index, ANALYZER, Bm25.LUCENE)) {
      assertThat(searcher.search("builds", 1).hits().get(0).snippet())
          .startsWith("river.")
          .doesNotContain("builds")
          .matches(UTF_8.newEncoder()::canEncode);
    }
  }

  /** Lucene counts a thousand, and passes over what cannot be among the best. */
  @Test
  void whetherAllHitsWereCountedIsSaid() throws IOException {
    List<ParsedDocument> many =
        IntStream.range(0, 3000)
            .mapToObj(i -> new ParsedDocument("d" + i, "", i < 1000 ? "few many" : "many"))
            .toList();
    try (InvertedIndex index = index(FULL, many);
        Searcher searcher = new Searcher(index, ANALYZER, Bm25.LUCENE)) {
      SearchResult few = searcher.search("few", 10);
      assertThat(few.found()).isEqualTo(1000);
      assertThat(few.foundExactly()).isTrue();
      SearchResult most = searcher.search("many", 10);
      assertThat(most.found()).isBetween(1000L, 3000L);
      assertThat(most.foundExactly()).isFalse();
    }
  }

  @Test
  void whatIsNotStoredIsSaid() throws IOException {
    try (InvertedIndex index = index(Schemas.of(Detail.POSITIONS, Stored.IDS), DOCUMENTS);
        Searcher searcher = new Searcher(index, ANALYZER, Bm25.LUCENE)) {
      SearchResult result = searcher.search("builds", 5);
      assertThat(result.hits().get(0).id()).isEqualTo("b/2.html");
      assertThat(result.hits().get(0).snippet()).isNull();
      assertThat(result.notes())
          .containsExactly("the index does not store contents; hits have no snippets");
      assertThat(searcher.searchWords("builds", 5).notes()).isEmpty();
    }
  }

  @Test
  void hitsOfAnIndexThatStoresNothingAreNamedByTheirNumber() throws IOException {
    try (InvertedIndex index = index(Schemas.of(Detail.POSITIONS, Stored.NOTHING), DOCUMENTS);
        Searcher searcher = new Searcher(index, ANALYZER, Bm25.LUCENE)) {
      SearchResult result = searcher.searchWords("builds", 5);
      assertThat(result.hits().get(0).id()).isEqualTo("1");
      assertThat(result.notes())
          .containsExactly("the index does not store ids; hits show their docID instead");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"w3 w4 w5", "w3 AND w7 OR w9", "w4 w4 w4 -- (w3", "\"w3 w4\"~ [x TO"})
  void aBagOfWordsIsNeverReadAsSyntaxAndScoresAsInLucene(String text)
      throws IOException, ParseException {
    List<ParsedDocument> documents = SampleDocuments.random(11, 200, 40);
    Bm25 bm25 = Bm25.ANSERINI;
    try (InvertedIndex index = index(FULL, documents);
        Searcher searcher = new Searcher(index, ANALYZER, bm25);
        DirectoryReader reader = ReferenceIndex.inMemory(FULL, ANALYZER, documents)) {
      IndexSearcher lucene = new IndexSearcher(reader);
      lucene.setSimilarity(new BM25Similarity(bm25.k1(), bm25.b()));
      String words = text.toLowerCase(Locale.ROOT);
      TopDocs expected =
          lucene.search(
              new QueryParser(Schema.CONTENTS, ANALYZER).parse(QueryParser.escape(words)), 20);
      List<Hit> hits = searcher.searchWords(text, 20).hits();
      assertThat(hits).hasSameSizeAs(expected.scoreDocs).isNotEmpty();
      for (int i = 0; i < hits.size(); i++) {
        ScoreDoc hit = expected.scoreDocs[i];
        assertThat(hits.get(i).docId()).isEqualTo(hit.doc);
        assertThat(hits.get(i).score()).isEqualTo(hit.score);
        assertThat(hits.get(i).id()).isEqualTo(documents.get(hit.doc).id());
        assertThat(hits.get(i).snippet()).isNull();
      }
    }
  }

  static Stream<Arguments> models() {
    return Stream.of(
        Arguments.of(new Bm25(0.9f, 0.4f), new BM25Similarity(0.9f, 0.4f)),
        Arguments.of(new QueryLikelihood(1000), new LMDirichletSimilarity(1000)),
        Arguments.of(
            new DivergenceFromRandomness(2.5f),
            new DFRSimilarity(new BasicModelIn(), new AfterEffectL(), new NormalizationH2(2.5f))));
  }

  @ParameterizedTest
  @MethodSource("models")
  void everyModelScoresAsLucenesOverAllFieldsAsked(ScoringModel model, Similarity similarity)
      throws IOException, ParseException {
    List<ParsedDocument> documents = SampleDocuments.random(13, 250, 40);
    FieldWeights fields = FieldWeights.parse("title^2.5, contents");
    try (InvertedIndex index = index(FULL, documents);
        Searcher searcher = new Searcher(index, ANALYZER, model, fields);
        DirectoryReader reader = ReferenceIndex.inMemory(FULL, ANALYZER, documents)) {
      IndexSearcher lucene = new IndexSearcher(reader);
      lucene.setSimilarity(similarity);
      String[] names = {Schema.TITLE, Schema.CONTENTS};
      for (String query : List.of("w3 w4 w5", "+w3 -w7", "\"w3 w4\" w6*", "title:w5 w6^3")) {
        TopDocs expected =
            lucene.search(
                new MultiFieldQueryParser(names, ANALYZER, fields.weights()).parse(query), 20);
        assertSame(searcher.search(query, 20).hits(), expected);
        assertSame(searcher.searchSyntax(query, 20).hits(), expected);
      }
      BooleanQuery.Builder words = new BooleanQuery.Builder();
      for (String word : List.of("w3", "w4")) {
        words.add(
            new BoostQuery(new TermQuery(new Term(Schema.TITLE, word)), 2.5f),
            BooleanClause.Occur.SHOULD);
        words.add(new TermQuery(new Term(Schema.CONTENTS, word)), BooleanClause.Occur.SHOULD);
      }
      assertSame(searcher.searchWords("w3 w4", 20).hits(), lucene.search(words.build(), 20));
    }
  }

  private static void assertSame(List<Hit> hits, TopDocs expected) {
    assertThat(hits).hasSameSizeAs(expected.scoreDocs).isNotEmpty();
    for (int i = 0; i < hits.size(); i++) {
      assertThat(hits.get(i).docId()).isEqualTo(expected.scoreDocs[i].doc);
      assertThat(hits.get(i).score()).isCloseTo(expected.scoreDocs[i].score, within(1e-5f));
    }
  }

  @Test
  void aFieldAloneHasNothingToBeWeighedAgainst() throws IOException {
    FieldWeights one = FieldWeights.parse("contents^3");
    try (InvertedIndex index = index(FULL, DOCUMENTS);
        Searcher searcher = new Searcher(index, ANALYZER, Bm25.LUCENE);
        Searcher weighed = new Searcher(index, ANALYZER, Bm25.LUCENE, one)) {
      List<Hit> expected = searcher.searchWords("a package", 10).hits();
      assertThat(weighed.searchWords("a package", 10).hits()).isEqualTo(expected).isNotEmpty();
      assertThat(weighed.searchSyntax("a package", 10).hits()).isEqualTo(expected);
    }
  }

  @Test
  void anIndexWithoutDocumentsAnswersWithNothing() throws IOException {
    try (InvertedIndex index = index(FULL, List.of());
        Searcher searcher = new Searcher(index, ANALYZER, Bm25.LUCENE)) {
      assertThat(searcher.search("anything", 10).hits()).isEmpty();
      assertThat(searcher.searchWords("anything", 10).found()).isZero();
    }
  }

  @Test
  void manyThreadsGetTheSameAnswers() throws IOException {
    List<ParsedDocument> documents = SampleDocuments.random(12, 300, 40);
    try (InvertedIndex index = index(FULL, documents);
        Searcher searcher = new Searcher(index, ANALYZER, Bm25.LUCENE)) {
      List<String> queries = IntStream.range(0, 60).mapToObj(i -> "w" + i + " the").toList();
      List<SearchResult> expected = queries.stream().map(query -> answer(searcher, query)).toList();
      assertThat(queries.parallelStream().map(query -> answer(searcher, query)).toList())
          .isEqualTo(expected);
    }
  }

  private static SearchResult answer(Searcher searcher, String query) {
    try {
      return searcher.search(query, 5);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
