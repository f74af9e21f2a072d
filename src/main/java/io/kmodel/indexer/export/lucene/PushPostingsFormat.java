package io.kmodel.indexer.export.lucene;

import java.io.IOException;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;

/**
 * Lucene 10.6's postings format, of which only the way in differs: postings are pushed, block by
 * block and by many threads, instead of pulled one by one. The files are those of {@link
 * Lucene104PostingsFormat}, under its name, byte for byte, and read by it. All that relies on
 * Lucene's internals: this, {@link DirectSegment}, {@link PostingsOutputs}; for postings {@link
 * TermWriter}, {@link PostingsEncoder} and {@link PositionsEncoder}; for terms {@link
 * PushedFields}, {@link BlockTree}, {@link TermBlock}, {@link BlockTrie} and {@link Lz4Encoder}.
 */
final class PushPostingsFormat extends PostingsFormat {
  private final PostingsChunks chunks;
  private final SegmentNorms norms;

  PushPostingsFormat(PostingsChunks chunks, SegmentNorms norms) {
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
    return new PushedFields(state, chunks, norms);
  }

  @Override
  public FieldsProducer fieldsProducer(SegmentReadState state) {
    throw new UnsupportedOperationException("read by " + Lucene104PostingsFormat.class.getName());
  }
}
