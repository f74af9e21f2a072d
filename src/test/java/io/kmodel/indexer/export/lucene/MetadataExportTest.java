package io.kmodel.indexer.export.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.equality.MetadataEquality;
import io.kmodel.indexer.equality.NaiveIndex;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.equality.SampleMetadata;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import io.kmodel.indexer.export.lucene.version.LuceneVersion;
import io.kmodel.indexer.export.lucene.view.IndexLeafReader;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.ColumnValues;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Columns in Lucene find and sort what IndexWriter's KeywordField, LongField, DoubleField do. */
class MetadataExportTest extends IndexToExport {
  private static final int DOCUMENTS = Tier.pick(4500, 20_000);

  private InvertedIndex index(Schema schema, List<ParsedDocument> documents) throws IOException {
    Path ours = directory.resolve("ours");
    NaiveIndex.write(ours, schema, new StandardAnalyzer(), documents);
    return InvertedIndex.open(ours);
  }

  /** The metadata alone, in the fields that Lucene recommends. */
  private static DirectoryReader reference(List<ParsedDocument> documents) throws IOException {
    Directory lucene = new ByteBuffersDirectory();
    IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(new LogDocMergePolicy());
    try (IndexWriter writer = new IndexWriter(lucene, config)) {
      for (ParsedDocument document : documents) {
        Document fields = new Document();
        for (int i = 0; i < SampleMetadata.COLUMNS.size(); i++) {
          if (document.values().has(i)) {
            fields.add(field(SampleMetadata.COLUMNS.get(i), document.values(), i));
          }
        }
        writer.addDocument(fields);
      }
    }
    return DirectoryReader.open(lucene);
  }

  private static IndexableField field(Column column, ColumnValues values, int i) {
    String name = column.name();
    return switch (column.type()) {
      case STRING -> new KeywordField(name, values.string(i), Field.Store.NO);
      case INT, DATE -> new LongField(name, values.number(i), Field.Store.NO);
      case DOUBLE -> new DoubleField(name, ColumnType.number(values.number(i)), Field.Store.NO);
    };
  }

  private static List<ParsedDocument> documents() {
    return SampleMetadata.with(SampleDocuments.random(5, DOCUMENTS, 3), 5);
  }

  @ParameterizedTest
  @EnumSource(
      value = Stored.class,
      names = {"NOTHING", "IDS"})
  void whatIsFoundAndItsOrderIsThatOfIndexWriter(Stored stored) throws Exception {
    Schema schema = Schemas.of(Detail.POSITIONS, stored).withColumns(SampleMetadata.COLUMNS);
    List<ParsedDocument> documents = documents();
    try (InvertedIndex index = index(schema, documents);
        DirectoryReader expected = reference(documents)) {
      for (int segments : new int[] {1, 3}) {
        Path target = directory.resolve("lucene" + segments);
        ExportOptions options = new ExportOptions(segments, 2, IndexCheck.SLOW);
        LuceneExporter.export(index, target, options);
        try (FSDirectory files = FSDirectory.open(target);
            DirectoryReader found = DirectoryReader.open(files)) {
          MetadataEquality.assertSame(expected, found, SampleMetadata.COLUMNS);
        }
      }
      try (IndexLeafReader view = new IndexLeafReader(index)) {
        MetadataEquality.assertSame(expected, view, SampleMetadata.COLUMNS);
      }
    }
  }

  /** Most segments lack some of the columns. */
  @ParameterizedTest
  @EnumSource(
      names = {"NEWEST", "V9_9"},
      value = LuceneVersion.class)
  void segmentsWithoutValuesAreSound(LuceneVersion version) throws Exception {
    Schema schema = Schemas.of(Detail.POSITIONS, Stored.IDS).withColumns(SampleMetadata.COLUMNS);
    List<ParsedDocument> documents = documents().subList(0, 20);
    try (InvertedIndex index = index(schema, documents)) {
      ExportOptions options =
          new ExportOptions(20, 2, IndexCheck.SLOW, ExportCodec.BEST_SPEED, version);
      ExportResult result = LuceneExporter.export(index, directory.resolve("lucene"), options);
      assertThat(result.segments()).isEqualTo(20);
    }
  }
}
