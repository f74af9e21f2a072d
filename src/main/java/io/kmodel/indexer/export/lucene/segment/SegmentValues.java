package io.kmodel.indexer.export.lucene.segment;

import io.kmodel.indexer.export.lucene.schema.LuceneFields;
import io.kmodel.indexer.export.lucene.view.ColumnRange;
import java.io.IOException;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.DocValuesConsumer;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.codecs.PointsReader;
import org.apache.lucene.codecs.PointsWriter;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.jspecify.annotations.Nullable;

/**
 * Writes the doc values and points of a segment through Lucene's codec: ids, and columns of
 * metadata. Points need up to 16 MiB of heap, and temporary files if they exceed that.
 */
final class SegmentValues extends DocValuesProducer {
  private final LuceneFields fields;
  private final @Nullable IdSpool ids;
  private final @Nullable ColumnRange columns;

  /**
   * The values of a segment.
   *
   * @param ids null if ids have no doc values
   * @param columns null if the schema has no columns
   */
  SegmentValues(LuceneFields fields, @Nullable IdSpool ids, @Nullable ColumnRange columns) {
    this.fields = fields;
    this.ids = ids;
    this.columns = columns;
    if (columns == null && !fields.columns().isEmpty()) {
      throw new IllegalStateException("the segment has no values of its columns");
    }
  }

  void write(Codec codec, SegmentWriteState state) throws IOException {
    LuceneFields.Stored id = fields.values();
    if (id != null || !fields.columns().isEmpty()) {
      try (DocValuesConsumer consumer = codec.docValuesFormat().fieldsConsumer(state)) {
        if (id != null) {
          consumer.addBinaryField(id.info(), this);
        }
        for (LuceneFields.OfColumn column : fields.columns()) {
          if (isNumber(column.info())) {
            consumer.addNumericField(column.info(), this);
          } else {
            consumer.addSortedField(column.info(), this);
          }
        }
      }
    }
    if (state.fieldInfos.hasPointValues()) {
      try (PointsWriter writer = codec.pointsFormat().fieldsWriter(state)) {
        for (LuceneFields.OfColumn column : fields.columns()) {
          if (isNumber(column.info())) {
            writePoints(column, writer);
          }
        }
        writer.finish();
      }
    }
  }

  private static boolean isNumber(FieldInfo info) {
    return info.getDocValuesType() == DocValuesType.NUMERIC;
  }

  private void writePoints(LuceneFields.OfColumn column, PointsWriter writer) throws IOException {
    PointValues points = range().points(column.column());
    if (points.size() > 0) {
      writer.writeField(column.info(), new OnePoints(points));
    }
  }

  private ColumnRange range() {
    ColumnRange range = columns;
    if (range == null) {
      throw new IllegalStateException("the segment has no columns");
    }
    return range;
  }

  @Override
  public BinaryDocValues getBinary(FieldInfo field) throws IOException {
    IdSpool spool = ids;
    if (spool == null) {
      throw unsupported(field);
    }
    return spool.values();
  }

  @Override
  public NumericDocValues getNumeric(FieldInfo field) throws IOException {
    return range().numbers(fields.column(field.name));
  }

  @Override
  public SortedDocValues getSorted(FieldInfo field) throws IOException {
    return range().strings(fields.column(field.name));
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

  /** The points of a field. */
  private static final class OnePoints extends PointsReader {
    private final PointValues points;

    OnePoints(PointValues points) {
      this.points = points;
    }

    @Override
    public PointValues getValues(String field) {
      return points;
    }

    @Override
    public void checkIntegrity() {}

    @Override
    public void close() {}
  }
}
