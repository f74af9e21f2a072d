package io.kmodel.indexer.export.lucene;

import java.io.IOException;
import org.apache.lucene.codecs.BlockTermState;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.PostingsWriterBase;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsWriter;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Pushes the postings of the term that a stream stands on into Lucene's writer, whichever way the
 * term itself came. Not thread-safe.
 */
final class PushedPostings extends PostingsWriterBase {
  private final PostingsStream stream;
  private final Lucene104PostingsWriter writer;
  private boolean frequencies;
  private boolean positions;
  private @Nullable FieldInfo field;

  /** Of the field; they can be asked for documents in any order. */
  private @Nullable NumericDocValues fieldNorms;

  PushedPostings(SegmentWriteState state, PostingsStream stream) throws IOException {
    this.stream = stream;
    this.writer = new Lucene104PostingsWriter(state);
  }

  @Override
  public void init(IndexOutput termsOut, SegmentWriteState state) throws IOException {
    writer.init(termsOut, state);
  }

  @Override
  public void setField(FieldInfo fieldInfo) {
    writer.setField(fieldInfo);
    field = fieldInfo;
    fieldNorms = null;
    frequencies = fieldInfo.getIndexOptions().subsumes(IndexOptions.DOCS_AND_FREQS);
    positions = fieldInfo.getIndexOptions().subsumes(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS);
  }

  @Override
  public BlockTermState writeTerm(
      BytesRef term, TermsEnum termsEnum, FixedBitSet docsSeen, NormsProducer norms)
      throws IOException {
    FieldInfo current = field;
    if (fieldNorms == null && current != null && current.hasNorms()) {
      fieldNorms = norms.getNorms(current);
    }
    BlockTermState state = writer.newTermState();
    writer.startTerm(fieldNorms);
    stream.push(writer, positions, docsSeen, state);
    if (!frequencies) {
      state.totalTermFreq = -1;
    }
    writer.finishTerm(state);
    return state;
  }

  @Override
  public void encodeTerm(
      DataOutput out, FieldInfo fieldInfo, BlockTermState state, boolean absolute)
      throws IOException {
    writer.encodeTerm(out, fieldInfo, state, absolute);
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
