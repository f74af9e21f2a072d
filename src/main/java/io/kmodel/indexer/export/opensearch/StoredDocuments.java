package io.kmodel.indexer.export.opensearch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.kmodel.indexer.export.lucene.version.ShardDocuments;
import io.kmodel.indexer.export.ndjson.StoredJson;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The stored documents of an index for a shard. Memory: a block of documents, and one in JSON. */
final class StoredDocuments implements ShardDocuments, AutoCloseable {
  private static final JsonFactory JSON = new JsonFactory();

  private static final long PASSES = 3;
  private static final int REPORT_EVERY = 1 << 10;

  private final ProgressListener progress;
  private final long work;
  private final Schema schema;
  private final StoredJson stored;
  private final StoredTexts texts;
  private final int id;
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();
  private long read;

  /**
   * Opens the documents.
   *
   * @param progress gets the number of ids that were read, which are two thirds of the work: each
   *     is read twice, and the terms follow
   */
  StoredDocuments(InvertedIndex index, ProgressListener progress) throws IOException {
    this.progress = progress;
    this.work = PASSES * index.documentCount();
    this.schema = index.schema();
    this.texts = index.documents();
    this.stored = new StoredJson(index, texts);
    this.id = schema.ordinal(Schema.ID);
  }

  @Override
  public byte[] id(int docId) throws IOException {
    if (read++ % REPORT_EVERY == 0) {
      progress.progress(read, work);
    }
    return EncodedId.of(texts.text(docId, id));
  }

  @Override
  public byte @Nullable [] source(int docId) throws IOException {
    if (!StoredJson.hasMembers(schema)) {
      return null;
    }
    buffer.reset();
    try (JsonGenerator json = JSON.createGenerator(buffer)) {
      stored.write(docId, json);
    }
    return buffer.toByteArray();
  }

  /** Reports the end of the work. */
  void finish() {
    progress.progress(work, work);
  }

  @Override
  public void close() {
    texts.close();
  }
}
