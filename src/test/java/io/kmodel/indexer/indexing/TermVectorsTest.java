package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.QuickEvery;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.analysis.AnalyzerChain;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.equality.IndexEquality;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.export.lucene.segment.ExportCodec;
import io.kmodel.indexer.export.lucene.version.LuceneVersion;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermVectors;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The term vectors of exports are those that IndexWriter stores of the same documents. */
class TermVectorsTest {
  @TempDir Path directory;
  private Path crawl = Path.of("");

  @BeforeEach
  void writeCrawl() throws IOException, InterruptedException {
    crawl = Files.createDirectory(directory.resolve("crawl"));
    List<ParsedDocument> documents = new ArrayList<>(SampleDocuments.awkward());
    documents.addAll(SampleDocuments.random(11, Tier.pick(300, 2000), 60));
    Crawls.write(crawl, documents);
  }

  @ParameterizedTest
  @QuickEvery(2)
  @CsvSource({
    "standard, POSITIONS",
    "english, OFFSETS",
    "standard, FREQUENCIES",
    "english, POSITIONS",
    "whitespace, OFFSETS",
    "german, POSITIONS",
    "standard, OFFSETS"
  })
  void vectorsEqualThoseOfIndexWriter(String analyzer, Detail detail) throws Exception {
    compare(IndexAnalysis.of(analyzer), detail);
  }

  /** Tokens of which several are at a position, and another analyzer for titles. */
  @ParameterizedTest
  @CsvSource({"POSITIONS", "OFFSETS"})
  void tokensMayShareAPosition(Detail detail) throws Exception {
    Path chain =
        Files.writeString(
            directory.resolve("chain.properties"),
            """
            analyzer.tokenizer = whitespace
            analyzer.filter.1 = lowercase
            analyzer.filter.2 = keywordRepeat
            analyzer.filter.3 = porterStem
            """);
    compare(
        IndexAnalysis.of(AnalyzerChain.read(chain)).with(Schema.TITLE, AnalysisDefinition.ENGLISH),
        detail);
  }

  private void compare(IndexAnalysis analysis, Detail detail) throws Exception {
    IndexedText text = new IndexedText(FieldPlan.DEFAULT, analysis, detail, Store.CONTENTS);
    Path ours = build(text);
    List<ParsedDocument> documents = Crawls.read(crawl);
    Path lucenes = directory.resolve("lucenes");
    try (Analyzer analyzer = analysis.newAnalyzer()) {
      write(lucenes, detail, analyzer, documents);
    }
    try (InvertedIndex index = InvertedIndex.open(ours);
        Directory expected = FSDirectory.open(lucenes);
        DirectoryReader reference = DirectoryReader.open(expected)) {
      assertThat(reference.leaves()).hasSize(1);
      for (int segments : List.of(1, 3)) {
        Path exported = directory.resolve("exported-" + segments);
        ExportOptions options = new ExportOptions(segments, 2, IndexCheck.SLOW).withVectors(true);
        LuceneExporter.export(index, exported, options);
        try (Directory actual = FSDirectory.open(exported);
            DirectoryReader reader = DirectoryReader.open(actual)) {
          IndexEquality.assertSame(reference, reader);
          assertThat(vectors(reader)).isEqualTo(vectors(reference));
          assertThat(reader.leaves())
              .hasSize(segments)
              .allMatch(leaf -> leaf.reader().getFieldInfos().hasTermVectors());
        }
        assertThat(LuceneExporter.isExport(index, exported, options, false)).isTrue();
        assertThat(LuceneExporter.isExport(index, exported, options.withVectors(false), false))
            .isFalse();
      }
    }
    assertThat(vectorFiles(directory.resolve("exported-1"))).isEqualTo(vectorFiles(lucenes));
  }

  private Path build(IndexedText text) throws IOException, InterruptedException {
    BuildOptions options = EveryWay.options(crawl, directory.resolve("index"), text);
    new Indexing(options, Target.ownIndex(), new BuildProgress()).run();
    return options.output();
  }

  /** What IndexWriter makes of documents with term vectors, in one flush. */
  private static void write(
      Path to, Detail detail, Analyzer analyzer, List<ParsedDocument> documents)
      throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(analyzer)
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setRAMBufferSizeMB(512)
            .setUseCompoundFile(false);
    try (Directory lucene = FSDirectory.open(to);
        IndexWriter writer = new IndexWriter(lucene, config)) {
      for (ParsedDocument document : documents) {
        Document added = new Document();
        // The schema has its fields in this order.
        added.add(new Field(Schema.CONTENTS, document.contents(), type(detail, false)));
        added.add(new StringField(Schema.ID, document.id(), Field.Store.YES));
        added.add(new BinaryDocValuesField(Schema.ID, new BytesRef(document.id())));
        added.add(new Field(Schema.TITLE, document.title(), type(detail, true)));
        added.add(new StoredField(Schema.RAW, document.contents()));
        writer.addDocument(added);
      }
    }
  }

  private static FieldType type(Detail detail, boolean stored) {
    FieldType type = new FieldType(stored ? TextField.TYPE_STORED : TextField.TYPE_NOT_STORED);
    if (!detail.hasPositions()) {
      type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    } else if (detail.hasOffsets()) {
      type.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS);
    }
    type.setStoreTermVectors(true);
    type.setStoreTermVectorPositions(detail.hasPositions());
    type.setStoreTermVectorOffsets(detail.hasOffsets());
    return type;
  }

  /** Fields, terms, frequencies, positions and offsets of every document, in Lucene's order. */
  private static List<String> vectors(IndexReader reader) throws IOException {
    List<String> all = new ArrayList<>();
    TermVectors vectors = reader.termVectors();
    for (int docId = 0; docId < reader.maxDoc(); docId++) {
      StringBuilder text = new StringBuilder();
      Fields fields = vectors.get(docId);
      if (fields != null) {
        for (String field : fields) {
          append(field, fields.terms(field), text);
        }
      }
      all.add(text.toString());
    }
    assertThat(all).contains("").anyMatch(vector -> vector.startsWith("contents of "));
    return all;
  }

  private static void append(String field, Terms terms, StringBuilder to) throws IOException {
    to.append(
        "%s of %d terms, %b %b %b"
            .formatted(
                field,
                terms.size(),
                terms.hasPositions(),
                terms.hasOffsets(),
                terms.hasPayloads()));
    TermsEnum each = terms.iterator();
    for (BytesRef term; (term = each.next()) != null; ) {
      to.append('\n').append(term).append(' ').append(each.totalTermFreq());
      PostingsEnum postings = each.postings(null, PostingsEnum.ALL);
      assertThat(postings.nextDoc()).isZero();
      for (int i = 0; i < postings.freq(); i++) {
        to.append(' ').append(postings.nextPosition());
        to.append(':').append(postings.startOffset()).append('-').append(postings.endOffset());
      }
    }
  }

  private static Map<String, Long> vectorFiles(Path directory) throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.getFileName().toString();
        if (name.matches(".*\\.tv[a-z]")) {
          sizes.put(name, Files.size(file));
        }
      }
    }
    assertThat(sizes).hasSize(3);
    return sizes;
  }

  @Test
  void textsMustBeStored() throws Exception {
    Path ours =
        build(
            new IndexedText(
                FieldPlan.DEFAULT, IndexAnalysis.of("standard"), Detail.POSITIONS, Store.RAW));
    Path exported = directory.resolve("exported");
    try (InvertedIndex index = InvertedIndex.open(ours)) {
      ExportOptions options = ExportOptions.DEFAULT.withVectors(true);
      assertThatThrownBy(() -> LuceneExporter.export(index, exported, options))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("field 'contents' is not stored; build with --store contents");
    }
    assertThat(exported).doesNotExist();
  }

  @Test
  void olderVersionsGetNone() {
    ExportOptions old =
        new ExportOptions(1, 1, IndexCheck.NONE, ExportCodec.BEST_SPEED, LuceneVersion.of("9.9"));
    assertThatThrownBy(() -> old.withVectors(true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("term vectors are written for Lucene 10.6 only; got 9.9");
  }

  @Test
  void anIndexWithoutWordsHasNoVectors() throws Exception {
    Directories.deleteTree(crawl);
    Files.createDirectory(crawl);
    Files.writeString(crawl.resolve("dots.txt"), "... !!!");
    Path ours =
        build(
            new IndexedText(
                FieldPlan.DEFAULT, IndexAnalysis.of("standard"), Detail.POSITIONS, Store.CONTENTS));
    Path exported = directory.resolve("exported");
    try (InvertedIndex index = InvertedIndex.open(ours)) {
      ExportOptions options = new ExportOptions(1, 1, IndexCheck.SLOW).withVectors(true);
      assertThat(LuceneExporter.export(index, exported, options).documents()).isEqualTo(1);
    }
    try (Directory lucene = FSDirectory.open(exported);
        DirectoryReader reader = DirectoryReader.open(lucene)) {
      assertThat(reader.termVectors().get(0)).isNull();
    }
  }
}
