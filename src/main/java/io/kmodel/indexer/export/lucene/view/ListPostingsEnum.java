package io.kmodel.indexer.export.lucene.view;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.postings.PostingList;
import java.io.IOException;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Lucene's view of a {@link PostingList}. Not thread-safe. */
final class ListPostingsEnum extends PostingsEnum {
  private final PostingList list;
  private final Detail wanted;

  ListPostingsEnum(PostingList list, Detail wanted) {
    this.list = list;
    this.wanted = wanted;
  }

  PostingList list() {
    return list;
  }

  @Override
  public int docID() {
    return list.docId();
  }

  @Override
  public int nextDoc() throws IOException {
    return list.nextDoc();
  }

  @Override
  public int advance(int target) throws IOException {
    return list.advance(target);
  }

  @Override
  public long cost() {
    return list.cost();
  }

  @Override
  public int freq() throws IOException {
    return wanted == Detail.DOCUMENTS ? 1 : list.freq();
  }

  @Override
  public int nextPosition() throws IOException {
    return wanted.hasPositions() ? list.nextPosition() : -1;
  }

  @Override
  public int startOffset() {
    return list.startOffset();
  }

  @Override
  public int endOffset() {
    return list.endOffset();
  }

  @Override
  public @Nullable BytesRef getPayload() {
    return null;
  }
}
