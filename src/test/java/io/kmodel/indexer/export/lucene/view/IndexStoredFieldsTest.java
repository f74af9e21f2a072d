package io.kmodel.indexer.export.lucene.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.equality.NaiveIndex;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.export.lucene.schema.LuceneFields;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexStoredFieldsTest {
  @TempDir Path directory;

  @Test
  void whoHasSeenEnoughIsShownNoMore() throws Exception {
    NaiveIndex.write(
        directory.resolve("index"),
        Schemas.of(Detail.POSITIONS, Stored.CONTENTS),
        new StandardAnalyzer(),
        List.of(new ParsedDocument("a", "title", "contents")));
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("index"));
        IndexLeafReader reader = new IndexLeafReader(index)) {
      StoredFields fields = reader.storedFields();
      assertThat(fields.document(0).getFields()).hasSize(3);
      List<String> asked = new ArrayList<>();
      fields.document(
          0,
          new StoredFieldVisitor() {
            @Override
            public Status needsField(FieldInfo field) {
              asked.add(field.name);
              return Status.STOP;
            }
          });
      assertThat(asked).hasSize(1);
      assertThatThrownBy(() -> fields.document(1))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage("docID 1 is out of range; the reader has 1 documents");
    }
  }

  /** As in a server with a thread for each request. */
  @Test
  void readersOfThreadsThatHaveEndedAreClosed() throws Exception {
    NaiveIndex.write(
        directory.resolve("index"),
        Schemas.of(Detail.POSITIONS, Stored.CONTENTS),
        new StandardAnalyzer(),
        List.of(new ParsedDocument("a", "title", "contents")));
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("index"));
        IndexLeafReader reader = new IndexLeafReader(index)) {
      assertThat(reader.storedFields().document(0).getFields()).hasSize(3);
      for (int i = 0; i < 20; i++) {
        FutureTask<Integer> task =
            new FutureTask<>(() -> reader.storedFields().document(0).getFields().size());
        Thread thread =
            i % 2 == 0 ? Thread.startVirtualThread(task) : Thread.ofPlatform().start(task);
        thread.join();
        assertThat(task.get()).isEqualTo(3);
        assertThat(reader.documentReaders()).isEqualTo(2);
      }
      assertThat(reader.storedFields().document(0).getFields()).hasSize(3);
      assertThat(reader.documentReaders()).isEqualTo(2);
    }
  }

  @Test
  void onlyTheDocumentsOfTheIndexCanBeRead() throws Exception {
    Schema schema = Schemas.of(Detail.POSITIONS, Stored.CONTENTS);
    NaiveIndex.write(
        directory.resolve("index"),
        schema,
        new StandardAnalyzer(),
        List.of(new ParsedDocument("a", "first", "one"), new ParsedDocument("b", "second", "two")));
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("index"))) {
      IndexStoredFields fields =
          new IndexStoredFields(index.documents(), new LuceneFields(schema), 2);
      assertThat(fields.document(0).get("id")).isEqualTo("a");
      assertThat(fields.document(1).get("title")).isEqualTo("second");
      assertThatThrownBy(() -> fields.document(-1)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> fields.document(2))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage("docID 2 is out of range; the reader has 2 documents");
      assertThat(fields.document(0, Set.of("id")).getFields())
          .as("no other field")
          .singleElement()
          .extracting(IndexableField::stringValue)
          .isEqualTo("a");
    }
  }
}
