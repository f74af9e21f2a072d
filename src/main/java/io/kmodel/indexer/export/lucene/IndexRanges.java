package io.kmodel.indexer.export.lucene;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.export.lucene.postings.PostingsRanges;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.terms.TermBlocks;
import java.io.IOException;

/** The postings of an index, starting at a document. */
record IndexRanges(InvertedIndex index, ImmutableList<TermBlocks> ranges, int firstDoc)
    implements PostingsRanges {
  @Override
  public int count() {
    return ranges.size();
  }

  @Override
  public long bytes(int range) {
    return ranges.get(range).bytes();
  }

  @Override
  public PostingsCursor open(int range) throws IOException {
    return index.cursor(ranges.get(range), firstDoc);
  }
}
