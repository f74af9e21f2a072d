package io.kmodel.indexer.indexing.merge;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.documents.KeptDocuments;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.merge.TermRange;
import java.io.IOException;

/** An index to be merged, and which of its documents stay. */
public record MergeInput(InvertedIndex index, KeptDocuments kept) {
  /** The lists of the documents that stay, of a range of terms. */
  PostingsCursor lists(TermRange range) throws IOException {
    PostingsCursor all = new KeyRangeCursor(index, range);
    return kept.isAll() ? all : new KeptCursor(all, kept);
  }
}
