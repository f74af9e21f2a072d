package io.kmodel.indexer.search;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.export.lucene.ShardedIndex;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TotalHits;

/**
 * Answers queries in Lucene's classic syntax from all shards of a {@link ShardedIndex}, with the
 * documents and scores of one index. Thread-safe.
 */
public final class ShardSearcher implements AutoCloseable {
  private static final Set<String> SHOWN = Set.of(Schema.ID, Schema.TITLE);

  private final IndexReader reader;
  private final IndexSearcher searcher;
  private final Analyzer analyzer;
  private final String field;

  /**
   * Opens the shards.
   *
   * @param analyzer the one that they were built with; the caller closes it
   * @param field that words without a field are searched in
   */
  public ShardSearcher(
      Path directory, ShardedIndex shards, Analyzer analyzer, String field, ScoringModel model)
      throws IOException {
    this.reader = shards.open(directory);
    this.searcher = new IndexSearcher(reader);
    this.searcher.setSimilarity(model.similarity());
    this.analyzer = analyzer;
    this.field = field;
  }

  /**
   * Answers a query.
   *
   * @param top maximum number of hits, at least 1
   * @throws IllegalArgumentException if the query cannot be parsed
   */
  public SearchResult search(String text, int top) throws IOException {
    TopDocs found;
    try {
      found = searcher.search(new QueryParser(field, analyzer).parse(text), top);
    } catch (ParseException | IndexSearcher.TooManyClauses e) {
      throw new IllegalArgumentException(
          "cannot parse query '%s': %s".formatted(text, e.getMessage()), e);
    }
    ImmutableList.Builder<Hit> hits = ImmutableList.builder();
    for (ScoreDoc hit : found.scoreDocs) {
      Document document = reader.storedFields().document(hit.doc, SHOWN);
      String id = document.get(Schema.ID);
      hits.add(
          new Hit(
              hit.doc,
              id == null ? Integer.toString(hit.doc) : id,
              hit.score,
              Objects.requireNonNullElse(document.get(Schema.TITLE), ""),
              null));
    }
    return new SearchResult(
        hits.build(),
        found.totalHits.value(),
        found.totalHits.relation() == TotalHits.Relation.EQUAL_TO,
        ImmutableList.of(),
        ImmutableSet.of(),
        ImmutableMap.of());
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
