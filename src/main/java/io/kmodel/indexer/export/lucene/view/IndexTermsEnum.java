package io.kmodel.indexer.export.lucene.view;

import io.kmodel.indexer.index.TermCursor;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.postings.PostingList;
import java.io.IOException;
import org.apache.lucene.index.BaseTermsEnum;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SlowImpactsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Lucene's view of a {@link TermCursor}. Terms have no ordinals. Impacts are those of no knowledge,
 * so top-k searches score every candidate; results are the same. Not thread-safe.
 */
final class IndexTermsEnum extends BaseTermsEnum {
  private final TermCursor cursor;
  private final Detail detail;
  private final BytesRef term = new BytesRef();

  IndexTermsEnum(TermCursor cursor, Detail detail) {
    this.cursor = cursor;
    this.detail = detail;
  }

  @Override
  public SeekStatus seekCeil(BytesRef text) throws IOException {
    TermCursor.Seek seek = cursor.seek(text.bytes, text.offset, text.length);
    if (seek == TermCursor.Seek.END) {
      return SeekStatus.END;
    }
    position();
    return seek == TermCursor.Seek.FOUND ? SeekStatus.FOUND : SeekStatus.NOT_FOUND;
  }

  @Override
  public void seekExact(long ord) {
    throw new UnsupportedOperationException("terms have no ordinals");
  }

  @Override
  public @Nullable BytesRef next() throws IOException {
    if (!cursor.next()) {
      return null;
    }
    position();
    return term;
  }

  @Override
  public BytesRef term() {
    return term;
  }

  @Override
  public long ord() {
    throw new UnsupportedOperationException("terms have no ordinals");
  }

  @Override
  public int docFreq() {
    return cursor.docFreq();
  }

  @Override
  public long totalTermFreq() {
    return detail == Detail.DOCUMENTS ? cursor.docFreq() : cursor.totalTermFreq();
  }

  @Override
  public PostingsEnum postings(@Nullable PostingsEnum reuse, int flags) throws IOException {
    Detail wanted = wanted(flags);
    PostingList old = reuse instanceof ListPostingsEnum ours ? ours.list() : null;
    return new ListPostingsEnum(cursor.postings(old, wanted), wanted);
  }

  @Override
  public ImpactsEnum impacts(int flags) throws IOException {
    return new SlowImpactsEnum(postings(null, flags));
  }

  private Detail wanted(int flags) {
    if (detail.hasOffsets() && PostingsEnum.featureRequested(flags, PostingsEnum.OFFSETS)) {
      return Detail.OFFSETS;
    }
    if (detail.hasPositions() && PostingsEnum.featureRequested(flags, PostingsEnum.POSITIONS)) {
      return Detail.POSITIONS;
    }
    if (detail.hasFrequencies() && PostingsEnum.featureRequested(flags, PostingsEnum.FREQS)) {
      return Detail.FREQUENCIES;
    }
    return Detail.DOCUMENTS;
  }

  private void position() {
    term.bytes = cursor.term();
    term.offset = cursor.termOffset();
    term.length = cursor.termLength();
  }
}
