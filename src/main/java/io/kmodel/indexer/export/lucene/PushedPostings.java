package io.kmodel.indexer.export.lucene;

import java.io.IOException;
import org.apache.lucene.codecs.BlockTermState;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.PostingsWriterBase;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;

/**
 * What Lucene's terms writer takes for a postings writer: it writes the postings of the term that
 * {@link PostingsChunks} stand on. Lucene marks the documents of a field posting by posting; here
 * they are known from the lengths. Not thread-safe.
 */
final class PushedPostings extends PostingsWriterBase {
  private final PostingsChunks chunks;
  private final SegmentNorms norms;
  private final SegmentWriteState state;
  private final PostingsOutputs outputs;
  private final TermWriter writer;
  private FieldInfo field;
  private boolean documentsMarked;

  PushedPostings(SegmentWriteState state, PostingsChunks chunks, SegmentNorms norms)
      throws IOException {
    this.chunks = chunks;
    this.norms = norms;
    this.state = state;
    this.outputs = new PostingsOutputs(state.directory);
    this.field = state.fieldInfos.fieldInfo(0);
    this.writer = new TermWriter(outputs, state, norms);
  }

  @Override
  public void init(IndexOutput termsOut, SegmentWriteState state) throws IOException {
    writer.lucene().init(termsOut, state);
  }

  @Override
  public void setField(FieldInfo fieldInfo) {
    writer.setField(fieldInfo);
    field = fieldInfo;
    documentsMarked = false;
  }

  @Override
  public BlockTermState writeTerm(
      BytesRef term, TermsEnum termsEnum, FixedBitSet docsSeen, NormsProducer unused)
      throws IOException {
    if (!documentsMarked) {
      norms.markDocuments(field, docsSeen);
      documentsMarked = true;
    }
    return chunks.write(writer, outputs);
  }

  @Override
  public void encodeTerm(
      DataOutput out, FieldInfo fieldInfo, BlockTermState state, boolean absolute)
      throws IOException {
    writer.lucene().encodeTerm(out, fieldInfo, state, absolute);
  }

  @Override
  public void close() throws IOException {
    writer.close();
    outputs.writeMetadata(chunks.raiseMaxima(writer.maxima()), state.context);
  }
}
