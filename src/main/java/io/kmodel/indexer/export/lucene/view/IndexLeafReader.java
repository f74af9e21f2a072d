package io.kmodel.indexer.export.lucene.view;

import io.kmodel.indexer.export.lucene.schema.AnyVersion;
import io.kmodel.indexer.export.lucene.schema.DocumentRange;
import io.kmodel.indexer.export.lucene.schema.LengthNorms;
import io.kmodel.indexer.export.lucene.schema.LuceneFields;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.verify.IndexVerifier;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.ByteVectorValues;
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.LeafMetaData;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.TermVectors;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.AcceptDocs;
import org.apache.lucene.search.KnnCollector;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;

/**
 * This program's index as one segment of Lucene. Terms, statistics, postings, norms and stored
 * fields equal those of a segment that IndexWriter makes of documents with every field, empty or
 * not. Doc values are read from the stored ids, and with points from columns of metadata. No
 * deletions, vectors or term vectors.
 *
 * <p>The caller keeps ownership of the index, and closes it after this reader. Memory: one reader
 * of stored documents per thread that reads any; those of ended threads are closed when another
 * thread comes. Lucene's query cache does not cache this reader. Thread-safe; the objects it
 * returns are not.
 */
public final class IndexLeafReader extends LeafReader {
  private final InvertedIndex index;
  private final LuceneFields fields;
  private final ColumnRange columns;
  private final ConcurrentMap<Thread, StoredTexts> documents = new ConcurrentHashMap<>();

  public IndexLeafReader(InvertedIndex index) {
    this.index = index;
    this.fields = new LuceneFields(index.schema());
    this.columns = new ColumnRange(index.columns(), new DocumentRange(0, index.documentCount()));
  }

  @Override
  public @Nullable Terms terms(String field) throws IOException {
    ensureOpen();
    int ordinal = index.schema().find(field);
    if (ordinal < 0 || index.statistics(ordinal).terms() == 0) {
      return null;
    }
    return new IndexTerms(index, ordinal);
  }

  @Override
  public @Nullable NumericDocValues getNormValues(String field) throws IOException {
    ensureOpen();
    int ordinal = index.schema().find(field);
    if (ordinal < 0 || !index.schema().field(ordinal).tokenized()) {
      return null;
    }
    return new LengthNorms(new IndexLengths(index, new DocumentRange(0, maxDoc())), ordinal);
  }

  @Override
  public StoredFields storedFields() throws IOException {
    ensureOpen();
    return new IndexStoredFields(documentsOfThisThread(), fields, maxDoc());
  }

  /** Reads and checks every file of the index. */
  @Override
  public void checkIntegrity() throws IOException {
    ensureOpen();
    IndexVerifier.verify(index.directory(), ProgressListener.NONE);
  }

  @Override
  public FieldInfos getFieldInfos() {
    return fields.infos();
  }

  @Override
  public int maxDoc() {
    return index.documentCount();
  }

  @Override
  public int numDocs() {
    return index.documentCount();
  }

  @Override
  public @Nullable Bits getLiveDocs() {
    return null;
  }

  @Override
  public LeafMetaData getMetaData() {
    return AnyVersion.metadata();
  }

  /** Null, because only Lucene's own package can create a cache key. */
  @Override
  public @Nullable CacheHelper getCoreCacheHelper() {
    return null;
  }

  @Override
  public @Nullable CacheHelper getReaderCacheHelper() {
    return null;
  }

  @Override
  public TermVectors termVectors() {
    ensureOpen();
    return TermVectors.EMPTY;
  }

  @Override
  public @Nullable NumericDocValues getNumericDocValues(String field) throws IOException {
    ensureOpen();
    int column = column(field, true);
    return column < 0 ? null : columns.numbers(column);
  }

  /** The index of a column of numbers, or of strings; -1 if the index lacks it. */
  private int column(String field, boolean ofNumbers) {
    int column = index.schema().findColumn(field);
    return column >= 0 && index.schema().columns().get(column).type().isNumber() == ofNumbers
        ? column
        : -1;
  }

  @Override
  public @Nullable BinaryDocValues getBinaryDocValues(String field) throws IOException {
    ensureOpen();
    LuceneFields.Stored id = fields.values();
    if (id == null || !id.info().name.equals(field)) {
      return null;
    }
    return new IdValues(documentsOfThisThread(), id.ordinal(), maxDoc());
  }

  @Override
  public @Nullable SortedDocValues getSortedDocValues(String field) throws IOException {
    ensureOpen();
    int column = column(field, false);
    return column < 0 ? null : columns.strings(column);
  }

  @Override
  public @Nullable SortedNumericDocValues getSortedNumericDocValues(String field) {
    return null;
  }

  @Override
  public @Nullable SortedSetDocValues getSortedSetDocValues(String field) {
    return null;
  }

  @Override
  public @Nullable DocValuesSkipper getDocValuesSkipper(String field) {
    return null;
  }

  @Override
  public @Nullable PointValues getPointValues(String field) throws IOException {
    ensureOpen();
    int column = column(field, true);
    return column < 0 || index.metadata().columns().get(column).documents() == 0
        ? null
        : columns.points(column);
  }

  @Override
  public @Nullable FloatVectorValues getFloatVectorValues(String field) {
    return null;
  }

  @Override
  public @Nullable ByteVectorValues getByteVectorValues(String field) {
    return null;
  }

  @Override
  public void searchNearestVectors(
      String field, float[] target, KnnCollector collector, AcceptDocs acceptDocs) {}

  @Override
  public void searchNearestVectors(
      String field, byte[] target, KnnCollector collector, AcceptDocs acceptDocs) {}

  @Override
  public String toString() {
    return "IndexLeafReader(" + index.directory() + ", " + maxDoc() + " documents)";
  }

  @Override
  protected void doClose() {
    documents.keySet().forEach(this::closeReaderOf);
  }

  /** Number of open readers of stored documents. */
  int documentReaders() {
    return documents.size();
  }

  private StoredTexts documentsOfThisThread() throws IOException {
    Thread thread = Thread.currentThread();
    StoredTexts reader = documents.get(thread);
    if (reader == null) {
      for (Thread other : documents.keySet()) {
        if (!other.isAlive()) {
          closeReaderOf(other);
        }
      }
      reader = index.documents();
      documents.put(thread, reader);
    }
    return reader;
  }

  private void closeReaderOf(Thread thread) {
    StoredTexts reader = documents.remove(thread);
    if (reader != null) {
      reader.close();
    }
  }
}
