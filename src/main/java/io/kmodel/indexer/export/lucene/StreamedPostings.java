package io.kmodel.indexer.export.lucene;

import java.io.IOException;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Lucene's view of the current term of a {@link PostingsStream}. One for all terms of a field. */
final class StreamedPostings extends PostingsEnum {
  private final PostingsStream stream;
  private final boolean hasPositions;
  private int docId = -1;

  StreamedPostings(PostingsStream stream, boolean hasPositions) {
    this.stream = stream;
    this.hasPositions = hasPositions;
  }

  /** Goes back before the first document; the stream stands on it. */
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
    return hasPositions ? stream.nextPosition() : -1;
  }

  @Override
  public long cost() {
    return stream.docFreq();
  }

  @Override
  public int startOffset() {
    return -1;
  }

  @Override
  public int endOffset() {
    return -1;
  }

  @Override
  public @Nullable BytesRef getPayload() {
    return null;
  }
}
