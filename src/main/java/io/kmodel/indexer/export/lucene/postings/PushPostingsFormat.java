package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.export.lucene.schema.SegmentNorms;
import java.io.IOException;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.PostingsWriterBase;
import org.apache.lucene.codecs.lucene103.blocktree.Lucene103BlockTreeTermsWriter;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.util.IOUtils;

/**
 * Lucene 10.6's postings format, except that our encoder writes the postings lists, block by block
 * and in many threads, where Lucene's writer takes them posting by posting. Lucene's terms writer
 * drives: it steps through {@link StreamedFields} and has {@link SegmentPostings} write the list of
 * each term. The files are those of {@link Lucene104PostingsFormat}, under its name, byte for byte,
 * and are read by it. The classes that rely on Lucene's internals are this one, {@link
 * DirectSegment}, {@link PostingsOutputs}, {@link SegmentPostings}, {@link TermWriter}, {@link
 * PostingsEncoder} and {@link PositionsEncoder}.
 */
public final class PushPostingsFormat extends PostingsFormat {
  private final PostingsChunks chunks;
  private final SegmentNorms norms;

  PushPostingsFormat(PostingsChunks chunks, SegmentNorms norms) {
    super(new Lucene104PostingsFormat().getName());
    this.chunks = chunks;
    this.norms = norms;
  }

  /** What Lucene's codec makes of a format: it notes in every field which one wrote it. */
  public static PostingsFormat perField(PostingsChunks chunks, SegmentNorms norms) {
    PostingsFormat format = new PushPostingsFormat(chunks, norms);
    return new PerFieldPostingsFormat() {
      @Override
      public PostingsFormat getPostingsFormatForField(String field) {
        return format;
      }
    };
  }

  @Override
  public FieldsConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
    PostingsWriterBase postings = new SegmentPostings(state, chunks, norms);
    try {
      return new Lucene103BlockTreeTermsWriter(
          state,
          postings,
          Lucene103BlockTreeTermsWriter.DEFAULT_MIN_BLOCK_SIZE,
          Lucene103BlockTreeTermsWriter.DEFAULT_MAX_BLOCK_SIZE);
    } catch (IOException | RuntimeException | Error e) {
      IOUtils.closeWhileSuppressingExceptions(e, postings);
      throw e;
    }
  }

  @Override
  public FieldsProducer fieldsProducer(SegmentReadState state) {
    throw new UnsupportedOperationException("read by " + Lucene104PostingsFormat.class.getName());
  }
}
