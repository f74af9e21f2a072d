package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.Detail;
import java.io.IOException;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsWriter;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SegmentWriteState;
import org.jspecify.annotations.Nullable;

/** Pushes postings of whole terms into Lucene's postings writer. Not thread-safe. */
final class TermWriter implements AutoCloseable {
  private final Lucene104PostingsWriter writer;
  private final SegmentNorms norms;
  private Detail detail = Detail.DOCUMENTS;

  /** Of the field; they can be asked for documents in any order. */
  private @Nullable NumericDocValues fieldNorms;

  TermWriter(SegmentWriteState state, SegmentNorms norms) throws IOException {
    this.writer = new Lucene104PostingsWriter(state);
    this.norms = norms;
  }

  /** Lucene's own writer, to be told what does not concern postings. */
  Lucene104PostingsWriter lucene() {
    return writer;
  }

  /** Begins a field. */
  void setField(FieldInfo field) {
    writer.setField(field);
    detail = detail(field.getIndexOptions());
    fieldNorms = field.hasNorms() ? norms.getNorms(field) : null;
  }

  private static Detail detail(IndexOptions recorded) {
    if (recorded.subsumes(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS)) {
      return Detail.OFFSETS;
    }
    if (recorded.subsumes(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS)) {
      return Detail.POSITIONS;
    }
    return recorded.subsumes(IndexOptions.DOCS_AND_FREQS) ? Detail.FREQUENCIES : Detail.DOCUMENTS;
  }

  /** Writes the term that the stream stands on. */
  IntBlockTermState write(PostingsStream stream) throws IOException {
    IntBlockTermState state = writer.newTermState();
    writer.startTerm(fieldNorms);
    stream.push(writer, detail, state);
    if (!detail.hasFrequencies()) {
      state.totalTermFreq = -1;
    }
    writer.finishTerm(state);
    return state;
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
