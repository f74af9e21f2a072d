package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.export.lucene.schema.SegmentNorms;
import java.io.IOException;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;

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
  private final SegmentTerms terms;
  private final SegmentNorms norms;

  PushPostingsFormat(SegmentTerms terms, SegmentNorms norms) {
    super(new Lucene104PostingsFormat().getName());
    this.terms = terms;
    this.norms = norms;
  }

  /** What Lucene's codec makes of a format: it notes in every field which one wrote it. */
  public static PostingsFormat perField(SegmentTerms terms, SegmentNorms norms) {
    PostingsFormat format = new PushPostingsFormat(terms, norms);
    return new PerFieldPostingsFormat() {
      @Override
      public PostingsFormat getPostingsFormatForField(String field) {
        return format;
      }
    };
  }

  @Override
  public FieldsConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
    return new PushedFields(state, terms, norms);
  }

  @Override
  public FieldsProducer fieldsProducer(SegmentReadState state) {
    throw new UnsupportedOperationException("read by " + Lucene104PostingsFormat.class.getName());
  }
}
