package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.export.lucene.schema.SegmentNorms;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.util.BitSet;
import java.util.Iterator;
import org.apache.lucene.index.BaseTermsEnum;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The terms of a segment for {@link PushedFields}, which requests fields in order and steps through
 * the terms of each once, while {@link SegmentTerms} write their lists. Everything else is
 * unsupported. Only fields with a term in the segment exist, as in a segment of IndexWriter: a
 * codec records nothing for other fields. Not thread-safe.
 */
public final class StreamedFields extends Fields {
  private final Schema schema;
  private final SegmentTerms terms;

  /** Ordinals of the fields that have terms. */
  private final BitSet fields;

  /** The ordinal of the current term; {@code schema.size()} at the end. */
  private int current;

  /**
   * Creates the fields of a segment.
   *
   * @param norms norms of the same documents, which say which fields have terms
   */
  public StreamedFields(Schema schema, SegmentTerms terms, SegmentNorms norms) throws IOException {
    this.schema = schema;
    this.terms = terms;
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

  private void advance() throws IOException {
    if (!terms.nextTerm()) {
      current = schema.size();
      return;
    }
    int length = terms.termLength();
    int next = terms.term()[0] & 0xFF;
    if (next < current) {
      // BlockTree compares the terms of a field; those of a field that comes too late would be
      // lost.
      throw new CorruptIndexException("terms do not ascend", "postings");
    }
    current = next;
    if (!fields.get(current)) {
      throw new IllegalStateException(
          "field '%s' has terms, but no document has a length"
              .formatted(schema.field(current).name()));
    }
    if (length - 1 > IndexWriter.MAX_TERM_LENGTH) {
      throw new FormatLimitException(
          "field '%s': Lucene's terms have at most %d bytes; got one of %d"
              .formatted(schema.field(current).name(), IndexWriter.MAX_TERM_LENGTH, length - 1));
    }
  }

  private static UnsupportedOperationException forwardOnly() {
    return new UnsupportedOperationException("terms are streamed forward, once");
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

  /** Steps through the terms of a field. */
  private final class StreamedTermsEnum extends BaseTermsEnum {
    private final int ordinal;
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
      term.bytes = terms.term();
      term.offset = 1;
      term.length = terms.termLength() - 1;
      return term;
    }

    @Override
    public BytesRef term() {
      return term;
    }

    @Override
    public PostingsEnum postings(@Nullable PostingsEnum reuse, int flags) {
      throw forwardOnly();
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
