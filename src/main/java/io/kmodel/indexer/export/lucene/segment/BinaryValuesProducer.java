package io.kmodel.indexer.export.lucene.segment;

import java.io.IOException;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.jspecify.annotations.Nullable;

/**
 * Passes the values of the only field with doc values to Lucene's writers, as often as they ask.
 */
final class BinaryValuesProducer extends DocValuesProducer {
  /** Opens the values. */
  @FunctionalInterface
  interface Source {
    BinaryDocValues open() throws IOException;
  }

  private final Source source;

  BinaryValuesProducer(Source source) {
    this.source = source;
  }

  @Override
  public BinaryDocValues getBinary(FieldInfo field) throws IOException {
    return source.open();
  }

  @Override
  public NumericDocValues getNumeric(FieldInfo field) {
    throw unsupported(field);
  }

  @Override
  public SortedDocValues getSorted(FieldInfo field) {
    throw unsupported(field);
  }

  @Override
  public SortedNumericDocValues getSortedNumeric(FieldInfo field) {
    throw unsupported(field);
  }

  @Override
  public SortedSetDocValues getSortedSet(FieldInfo field) {
    throw unsupported(field);
  }

  @Override
  public @Nullable DocValuesSkipper getSkipper(FieldInfo field) {
    return null;
  }

  private static UnsupportedOperationException unsupported(FieldInfo field) {
    return new UnsupportedOperationException(
        "field '%s' has doc values of type %s".formatted(field.name, field.getDocValuesType()));
  }

  /** Nothing to do: values are checked as they are read. */
  @Override
  public void checkIntegrity() {}

  @Override
  public void close() {}
}
