package io.kmodel.indexer.export.lucene;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.index.Field;
import io.kmodel.indexer.index.Schema;
import java.io.IOException;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.util.FixedBitSet;

/**
 * What lengths tell of a segment's documents: their norms, to Lucene's writers, and which fields
 * have terms. Safe for many threads.
 */
final class SegmentNorms extends NormsProducer {
  private final Schema schema;
  private final DocumentLengths lengths;

  SegmentNorms(Schema schema, DocumentLengths lengths) {
    this.schema = schema;
    this.lengths = lengths;
  }

  @Override
  public NumericDocValues getNorms(FieldInfo field) {
    return new LengthNorms(lengths, schema.ordinal(field.name));
  }

  /** Sets the bits of the documents that have a term in a field. */
  void markDocuments(FieldInfo field, FixedBitSet documents) throws IOException {
    int ordinal = schema.ordinal(field.name);
    if (!schema.field(ordinal).tokenized()) {
      documents.set(0, lengths.count());
      return;
    }
    for (int docId = 0; docId < lengths.count(); docId++) {
      if (lengths.length(ordinal, docId) > 0) {
        documents.set(docId);
      }
    }
  }

  /** The fields in which any document has a term, in the order of the schema. */
  ImmutableList<Field> fieldsWithTerms() throws IOException {
    ImmutableList.Builder<Field> fields = ImmutableList.builder();
    for (int ordinal = 0; ordinal < schema.size(); ordinal++) {
      if (hasTerms(ordinal)) {
        fields.add(schema.field(ordinal));
      }
    }
    return fields.build();
  }

  /** Reads no further than to the first document that has a term. */
  private boolean hasTerms(int ordinal) throws IOException {
    Field field = schema.field(ordinal);
    if (!field.tokenized()) {
      return field.detail().isIndexed() && lengths.count() > 0;
    }
    for (int docId = 0; docId < lengths.count(); docId++) {
      if (lengths.length(ordinal, docId) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Lengths are checked as they are read. */
  @Override
  public void checkIntegrity() {}

  @Override
  public void close() {}
}
