package io.kmodel.indexer.equality;

import io.kmodel.indexer.index.Detail;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import java.io.IOException;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/** What Lucene's own IndexWriter makes of documents: the oracle of everything here. */
public final class ReferenceIndex {
  private ReferenceIndex() {}

  /** An index in memory; closing the reader frees it. */
  public static DirectoryReader inMemory(
      Schema schema, Analyzer analyzer, Iterable<ParsedDocument> documents) throws IOException {
    Directory directory = new ByteBuffersDirectory();
    write(directory, schema, analyzer, documents);
    return DirectoryReader.open(directory);
  }

  /** Writes and commits an index whose docIDs are the documents' order. */
  public static void write(
      Directory directory, Schema schema, Analyzer analyzer, Iterable<ParsedDocument> documents)
      throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(analyzer).setMergePolicy(new LogDocMergePolicy());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (ParsedDocument document : documents) {
        writer.addDocument(lucene(schema, document));
      }
      writer.commit();
    }
  }

  /** A document as its schema has it, every field added, empty or not. */
  private static Document lucene(Schema schema, ParsedDocument document) {
    Document lucene = new Document();
    boolean id = schema.field(schema.ordinal(Schema.ID)).stored();
    lucene.add(new StringField(Schema.ID, document.id(), id ? Field.Store.YES : Field.Store.NO));
    if (id) {
      lucene.add(new BinaryDocValuesField(Schema.ID, new BytesRef(document.id())));
    }
    var title = schema.field(schema.ordinal(Schema.TITLE));
    lucene.add(new Field(Schema.TITLE, document.title(), textType(title.detail(), title.stored())));
    var contents = schema.field(schema.ordinal(Schema.CONTENTS));
    lucene.add(new Field(Schema.CONTENTS, document.contents(), textType(contents.detail(), false)));
    if (contents.stored()) {
      lucene.add(new StoredField("raw", document.contents()));
    }
    return lucene;
  }

  private static FieldType textType(Detail detail, boolean stored) {
    FieldType type = new FieldType(stored ? TextField.TYPE_STORED : TextField.TYPE_NOT_STORED);
    if (!detail.hasPositions()) {
      type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    }
    type.freeze();
    return type;
  }
}
