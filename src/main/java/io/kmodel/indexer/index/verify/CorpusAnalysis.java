package io.kmodel.indexer.index.verify;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;

/**
 * Computes {@link CorpusStatistics} from an index, in one pass over the dictionary and the first
 * block of every list, and one over the lengths. Memory: see {@link CorpusCount}.
 */
public final class CorpusAnalysis {
  private CorpusAnalysis() {}

  /** Computes the statistics of all tokenized fields, ordered by name. */
  public static ImmutableList<CorpusStatistics> of(InvertedIndex index) throws IOException {
    ImmutableList.Builder<CorpusStatistics> fields = ImmutableList.builder();
    for (int field = 0; field < index.schema().size(); field++) {
      if (index.schema().field(field).tokenized()) {
        fields.add(analyze(index, field));
      }
    }
    return fields.build();
  }

  private static CorpusStatistics analyze(InvertedIndex index, int field) throws IOException {
    CorpusCount count = new CorpusCount(index.documentCount());
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    try (PostingsCursor terms = index.cursor()) {
      while (terms.nextTerm()) {
        Interruption.requireNone();
        if ((terms.term()[0] & 0xFF) == field) {
          terms.nextDocs(docs, freqs);
          count.add(
              terms.term(),
              1,
              terms.termLength() - 1,
              docs[0],
              terms.docFreq(),
              terms.totalTermFreq());
        }
      }
    }
    return count.statistics(
        index.schema().field(field).name(), docId -> index.length(field, docId));
  }
}
