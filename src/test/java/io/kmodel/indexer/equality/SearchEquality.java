package io.kmodel.indexer.equality;

import java.io.IOException;
import java.util.Random;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.similarities.BM25Similarity;

/**
 * Asks two readers the same random queries and compares the best 100 documents of each: docIDs,
 * scores to the last bit, and how many were found. A failure names the query and the seed.
 */
public final class SearchEquality {
  private static final int TOP = 100;

  private SearchEquality() {}

  /**
   * Fails at the first query that is answered differently.
   *
   * @param seed of the queries; the same seed asks the same ones of the same index
   * @return how many of the queries found anything, for the caller to judge the test by
   */
  public static int assertSame(IndexReader expected, IndexReader actual, long seed, int queries)
      throws IOException {
    RandomQueries random = new RandomQueries(expected, new Random(seed));
    IndexSearcher left = searcher(expected);
    IndexSearcher right = searcher(actual);
    int found = 0;
    for (int i = 0; i < queries && !random.isEmpty(); i++) {
      Query query = random.next();
      String place = "seed %d, query %d, %s".formatted(seed, i, query);
      TopDocs leftTop = top(left, query);
      compare(place, leftTop, top(right, query));
      found += leftTop.scoreDocs.length > 0 ? 1 : 0;
      compareFirst(place, leftTop, right.search(query, TOP));
    }
    return found;
  }

  private static IndexSearcher searcher(IndexReader reader) {
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setSimilarity(new BM25Similarity());
    searcher.setQueryCache(null);
    return searcher;
  }

  /** Scores every match. */
  private static TopDocs top(IndexSearcher searcher, Query query) throws IOException {
    return searcher.search(query, new TopScoreDocCollectorManager(TOP, null, Integer.MAX_VALUE));
  }

  private static void compare(String place, TopDocs expected, TopDocs actual) {
    if (expected.totalHits.value() != actual.totalHits.value()) {
      throw new AssertionError(
          "%s: expected %s but was %s".formatted(place, expected.totalHits, actual.totalHits));
    }
    compareFirst(place, expected, actual);
  }

  private static void compareFirst(String place, TopDocs expected, TopDocs actual) {
    if (expected.scoreDocs.length != actual.scoreDocs.length) {
      throw new AssertionError(
          "%s: expected %d hits but was %d"
              .formatted(place, expected.scoreDocs.length, actual.scoreDocs.length));
    }
    for (int i = 0; i < expected.scoreDocs.length; i++) {
      ScoreDoc left = expected.scoreDocs[i];
      ScoreDoc right = actual.scoreDocs[i];
      if (left.doc != right.doc
          || Float.floatToIntBits(left.score) != Float.floatToIntBits(right.score)) {
        throw new AssertionError(
            "%s: rank %d: expected %s but was %s".formatted(place, i + 1, left, right));
      }
    }
  }
}
