package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.export.lucene.schema.SegmentNorms;
import io.kmodel.indexer.index.model.Detail;
import java.io.Closeable;
import java.io.IOException;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsWriter;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.util.IOUtils;

/**
 * Writes postings of whole terms into the files of Lucene's postings writer. Lucene's writer itself
 * writes everything except lists: headers, footers, metadata, and the terms' states. Not
 * thread-safe.
 */
final class TermWriter implements Closeable {
  private final Lucene104PostingsWriter frame;
  private final PostingsEncoder encoder;
  private final SegmentNorms norms;

  /** Creates the files in the given directory, which must be the state's. */
  TermWriter(PostingsOutputs outputs, SegmentWriteState state, SegmentNorms norms)
      throws IOException {
    this.norms = norms;
    this.frame = new Lucene104PostingsWriter(outputs.of(state));
    try {
      this.encoder = new PostingsEncoder(outputs.docs(), outputs.positions(), outputs.offsets());
    } catch (RuntimeException | Error e) {
      IOUtils.closeWhileSuppressingExceptions(e, frame);
      throw e;
    }
  }

  /** Lucene's own writer, for everything that does not concern postings. */
  Lucene104PostingsWriter lucene() {
    return frame;
  }

  /** Starts a field. */
  void setField(FieldInfo field) {
    frame.setField(field);
    encoder.setField(
        detail(field.getIndexOptions()), field.hasNorms() ? norms.getNorms(field) : null);
  }

  private static Detail detail(IndexOptions recorded) {
    return switch (recorded) {
      case DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS -> Detail.OFFSETS;
      case DOCS_AND_FREQS_AND_POSITIONS -> Detail.POSITIONS;
      case DOCS_AND_FREQS -> Detail.FREQUENCIES;
      default -> Detail.DOCUMENTS;
    };
  }

  /** Writes the stream's current term. */
  IntBlockTermState write(PostingsStream stream) throws IOException {
    return encoder.encode(stream);
  }

  /** Writes pending postings to the outputs. */
  void flush() throws IOException {
    encoder.flush();
  }

  /** Maxima of all lists written; see {@link PostingsOutputs#MAXIMA}. */
  int[] maxima() {
    return encoder.maxima();
  }

  @Override
  public void close() throws IOException {
    try (frame) {
      encoder.flush();
    }
  }
}
