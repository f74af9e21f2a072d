package io.kmodel.indexer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.equality.ReferenceIndex;
import io.kmodel.indexer.equality.SampleMetadata;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.search.filter.DocumentFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

/** Thousands of documents with a handful of scores, ranked by score and then by id. */
class TiesTest extends SearchedDocuments {
  private static final int COUNT = 4000;

  private static final SearchOptions BY_ID = SearchOptions.of(Bm25.LUCENE).withTies(Ties.ID);

  private static final Comparator<Hit> EXPECTED =
      Comparator.comparingDouble((Hit hit) -> -hit.score())
          .thenComparing(hit -> new BytesRef(hit.id()))
          .thenComparingInt(Hit::docId);

  /** Starts of ids, some of which UTF-16 orders otherwise than UTF-8. */
  private static final List<String> STARTS = List.of("a", "B", "", "\uFF21", "\uD835\uDD38", "é");

  private static List<ParsedDocument> documents() {
    List<Integer> numbers = new ArrayList<>(IntStream.range(0, COUNT).boxed().toList());
    Collections.shuffle(numbers, new Random(57));
    List<ParsedDocument> documents = new ArrayList<>();
    for (int number : numbers) {
      // Every id of a number that 50 divides is shared by two documents.
      int shared = number % 50 == 1 ? number - 1 : number;
      String id = STARTS.get(shared % STARTS.size()) + Integer.toString(shared, 7);
      documents.add(
          new ParsedDocument(id, number % 3 == 0 ? "odd" : "", text(documents.size() % 40)));
    }
    return documents;
  }

  private static String text(int kind) {
    return switch (kind) {
      case 0 -> "river river stone";
      case 1 -> "river stone mill";
      case 2, 3 -> "stone mill";
      default -> "river stone";
    };
  }

  @Test
  void theBestAreThoseOfARankingOfAllDocuments() throws IOException {
    try (InvertedIndex index = index(FULL, documents());
        Searcher plain = new Searcher(index, ANALYZER, Bm25.LUCENE);
        Searcher byId = new Searcher(index, ANALYZER, BY_ID)) {
      for (String query :
          List.of("river", "river stone", "+river -mill", "*:*", "river^0", "riv*")) {
        List<Hit> all = plain.searchSyntax(query, COUNT).hits();
        assertThat(all).hasSizeGreaterThan(COUNT / 2);
        List<Hit> expected = all.stream().sorted(EXPECTED).toList();
        assertThat(expected).isNotEqualTo(all);
        for (int top : new int[] {1, 2, 10, 101, 999, 1500, COUNT, 2 * COUNT}) {
          SearchResult result = byId.searchSyntax(query, top);
          assertThat(result.hits())
              .as("the best %d of %s", top, query)
              .isEqualTo(expected.subList(0, Math.min(top, expected.size())));
          assertThat(result.foundExactly() ? result.found() : all.size()).isEqualTo(all.size());
        }
      }
    }
  }

  @Test
  void documentsThatPassAFilterAreRankedAlike() throws IOException {
    Schema schema = FULL.withColumns(SampleMetadata.COLUMNS);
    SearchOptions filtered =
        SearchOptions.of(Bm25.LUCENE).withFilter(DocumentFilter.parse("always:1", schema));
    try (InvertedIndex index = index(schema, SampleMetadata.with(documents(), 3));
        Searcher plain = new Searcher(index, ANALYZER, filtered);
        Searcher byId = new Searcher(index, ANALYZER, filtered.withTies(Ties.ID))) {
      List<Hit> expected = plain.search("river", COUNT).hits().stream().sorted(EXPECTED).toList();
      assertThat(expected).hasSizeBetween(COUNT / 10, COUNT / 5);
      assertThat(byId.search("river", 200).hits()).isEqualTo(expected.subList(0, 200));
      assertThat(byId.searchWords("river", 200).hits().stream().map(Hit::id))
          .isEqualTo(expected.stream().limit(200).map(Hit::id).toList());
    }
  }

  @Test
  void theOrderIsThatOfLucenesSort() throws IOException {
    List<ParsedDocument> documents = documents();
    try (InvertedIndex index = index(FULL, documents);
        Searcher byId = new Searcher(index, ANALYZER, BY_ID);
        DirectoryReader reader = ReferenceIndex.inMemory(FULL, ANALYZER, documents)) {
      TopDocs expected =
          new IndexSearcher(reader)
              .search(
                  new TermQuery(new Term(Schema.CONTENTS, "river")),
                  300,
                  new Sort(
                      SortField.FIELD_SCORE, new SortField(Schema.ID, SortField.Type.STRING_VAL)),
                  true);
      List<Hit> hits = byId.searchWords("river", 300).hits();
      assertThat(hits).hasSameSizeAs(expected.scoreDocs);
      for (int i = 0; i < hits.size(); i++) {
        ScoreDoc hit = expected.scoreDocs[i];
        assertThat(hits.get(i).docId()).isEqualTo(hit.doc);
        assertThat(hits.get(i).score()).isEqualTo(hit.score);
      }
    }
  }

  @Test
  void anIndexWithoutDocumentsAnswersWithNothing() throws IOException {
    try (InvertedIndex index = index(FULL, List.of());
        Searcher searcher = new Searcher(index, ANALYZER, BY_ID)) {
      assertThat(searcher.search("anything", 10).hits()).isEmpty();
    }
  }

  @Test
  void anIndexThatStoresNoIdsIsRefused() throws IOException {
    try (InvertedIndex index = index(Schemas.of(Detail.POSITIONS, Stored.NOTHING), DOCUMENTS)) {
      assertThatThrownBy(() -> new Searcher(index, ANALYZER, BY_ID))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "%s does not store ids, so they cannot decide ties; build it with --store=id or"
                      .formatted(index.directory())
                  + " --store=contents");
    }
  }
}
