package io.kmodel.indexer.equality;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.NoMergePolicy;
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

  /** The same of segments that have so many documents each. */
  static DirectoryReader inSegments(
      Schema schema, Analyzer analyzer, List<ParsedDocument> documents, int... sizes)
      throws IOException {
    Directory directory = new ByteBuffersDirectory();
    IndexWriterConfig config =
        new IndexWriterConfig(analyzer).setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      int from = 0;
      for (int size : sizes) {
        for (ParsedDocument document : documents.subList(from, from + size)) {
          writer.addDocument(lucene(schema, document));
        }
        writer.flush();
        from += size;
      }
      writer.commit();
    }
    return DirectoryReader.open(directory);
  }

  /** Writes and commits an index whose docIDs are the documents' order, a file for each part. */
  public static void write(
      Directory directory, Schema schema, Analyzer analyzer, Iterable<ParsedDocument> documents)
      throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(analyzer)
            .setMergePolicy(new LogDocMergePolicy())
            .setUseCompoundFile(false);
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
    for (io.kmodel.indexer.index.model.Field field : schema.fields()) {
      String name = field.name();
      if (!field.detail().isIndexed()) {
        lucene.add(new StoredField(name, document.text(name).string()));
      } else if (field.tokenized()) {
        boolean stored = field.stored() && !name.equals(Schema.CONTENTS);
        lucene.add(new Field(name, document.text(name).string(), textType(field.detail(), stored)));
      } else if (schema.findColumn(name) < 0) {
        addId(field.stored(), document.id(), lucene);
      } else if (document.values().has(schema.findColumn(name))) {
        addString(name, document.values().string(schema.findColumn(name)), lucene);
      }
    }
    int contents = schema.find(Schema.CONTENTS);
    if (contents >= 0 && schema.field(contents).stored()) {
      lucene.add(new StoredField("raw", document.contents()));
    }
    for (int i = 0; i < schema.columns().size(); i++) {
      if (schema.columns().get(i).type().isNumber() && document.values().has(i)) {
        addNumber(schema.columns().get(i).name(), document.values().number(i), lucene);
      }
    }
    return lucene;
  }

  private static void addString(String name, String value, Document lucene) {
    lucene.add(new StringField(name, value, Field.Store.NO));
    lucene.add(new SortedDocValuesField(name, new BytesRef(value)));
  }

  /** A double's long is a point and a value as the double itself is. */
  private static void addNumber(String name, long value, Document lucene) {
    lucene.add(new LongPoint(name, value));
    lucene.add(new NumericDocValuesField(name, value));
  }

  private static void addId(boolean stored, String id, Document lucene) {
    lucene.add(new StringField(Schema.ID, id, stored ? Field.Store.YES : Field.Store.NO));
    if (stored) {
      lucene.add(new BinaryDocValuesField(Schema.ID, new BytesRef(id)));
    }
  }

  private static FieldType textType(Detail detail, boolean stored) {
    FieldType type = new FieldType(stored ? TextField.TYPE_STORED : TextField.TYPE_NOT_STORED);
    if (!detail.hasPositions()) {
      type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    } else if (detail.hasOffsets()) {
      type.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS);
    }
    type.freeze();
    return type;
  }
}
