package io.kmodel.indexer.experiment.race;

import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import java.io.IOException;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.util.BytesRef;

/** How one thread gives its documents to Lucene's IndexWriter. */
interface LuceneFeed {
  void add(ParsedDocument document) throws IOException;

  /** Adds the documents held back. */
  void end() throws IOException;

  /** One document at a time, whose object and fields are reused. */
  final class Documents implements LuceneFeed {
    private final IndexWriter writer;
    private final Document document = new Document();
    private final StringField id = new StringField(Schema.ID, "", Field.Store.YES);
    private final BinaryDocValuesField idValue =
        new BinaryDocValuesField(Schema.ID, new BytesRef());
    private final TextField title = new TextField(Schema.TITLE, "", Field.Store.NO);
    private final TextField contents = new TextField(Schema.CONTENTS, "", Field.Store.NO);

    Documents(IndexWriter writer) {
      this.writer = writer;
      document.add(id);
      document.add(idValue);
      document.add(title);
      document.add(contents);
    }

    @Override
    public void add(ParsedDocument parsed) throws IOException {
      id.setStringValue(parsed.id());
      idValue.setBytesValue(new BytesRef(parsed.id()));
      title.setStringValue(parsed.title());
      contents.setStringValue(parsed.contents());
      writer.addDocument(document);
    }

    @Override
    public void end() {}
  }
}
