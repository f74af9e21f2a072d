package io.kmodel.indexer.export.lucene.schema;

import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexOptions;

/**
 * Maps a schema to the fields of a shard of OpenSearch, where the id is in another field, and
 * columns have the types of doc values that allow several values in a document.
 */
public final class ShardFields {
  /** The field with documents in JSON, which is only stored. */
  public static final String SOURCE = "_source";

  private ShardFields() {}

  /**
   * The fields of a shard.
   *
   * @param keys those that OpenSearch adds to the fields of documents, without {@value #SOURCE}
   */
  public static FieldInfos of(FieldInfos keys, Schema schema) {
    List<FieldInfo> all = new ArrayList<>();
    keys.forEach(all::add);
    all.add(AnyVersion.field(SOURCE, all.size(), IndexOptions.NONE, false, DocValuesType.NONE));
    for (Field field : schema.fields()) {
      if (field.tokenized()) {
        all.add(
            AnyVersion.field(
                field.name(),
                all.size(),
                LuceneFields.indexOptions(field),
                false,
                DocValuesType.NONE));
      } else if (schema.findColumn(field.name()) >= 0) {
        all.add(
            AnyVersion.field(
                field.name(), all.size(), IndexOptions.DOCS, true, DocValuesType.SORTED_SET));
      }
    }
    for (Column column : schema.columns()) {
      if (column.type().isNumber()) {
        all.add(AnyVersion.number(column.name(), all.size(), DocValuesType.SORTED_NUMERIC));
      }
    }
    return new FieldInfos(all.toArray(FieldInfo[]::new));
  }
}
