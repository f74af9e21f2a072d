package io.kmodel.indexer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.search.expand.Rm3;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries expanded by RM3: the words and weights, and the documents found. */
class ExpansionTest extends SearchedDocuments {
  private static final int TOP = 50;

  private static final List<Rm3> PARAMETERS =
      List.of(
          Rm3.DEFAULT,
          new Rm3(3, 1, 0.2f),
          new Rm3(60, 4, 0.9f),
          new Rm3(1, 2, 0),
          new Rm3(5, 40, 1));

  private static final Map<String, Map<String, Integer>> QUERIES =
      Map.of(
          "w3 w4 w5", Map.of("w3", 1, "w4", 1, "w5", 1),
          "the w9 w9 the w7z the", Map.of("the", 3, "w9", 2, "w7z", 1),
          "w1k", Map.of("w1k", 1));

  private static SearchOptions expanded(Rm3 rm3) {
    return SearchOptions.of(Bm25.ANSERINI).withExpansion(rm3);
  }

  @Test
  void weightsAndDocumentsAreThoseOfTheFormulaOnTheExportedIndex() throws IOException {
    List<ParsedDocument> documents = SampleDocuments.random(21, 400, 60);
    Path exported = directory.resolve("lucene");
    try (InvertedIndex index = index(FULL, documents)) {
      LuceneExporter.export(index, exported, ExportOptions.DEFAULT);
      try (Directory files = FSDirectory.open(exported);
          DirectoryReader reader = DirectoryReader.open(files)) {
        IndexSearcher lucene = new IndexSearcher(reader);
        lucene.setSimilarity(new BM25Similarity(0.9f, 0.4f));
        for (Rm3 rm3 : PARAMETERS) {
          ReferenceRm3 reference =
              new ReferenceRm3(
                  lucene, ANALYZER, rm3.expandTerms(), rm3.expandDocuments(), rm3.originalWeight());
          try (Searcher searcher = new Searcher(index, ANALYZER, expanded(rm3))) {
            for (Map.Entry<String, Map<String, Integer>> query : QUERIES.entrySet()) {
              assertEqual(
                  searcher.searchWords(query.getKey(), TOP),
                  reference,
                  reference.expand(query.getValue()));
            }
          }
        }
      }
    }
  }

  private static void assertEqual(
      SearchResult result, ReferenceRm3 reference, Map<String, Double> expected)
      throws IOException {
    assertThat(result.expansion()).hasSameSizeAs(expected);
    assertThat(List.copyOf(result.expansion().values()))
        .isSortedAccordingTo(Comparator.reverseOrder());
    expected.forEach(
        (word, weight) ->
            assertThat((double) result.expansion().getOrDefault(word, -1f))
                .as(word)
                .isCloseTo(weight, within(1e-7)));
    ScoreDoc[] best = reference.search(expected, TOP);
    Map<Integer, Float> scores = new HashMap<>();
    for (ScoreDoc hit : reference.search(expected, Integer.MAX_VALUE - 1)) {
      scores.put(hit.doc, hit.score);
    }
    assertThat(result.hits()).hasSameSizeAs(best);
    for (int i = 0; i < best.length; i++) {
      Hit hit = result.hits().get(i);
      assertThat(hit.score()).isCloseTo(best[i].score, withPercentage(1e-3));
      assertThat(hit.score())
          .isCloseTo(scores.getOrDefault(hit.docId(), -1f), withPercentage(1e-3));
    }
  }

  /** Twenty documents, so that a word in three of them is too frequent. */
  private static List<ParsedDocument> herons() {
    List<ParsedDocument> documents = new ArrayList<>();
    documents.add(
        document(
            "heron heron nest nest nest pair three three three three x x x x x x x"
                + " abcdefghijklmnopqrstu abcdefghijklmnopqrstu néstling néstling 7b"));
    documents.add(document("pair three"));
    documents.add(document("three"));
    documents.add(document("reed nest"));
    while (documents.size() < 20) {
      documents.add(document("water"));
    }
    return documents;
  }

  private static ParsedDocument document(String contents) {
    return new ParsedDocument("d", "heron", contents);
  }

  private static String shown(SearchResult result) {
    return result.expansion().entrySet().stream()
        .map(word -> String.format(Locale.ROOT, "%s %.4f", word.getKey(), word.getValue()))
        .collect(Collectors.joining(", "));
  }

  @Test
  void wordsAreAddedUnlessTheyAreShortLongFrequentOrOdd() throws IOException {
    try (InvertedIndex index = index(FULL, herons())) {
      try (Searcher searcher = new Searcher(index, ANALYZER, expanded(Rm3.DEFAULT))) {
        SearchResult result = searcher.search("heron", 10);
        assertThat(shown(result)).isEqualTo("heron 0.6429, nest 0.2143, 7b 0.0714, pair 0.0714");
        assertThat(result.hits().stream().map(Hit::docId)).containsExactly(0, 3, 1);
        assertThat(result.hits().get(1).snippet()).isEqualTo("reed [nest]");
        assertThat(searcher.search("sparrow", 10).hits()).isEmpty();
        assertThat(searcher.searchWords("...", 10).expansion()).isEmpty();
      }
      try (Searcher searcher = new Searcher(index, ANALYZER, expanded(new Rm3(2, 1, 0.25f)))) {
        assertThat(shown(searcher.searchSyntax("heron", 10)))
            .isEqualTo("heron 0.5500, nest 0.4500");
        assertThat(shown(searcher.searchSyntax("heron^3 (bill)", 10)))
            .isEqualTo("heron 0.4875, nest 0.4500, bill 0.0625");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"+heron", "heron -reed", "\"heron nest\"", "title:heron", "her*", "heron reed~1"})
  void aQueryOfMoreThanWordsIsRefused(String query) throws IOException {
    try (InvertedIndex index = index(FULL, herons());
        Searcher searcher = new Searcher(index, ANALYZER, expanded(Rm3.DEFAULT))) {
      assertThatThrownBy(() -> searcher.search(query, 10))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(
              "a query is expanded only if it consists of words in contents, without operators;"
                  + " got '");
    }
  }

  @Test
  void oneAnalyzedFieldIsNeeded() throws IOException {
    try (InvertedIndex index = index(FULL, herons())) {
      assertThatThrownBy(
              () ->
                  new Searcher(
                      index,
                      ANALYZER,
                      expanded(Rm3.DEFAULT).withFields(FieldWeights.parse("title,contents"))))
          .hasMessage("queries of several fields cannot be expanded; got title, contents");
      assertThatThrownBy(
              () ->
                  new Searcher(
                      index, ANALYZER, expanded(Rm3.DEFAULT).withFields(FieldWeights.parse("id"))))
          .hasMessage("queries of id cannot be expanded: it is not analyzed text");
    }
  }

  @Test
  void contentsMustBeStored() throws IOException {
    try (InvertedIndex index = index(Schemas.of(Detail.POSITIONS, Stored.IDS), herons())) {
      assertThatThrownBy(() -> new Searcher(index, ANALYZER, expanded(Rm3.DEFAULT)))
          .hasMessage(
              index.directory()
                  + " does not store contents, whose words expand queries; build it with"
                  + " --store=contents");
    }
  }

  @Test
  void parametersOutOfRangeAreRefused() {
    assertThatThrownBy(() -> new Rm3(0, 10, 0.5f))
        .hasMessage("expandTerms must be at least 1; got 0");
    assertThatThrownBy(() -> new Rm3(10, -1, 0.5f))
        .hasMessage("expandDocuments must be at least 1; got -1");
    for (float weight : new float[] {-0.1f, 1.1f, Float.NaN}) {
      assertThatThrownBy(() -> new Rm3(10, 10, weight))
          .hasMessage("originalWeight must be 0 to 1; got " + weight);
    }
  }
}
