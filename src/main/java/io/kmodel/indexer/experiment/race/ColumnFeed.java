package io.kmodel.indexer.experiment.race;

import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.document.column.BinaryColumn;
import org.apache.lucene.document.column.BytesRefValuesCursor;
import org.apache.lucene.document.column.Column;
import org.apache.lucene.document.column.ColumnBatch;
import org.apache.lucene.document.column.ObjectTupleCursor;
import org.apache.lucene.document.column.TokenStreamColumn;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;

/**
 * Documents in batches of columns, Lucene 10.6's bulk API ({@link IndexWriter#addBatch}). A batch
 * holds at most {@value #MOST_DOCUMENTS} documents or {@value #MOST_CHARACTERS} characters.
 */
final class ColumnFeed implements LuceneFeed {
  private static final int MOST_DOCUMENTS = 1024;
  private static final int MOST_CHARACTERS = 1 << 20;

  private static final FieldType ID = idType();

  private final IndexWriter writer;
  private final Analyzer analyzer;
  private final List<BytesRef> ids = new ArrayList<>();
  private final List<String> titles = new ArrayList<>();
  private final List<String> contents = new ArrayList<>();
  private int characters;

  ColumnFeed(IndexWriter writer) {
    this.writer = writer;
    this.analyzer = writer.getAnalyzer();
  }

  private static FieldType idType() {
    FieldType type = new FieldType(StringField.TYPE_STORED);
    type.setDocValuesType(DocValuesType.BINARY);
    type.freeze();
    return type;
  }

  @Override
  public void add(ParsedDocument document) throws IOException {
    ids.add(new BytesRef(document.id()));
    titles.add(document.title());
    contents.add(document.contents());
    characters += document.title().length() + document.contents().length();
    if (ids.size() == MOST_DOCUMENTS || characters >= MOST_CHARACTERS) {
      end();
    }
  }

  @Override
  public void end() throws IOException {
    if (ids.isEmpty()) {
      return;
    }
    writer.addBatch(new Batch());
    ids.clear();
    titles.clear();
    contents.clear();
    characters = 0;
  }

  private final class Batch extends ColumnBatch {
    @Override
    public int numDocs() {
      return ids.size();
    }

    @Override
    public Iterable<Column> columns() {
      return List.of(
          new Ids(), new Texts(Schema.TITLE, titles), new Texts(Schema.CONTENTS, contents));
    }
  }

  private final class Ids extends BinaryColumn {
    Ids() {
      super(Schema.ID, ID, Density.DENSE);
    }

    @Override
    public ObjectTupleCursor<BytesRef> tuples() {
      return new Tuples<>(ids.size(), ids::get);
    }

    @Override
    public BytesRefValuesCursor values() {
      Iterator<BytesRef> values = ids.iterator();
      return new BytesRefValuesCursor(ids.size()) {
        @Override
        public BytesRef nextValue() {
          return values.next();
        }
      };
    }
  }

  private final class Texts extends TokenStreamColumn {
    private final List<String> texts;

    Texts(String field, List<String> texts) {
      super(field, TextField.TYPE_NOT_STORED, Density.DENSE);
      this.texts = texts;
    }

    @Override
    public ObjectTupleCursor<TokenStream> tuples() {
      return new Tuples<>(texts.size(), doc -> analyzer.tokenStream(name(), texts.get(doc)));
    }
  }

  /** A value for each document of the batch. */
  private static final class Tuples<T> extends ObjectTupleCursor<T> {
    private final int documents;
    private final IntFunction<T> values;
    private int document = -1;

    Tuples(int documents, IntFunction<T> values) {
      this.documents = documents;
      this.values = values;
    }

    @Override
    public int nextDoc() {
      return ++document < documents ? document : DocIdSetIterator.NO_MORE_DOCS;
    }

    @Override
    public T value() {
      return values.apply(document);
    }
  }
}
