package io.kmodel.indexer.export.lucene;

import java.io.IOException;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene103.blocktree.Lucene103BlockTreeTermsWriter;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.util.IOUtils;

/**
 * Lucene 10.6's postings format, of which only the way in differs: postings are pushed, block by
 * block and by many threads, instead of pulled one by one. The files are those of {@link
 * Lucene104PostingsFormat}, under its name, and read by it. With {@link DirectSegment}, {@link
 * TermWriter}, {@link PostingsEncoder}, {@link PushedPostings} and {@link PostingsOutputs} all that
 * relies on Lucene's internals.
 */
final class PushPostingsFormat extends PostingsFormat {
  private final PostingsChunks chunks;
  private final SegmentNorms norms;

  private PushPostingsFormat(PostingsChunks chunks, SegmentNorms norms) {
    super(new Lucene104PostingsFormat().getName());
    this.chunks = chunks;
    this.norms = norms;
  }

  /** What Lucene's codec makes of a format: it notes in every field which one wrote it. */
  static PostingsFormat perField(PostingsChunks chunks, SegmentNorms norms) {
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
    PushedPostings postings = new PushedPostings(state, chunks, norms);
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
