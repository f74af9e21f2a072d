package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.StoredTexts;
import java.io.IOException;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.PointsReader;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.codecs.TermVectorsReader;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.LeafMetaData;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.Version;
import org.jspecify.annotations.Nullable;

/**
 * A range of the index's documents as a segment that Lucene's merger reads once, sequentially;
 * cannot be searched. Memory: the buffers of one {@link PostingsStream} and one reader of stored
 * documents. For use by one thread.
 */
final class RangeReader extends CodecReader {
  private final DocumentRange range;
  private final SegmentNorms norms;
  private final LuceneFields fields;
  private final StoredTexts documents;
  private final FieldsProducer postings;

  RangeReader(InvertedIndex index, DocumentRange range) throws IOException {
    this.range = range;
    this.norms = new SegmentNorms(index.schema(), new IndexLengths(index, range));
    this.fields = new LuceneFields(index.schema());
    this.postings = postings(index);
    try {
      this.documents = index.documents();
    } catch (IOException | RuntimeException e) {
      postings.close();
      throw e;
    }
  }

  private FieldsProducer postings(InvertedIndex index) throws IOException {
    PostingsStream stream = new PostingsStream(index.cursor(range.from()), range);
    try {
      return new StreamedFields(index.schema(), stream, norms);
    } catch (IOException | RuntimeException e) {
      stream.close();
      throw e;
    }
  }

  @Override
  public StoredFieldsReader getFieldsReader() {
    return new RangeStoredFields();
  }

  @Override
  public NormsProducer getNormsReader() {
    return norms;
  }

  @Override
  public FieldsProducer getPostingsReader() {
    return postings;
  }

  @Override
  public @Nullable TermVectorsReader getTermVectorsReader() {
    return null;
  }

  @Override
  public @Nullable DocValuesProducer getDocValuesReader() {
    LuceneFields.Stored id = fields.values();
    return id == null
        ? null
        : new BinaryValuesProducer(() -> new IdValues(documents, id.ordinal(), range));
  }

  @Override
  public @Nullable PointsReader getPointsReader() {
    return null;
  }

  @Override
  public @Nullable KnnVectorsReader getVectorReader() {
    return null;
  }

  @Override
  public FieldInfos getFieldInfos() {
    return fields.infos();
  }

  @Override
  public int maxDoc() {
    return range.size();
  }

  @Override
  public int numDocs() {
    return range.size();
  }

  @Override
  public @Nullable Bits getLiveDocs() {
    return null;
  }

  @Override
  public LeafMetaData getMetaData() {
    return new LeafMetaData(Version.LATEST.major, Version.LATEST, null, false);
  }

  @Override
  public @Nullable CacheHelper getCoreCacheHelper() {
    return null;
  }

  @Override
  public @Nullable CacheHelper getReaderCacheHelper() {
    return null;
  }

  /** Nothing to do: the cursor checks what it reads. */
  @Override
  public void checkIntegrity() {}

  @Override
  protected void doClose() throws IOException {
    try (postings) {
      documents.close();
    }
  }

  /** Stored fields of the range's documents. */
  private final class RangeStoredFields extends StoredFieldsReader {
    private final IndexStoredFields stored = new IndexStoredFields(documents, fields, range);

    @Override
    public void document(int docId, StoredFieldVisitor visitor) throws IOException {
      stored.document(docId, visitor);
    }

    @Override
    public StoredFieldsReader clone() {
      return new RangeStoredFields();
    }

    @Override
    public void checkIntegrity() {}

    @Override
    public void close() {}
  }
}
