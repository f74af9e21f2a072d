package io.kmodel.indexer.export.lucene.schema;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexOptions;
import org.jspecify.annotations.Nullable;

/**
 * Maps a schema to Lucene's fields. Indexed fields keep their names and are numbered by their
 * ordinals. A keyword corresponds to Lucene's StringField, a tokenized field to TextField, a field
 * that is not indexed to StoredField. {@value Schema#ID}, if stored, also has binary doc values.
 * The stored text of {@value Schema#CONTENTS} becomes a separate field, {@value #RAW}, as in
 * Anserini; other stored fields keep their names. The field of a column of strings also has sorted
 * doc values, as KeywordField has; a column of numbers is a field with numeric doc values and a
 * point, as LongField and DoubleField have. Immutable, except for attributes that Lucene's codecs
 * put into a {@link FieldInfo}.
 */
public final class LuceneFields {
  /** The stored text of {@value Schema#CONTENTS}. */
  static final String RAW = Schema.RAW;

  /** A stored field: its ordinal in the schema and its Lucene field. */
  public record Stored(int ordinal, FieldInfo info) {}

  /** A column: its index in the schema and its Lucene field. */
  public record OfColumn(int column, FieldInfo info) {}

  private final FieldInfos infos;
  private final ImmutableList<Stored> stored;
  private final ImmutableList<OfColumn> columns;

  public LuceneFields(Schema schema) {
    this(schema, ImmutableSet.of());
  }

  /**
   * The fields of an index with term vectors.
   *
   * @param vectors names of the fields of text that have them
   */
  public LuceneFields(Schema schema, ImmutableSet<String> vectors) {
    List<FieldInfo> all = new ArrayList<>();
    for (Field field : schema.fields()) {
      if (vectors.contains(field.name())) {
        all.add(AnyVersion.withVectors(field.name(), all.size(), indexOptions(field)));
        continue;
      }
      DocValuesType values = hasValues(field) ? DocValuesType.BINARY : DocValuesType.NONE;
      boolean isColumn = schema.findColumn(field.name()) >= 0;
      all.add(
          AnyVersion.field(
              field.name(),
              all.size(),
              indexOptions(field),
              field.isKeyword(),
              isColumn ? DocValuesType.SORTED : values));
    }
    int contents = schema.find(Schema.CONTENTS);
    boolean raw = contents >= 0 && schema.field(contents).stored();
    if (raw) {
      if (schema.find(RAW) >= 0) {
        throw new IllegalArgumentException(
            "a schema that stores '%s' must not have a field '%s': %s"
                .formatted(Schema.CONTENTS, RAW, schema.fields()));
      }
      all.add(AnyVersion.field(RAW, all.size(), IndexOptions.NONE, false, DocValuesType.NONE));
    }
    columns = columns(schema, all);
    infos = new FieldInfos(all.toArray(FieldInfo[]::new));
    stored = stored(schema, all, raw ? contents : -1);
  }

  /** Lucene's fields; each reader needs a separate instance, because codecs write attributes. */
  public FieldInfos infos() {
    return infos;
  }

  /** Stored fields in the order in which Lucene receives them: schema order, {@value #RAW} last. */
  public ImmutableList<Stored> stored() {
    return stored;
  }

  /** The columns, in the order of the schema. */
  public ImmutableList<OfColumn> columns() {
    return columns;
  }

  /** The index of a column in the schema, or -1 if there is no column of that name. */
  public int column(String name) {
    for (OfColumn column : columns) {
      if (column.info().name.equals(name)) {
        return column.column();
      }
    }
    return -1;
  }

  /** The field whose stored text becomes doc values; null if there is none. */
  @Nullable
  public Stored values() {
    return stored.stream()
        .filter(field -> field.info().getDocValuesType() == DocValuesType.BINARY)
        .findFirst()
        .orElse(null);
  }

  private static boolean hasValues(Field field) {
    return field.name().equals(Schema.ID) && field.stored() && !field.tokenized();
  }

  static IndexOptions indexOptions(Field field) {
    if (field.tokenized() && field.detail() == Detail.DOCUMENTS) {
      // Lucene's norm of such a field counts distinct terms, unlike a length.
      throw new IllegalArgumentException(
          "field '%s': a tokenized field must record frequencies; got %s"
              .formatted(field.name(), field.detail()));
    }
    return switch (field.detail()) {
      case NONE -> IndexOptions.NONE;
      case DOCUMENTS -> IndexOptions.DOCS;
      case FREQUENCIES, IMPACTS -> IndexOptions.DOCS_AND_FREQS;
      case POSITIONS -> IndexOptions.DOCS_AND_FREQS_AND_POSITIONS;
      case OFFSETS -> IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS;
    };
  }

  /** Maps the columns, and adds the fields of those of numbers. */
  private static ImmutableList<OfColumn> columns(Schema schema, List<FieldInfo> all) {
    ImmutableList.Builder<OfColumn> columns = ImmutableList.builder();
    for (int i = 0; i < schema.columns().size(); i++) {
      Column column = schema.columns().get(i);
      if (column.type().isNumber()) {
        all.add(AnyVersion.number(column.name(), all.size(), DocValuesType.NUMERIC));
        columns.add(new OfColumn(i, all.getLast()));
      } else {
        columns.add(new OfColumn(i, all.get(schema.ordinal(column.name()))));
      }
    }
    return columns.build();
  }

  private static ImmutableList<Stored> stored(Schema schema, List<FieldInfo> all, int contents) {
    ImmutableList.Builder<Stored> result = ImmutableList.builder();
    for (int ordinal = 0; ordinal < schema.size(); ordinal++) {
      if (schema.field(ordinal).stored() && ordinal != contents) {
        result.add(new Stored(ordinal, all.get(ordinal)));
      }
    }
    if (contents >= 0) {
      result.add(new Stored(contents, all.get(schema.size())));
    }
    return result.build();
  }
}
