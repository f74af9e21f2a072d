package io.kmodel.indexer.search;

import io.kmodel.indexer.index.model.DeclaredStatistics;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/**
 * Scores the field {@value Schema#CONTENTS} by {@link DeclaredStatistics}: their number of
 * documents and average length.
 */
public final class DeclaredSearcher extends IndexSearcher {
  private final DeclaredStatistics declared;

  private DeclaredSearcher(IndexReader reader, DeclaredStatistics declared) {
    super(reader);
    this.declared = declared;
  }

  /** A searcher of an index, with the statistics of its lists if none are declared. */
  public static IndexSearcher of(IndexReader reader, @Nullable DeclaredStatistics declared)
      throws IOException {
    if (reader.maxDoc() == 0) {
      // Lucene cannot search a segment without documents.
      return new IndexSearcher(new MultiReader());
    }
    return declared == null ? new IndexSearcher(reader) : new DeclaredSearcher(reader, declared);
  }

  @Override
  public @Nullable CollectionStatistics collectionStatistics(String field) throws IOException {
    CollectionStatistics counted = super.collectionStatistics(field);
    if (counted == null || !field.equals(Schema.CONTENTS)) {
      return counted;
    }
    long documents = Math.max(counted.docCount(), declared.documents());
    long postings = Math.max(counted.sumDocFreq(), documents);
    return new CollectionStatistics(
        field,
        Math.max(counted.maxDoc(), documents),
        documents,
        Math.max(postings, declared.averagedTokens()),
        postings);
  }
}
