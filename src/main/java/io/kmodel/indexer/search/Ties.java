package io.kmodel.indexer.search;

import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;

/** The order of documents with exactly the same score. */
public enum Ties {
  /** By their numbers in the index, as Lucene orders them by default. */
  NUMBER,

  /**
   * By their ids as bytes of UTF-8, as Anserini orders them; documents that share an id by number.
   * The ids of all documents with the score of the last hit decide which of them are hits. The
   * index must store ids. Memory: one id per hit. Time: reads the ids of documents that tie with
   * one of the best so far.
   */
  ID;

  private static final Sort BY_ID =
      new Sort(SortField.FIELD_SCORE, new SortField(Schema.ID, new IdOrder()));

  /** Returns the best documents in this order. */
  TopDocs search(IndexSearcher searcher, Query query, int top) throws IOException {
    if (this == NUMBER) {
      return searcher.search(query, top);
    }
    TopDocs found;
    try {
      found = searcher.search(query, top, BY_ID);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return new TopDocs(
        found.totalHits,
        Arrays.stream(found.scoreDocs).map(Ties::withScore).toArray(ScoreDoc[]::new));
  }

  /** Takes the score from the sort's first key; Lucene would compute it again. */
  private static ScoreDoc withScore(ScoreDoc hit) {
    return new ScoreDoc(hit.doc, (float) ((FieldDoc) hit).fields[0]);
  }
}
