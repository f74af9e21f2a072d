package io.kmodel.indexer.export.lucene.plain;

import io.kmodel.indexer.export.lucene.schema.ShardFields;
import io.kmodel.indexer.export.lucene.version.ShardDocuments;
import io.kmodel.indexer.export.lucene.view.IndexLeafReader;
import io.kmodel.indexer.index.InvertedIndex;
import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Terms;
import org.jspecify.annotations.Nullable;

/**
 * Our index with the fields of a shard: stored documents come from the caller, and the fields that
 * OpenSearch adds from an index of {@link ShardKeys}. Not thread-safe.
 */
final class ShardReader extends FilterLeafReader {
  private final LeafReader keys;
  private final ShardDocuments documents;
  private final FieldInfos infos;

  ShardReader(InvertedIndex index, LeafReader keys, ShardDocuments documents) {
    super(new IndexLeafReader(index));
    this.keys = keys;
    this.documents = documents;
    this.infos = ShardFields.of(keys.getFieldInfos(), index.schema());
  }

  @Override
  public FieldInfos getFieldInfos() {
    return infos;
  }

  @Override
  public @Nullable Terms terms(String field) throws IOException {
    return (field.equals(ShardKeys.ID) ? keys : in).terms(field);
  }

  @Override
  public @Nullable NumericDocValues getNumericDocValues(String field) throws IOException {
    return keys.getNumericDocValues(field);
  }

  @Override
  public @Nullable SortedDocValues getSortedDocValues(String field) {
    return null;
  }

  @Override
  public @Nullable SortedSetDocValues getSortedSetDocValues(String field) throws IOException {
    SortedDocValues values = in.getSortedDocValues(field);
    return values == null ? null : DocValues.singleton(values);
  }

  @Override
  public @Nullable SortedNumericDocValues getSortedNumericDocValues(String field)
      throws IOException {
    NumericDocValues values = in.getNumericDocValues(field);
    return values == null ? null : DocValues.singleton(values);
  }

  @Override
  public @Nullable PointValues getPointValues(String field) throws IOException {
    return (isKey(field) ? keys : in).getPointValues(field);
  }

  private boolean isKey(String field) {
    return keys.getFieldInfos().fieldInfo(field) != null;
  }

  @Override
  public StoredFields storedFields() {
    return new StoredFields() {
      @Override
      public void document(int docId, StoredFieldVisitor visitor) throws IOException {
        visit(ShardKeys.ID, documents.id(docId), visitor);
        byte[] source = documents.source(docId);
        if (source != null) {
          visit(ShardFields.SOURCE, source, visitor);
        }
      }
    };
  }

  private void visit(String field, byte[] value, StoredFieldVisitor visitor) throws IOException {
    if (visitor.needsField(infos.fieldInfo(field)) == StoredFieldVisitor.Status.YES) {
      visitor.binaryField(infos.fieldInfo(field), value);
    }
  }

  @Override
  public @Nullable CacheHelper getCoreCacheHelper() {
    return null;
  }

  @Override
  public @Nullable CacheHelper getReaderCacheHelper() {
    return null;
  }
}
