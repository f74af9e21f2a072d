package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.Detail;
import java.io.IOException;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Lucene's view of the current term of a {@link PostingsStream}; reused for a field's terms. */
final class StreamedPostings extends PostingsEnum {
  private final PostingsStream stream;
  private final Detail detail;
  private int docId = -1;

  StreamedPostings(PostingsStream stream, Detail detail) {
    this.stream = stream;
    this.detail = detail;
  }

  /** Moves before the term's first document, at which the stream already is. */
  void startTerm() {
    docId = -1;
  }

  @Override
  public int docID() {
    return docId;
  }

  @Override
  public int nextDoc() throws IOException {
    docId = docId == -1 ? stream.docId() : stream.nextDoc();
    return docId;
  }

  @Override
  public int advance(int target) throws IOException {
    return slowAdvance(target);
  }

  @Override
  public int freq() {
    return stream.freq();
  }

  @Override
  public int nextPosition() throws IOException {
    if (detail.hasOffsets()) {
      return stream.nextOccurrence();
    }
    return detail.hasPositions() ? stream.nextPosition() : -1;
  }

  @Override
  public long cost() {
    return stream.docFreq();
  }

  @Override
  public int startOffset() {
    return detail.hasOffsets() ? stream.startOffset() : -1;
  }

  @Override
  public int endOffset() {
    return detail.hasOffsets() ? stream.endOffset() : -1;
  }

  @Override
  public @Nullable BytesRef getPayload() {
    return null;
  }
}
