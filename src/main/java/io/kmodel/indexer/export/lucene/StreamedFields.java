package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.Field;
import io.kmodel.indexer.index.FormatLimitException;
import io.kmodel.indexer.index.Schema;
import java.io.IOException;
import java.util.BitSet;
import java.util.Iterator;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.index.BaseTermsEnum;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The postings of a range of documents for Lucene's merger. It requests fields in order, their
 * terms in order, and each term's postings once. Everything comes from one forward pass over the
 * index; anything that would need a second one is unsupported. Only fields with a term in the range
 * exist, as in a segment of IndexWriter: a codec records nothing for other fields. Not thread-safe.
 */
final class StreamedFields extends FieldsProducer {
  private final Schema schema;
  private final TermStream stream;

  /** Ordinals of the fields that have terms. */
  private final BitSet fields;

  /** The ordinal of the stream's current term; {@code schema.size()} at the end. */
  private int current;

  /**
   * Creates the fields of a stream.
   *
   * @param norms norms of the same documents, which say which fields have terms
   */
  StreamedFields(Schema schema, TermStream stream, SegmentNorms norms) throws IOException {
    this.schema = schema;
    this.stream = stream;
    this.fields = norms.fieldsWithTerms();
    advance();
  }

  @Override
  public Iterator<String> iterator() {
    return fields.stream().mapToObj(ordinal -> schema.field(ordinal).name()).iterator();
  }

  @Override
  public @Nullable Terms terms(String name) {
    int ordinal = schema.find(name);
    return ordinal >= 0 && fields.get(ordinal) ? new StreamedTerms(ordinal) : null;
  }

  @Override
  public int size() {
    return fields.cardinality();
  }

  @Override
  public void checkIntegrity() {}

  @Override
  public void close() throws IOException {
    stream.close();
  }

  private void advance() throws IOException {
    current = stream.nextTerm() ? stream.term()[0] & 0xFF : schema.size();
    if (current == schema.size()) {
      return;
    }
    if (!fields.get(current)) {
      throw new IllegalStateException(
          "field '%s' has terms, but no document has a length"
              .formatted(schema.field(current).name()));
    }
    if (stream.termLength() - 1 > IndexWriter.MAX_TERM_LENGTH) {
      throw new FormatLimitException(
          "field '%s': Lucene's terms have at most %d bytes; got one of %d"
              .formatted(
                  schema.field(current).name(),
                  IndexWriter.MAX_TERM_LENGTH,
                  stream.termLength() - 1));
    }
  }

  private static UnsupportedOperationException forwardOnly() {
    return new UnsupportedOperationException("postings are streamed forward, once");
  }

  /** The terms of one field. */
  private final class StreamedTerms extends Terms {
    private final int ordinal;
    private final Field field;

    StreamedTerms(int ordinal) {
      this.ordinal = ordinal;
      this.field = schema.field(ordinal);
    }

    @Override
    public TermsEnum iterator() {
      if (current < ordinal) {
        throw new IllegalStateException(
            "field '%s' was requested before the terms of '%s' were read"
                .formatted(field.name(), schema.field(current).name()));
      }
      return new StreamedTermsEnum(ordinal);
    }

    @Override
    public boolean hasFreqs() {
      return field.detail().hasFrequencies();
    }

    @Override
    public boolean hasOffsets() {
      return field.detail().hasOffsets();
    }

    @Override
    public boolean hasPositions() {
      return field.detail().hasPositions();
    }

    @Override
    public boolean hasPayloads() {
      return false;
    }

    @Override
    public long size() {
      return -1;
    }

    @Override
    public long getSumTotalTermFreq() {
      throw forwardOnly();
    }

    @Override
    public long getSumDocFreq() {
      throw forwardOnly();
    }

    @Override
    public int getDocCount() {
      throw forwardOnly();
    }
  }

  /** Terms of a field in the order of the stream. */
  private final class StreamedTermsEnum extends BaseTermsEnum {
    private final int ordinal;
    private @Nullable StreamedPostings postings;
    private final BytesRef term = new BytesRef();
    private boolean started;

    StreamedTermsEnum(int ordinal) {
      this.ordinal = ordinal;
    }

    @Override
    public @Nullable BytesRef next() throws IOException {
      if (started && current == ordinal) {
        advance();
      }
      started = true;
      if (current != ordinal) {
        return null;
      }
      term.bytes = stream.term();
      term.offset = 1;
      term.length = stream.termLength() - 1;
      return term;
    }

    @Override
    public PostingsEnum postings(@Nullable PostingsEnum reuse, int flags) {
      StreamedPostings result = postings;
      if (result == null) {
        result = stream.newPostings(schema.field(ordinal).detail());
        postings = result;
      }
      result.startTerm();
      return result;
    }

    @Override
    public BytesRef term() {
      return term;
    }

    @Override
    public SeekStatus seekCeil(BytesRef text) {
      throw forwardOnly();
    }

    @Override
    public void seekExact(long ord) {
      throw forwardOnly();
    }

    @Override
    public long ord() {
      throw forwardOnly();
    }

    @Override
    public int docFreq() {
      throw forwardOnly();
    }

    @Override
    public long totalTermFreq() {
      throw forwardOnly();
    }

    @Override
    public ImpactsEnum impacts(int flags) {
      throw forwardOnly();
    }
  }
}
