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
 * Lucene 10.6's postings format, with our own writers of postings lists and of the term dictionary.
 * Lists are encoded block by block and in many threads, or on a device, while Lucene's writer takes
 * posting by posting. {@link PushedFields} steps through {@link StreamedFields}, writes their
 * terms, and has {@link SegmentTerms} write the list of each. The files have the name and the
 * format of {@link Lucene104PostingsFormat}, byte for byte, and it reads them.
 *
 * <p>These classes rely on Lucene's internals: this one, {@link DirectSegment}, {@link
 * PushedFields}, {@link BlockTree}, {@link BlockTrie}, {@link TermBlock}, {@link Lz4Encoder},
 * {@link PostingsOutputs}, {@link TermWriter}, {@link PostingsEncoder}, {@link PositionsEncoder},
 * and those that handle a term's state: {@link EncodedTerms} and {@link PartlyPackedTerms}.
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
