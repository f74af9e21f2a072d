package io.kmodel.indexer.export.lucene.plain;

import io.kmodel.indexer.export.lucene.version.ShardDocuments;
import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/**
 * The fields by which OpenSearch recognizes documents and their versions, as an index of one
 * segment: {@value #ID}, {@value #SEQUENCE}, {@value #TERM}, {@value #VERSION}. Lucene sorts the
 * ids. Every document is new: its operation has the number of the document.
 */
final class ShardKeys {
  static final String ID = "_id";
  private static final String SEQUENCE = "_seq_no";
  private static final String TERM = "_primary_term";
  private static final String VERSION = "_version";

  private ShardKeys() {}

  /** Writes the index into an empty directory, by one thread. Memory: Lucene's buffer. */
  static void write(Directory directory, int count, ShardDocuments documents) throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setUseCompoundFile(false)
            // Keeps the order of documents.
            .setMergePolicy(new LogDocMergePolicy())
            .setMergeScheduler(new SerialMergeScheduler());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int docId = 0; docId < count; docId++) {
        Interruption.requireNone();
        Document keys = new Document();
        keys.add(new StringField(ID, new BytesRef(documents.id(docId)), Field.Store.NO));
        keys.add(new LongPoint(SEQUENCE, docId));
        keys.add(new NumericDocValuesField(SEQUENCE, docId));
        keys.add(new NumericDocValuesField(TERM, 1));
        keys.add(new NumericDocValuesField(VERSION, 1));
        writer.addDocument(keys);
      }
      writer.forceMerge(1);
    }
  }
}
