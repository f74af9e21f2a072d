package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.export.lucene.schema.SegmentNorms;
import java.io.IOException;
import org.apache.lucene.codecs.BlockTermState;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.PostingsWriterBase;
import org.apache.lucene.codecs.lucene103.blocktree.Lucene103BlockTreeTermsWriter;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes the postings of a segment for {@link Lucene103BlockTreeTermsWriter}: for each of its
 * terms, the list of the term that {@link PostingsChunks} stand on. Lucene's own writer marks the
 * documents of a field posting by posting; here the lengths tell which documents have a term. Not
 * thread-safe.
 */
final class SegmentPostings extends PostingsWriterBase {
  private final PostingsChunks chunks;
  private final SegmentNorms norms;
  private final IOContext context;
  private final PostingsOutputs outputs;
  private final TermWriter writer;
  private @Nullable FieldInfo field;

  /** Whether the documents of the current field are marked; Lucene passes one set per field. */
  private boolean marked;

  private boolean closed;

  /** Creates the files. */
  SegmentPostings(SegmentWriteState state, PostingsChunks chunks, SegmentNorms norms)
      throws IOException {
    this.chunks = chunks;
    this.norms = norms;
    this.context = state.context;
    this.outputs = new PostingsOutputs(state.directory);
    this.writer = new TermWriter(outputs, state, norms);
  }

  @Override
  public void init(IndexOutput terms, SegmentWriteState state) throws IOException {
    writer.lucene().init(terms, state);
  }

  @Override
  public void setField(FieldInfo next) {
    field = next;
    marked = false;
    writer.setField(next);
  }

  @Override
  public BlockTermState writeTerm(
      BytesRef term, TermsEnum terms, FixedBitSet docsSeen, NormsProducer unused)
      throws IOException {
    FieldInfo current = field;
    if (current == null) {
      throw new IllegalStateException("a term of no field");
    }
    if (!marked) {
      marked = true;
      norms.markDocuments(current, docsSeen);
    }
    return chunks.write(writer, outputs);
  }

  @Override
  public void encodeTerm(DataOutput out, FieldInfo of, BlockTermState state, boolean absolute)
      throws IOException {
    writer.lucene().encodeTerm(out, of, state, absolute);
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    writer.close();
    outputs.writeMetadata(chunks.raiseMaxima(writer.maxima()), context);
  }
}
