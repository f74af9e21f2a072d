package io.kmodel.indexer.export.lucene.schema;

import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;
import java.util.BitSet;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.index.FieldInfo;

/**
 * Derives data of a segment from its documents' lengths: norms for Lucene's writers, and which
 * fields have terms. Thread-safe.
 */
public final class SegmentNorms extends NormsProducer {
  private final Schema schema;
  private final DocumentLengths lengths;

  public SegmentNorms(Schema schema, DocumentLengths lengths) {
    this.schema = schema;
    this.lengths = lengths;
  }

  @Override
  public LengthNorms getNorms(FieldInfo field) {
    return new LengthNorms(lengths, schema.ordinal(field.name));
  }

  /** The number of documents that have a term in a field. */
  public int countDocuments(FieldInfo field) throws IOException {
    int ordinal = schema.ordinal(field.name);
    int count = 0;
    int docId = nextWithTerm(ordinal, 0);
    while (docId < lengths.count()) {
      count++;
      docId = nextWithTerm(ordinal, docId + 1);
    }
    return count;
  }

  /**
   * The ordinals of the fields in which any document may have a term: whether one has is not known
   * of columns. Reads a field's lengths only up to the first such document.
   */
  public BitSet fieldsWithTerms() throws IOException {
    BitSet fields = new BitSet(schema.size());
    for (int ordinal = 0; ordinal < schema.size(); ordinal++) {
      boolean isIndexed = schema.field(ordinal).detail().isIndexed();
      fields.set(ordinal, isIndexed && nextWithTerm(ordinal, 0) < lengths.count());
    }
    return fields;
  }

  /** The first document at or after {@code from} with a term in an indexed field, or the count. */
  private int nextWithTerm(int ordinal, int from) throws IOException {
    int docId = from;
    if (schema.field(ordinal).tokenized()) {
      while (docId < lengths.count() && lengths.length(ordinal, docId) <= 0) {
        docId++;
      }
    }
    return docId;
  }

  /** Nothing to do: lengths are checked as they are read. */
  @Override
  public void checkIntegrity() {}

  @Override
  public void close() {}
}
