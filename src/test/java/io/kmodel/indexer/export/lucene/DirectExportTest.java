package io.kmodel.indexer.export.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.QuickEvery;
import io.kmodel.indexer.equality.IndexEquality;
import io.kmodel.indexer.equality.NaiveIndex;
import io.kmodel.indexer.equality.ReferenceIndex;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.export.lucene.plain.PlainWriter;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.store.CorruptIndexException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What was written through Lucene's codec is, to Lucene, an index like any other. */
class DirectExportTest {
  private static final Schema SCHEMA = Schemas.of(Detail.POSITIONS, Stored.CONTENTS);

  @TempDir Path directory;

  @Test
  void anIndexWriterAddsToItDeletesFromItAndMergesIt() throws IOException {
    List<ParsedDocument> documents = SampleDocuments.random(21, 900, 40);
    Path target = export(documents.subList(0, 600), 3);
    try (Directory lucene = FSDirectory.open(target)) {
      ReferenceIndex.write(lucene, SCHEMA, new StandardAnalyzer(), documents.subList(600, 900));
      assertHolds(lucene, documents);
      List<ParsedDocument> left = new ArrayList<>(documents);
      IndexWriterConfig config =
          new IndexWriterConfig(new StandardAnalyzer()).setMergePolicy(new LogDocMergePolicy());
      try (IndexWriter writer = new IndexWriter(lucene, config)) {
        for (int i : List.of(0, 5, 299, 300, 599, 600, 899)) {
          String id = documents.get(i).id();
          writer.deleteDocuments(new Term(Schema.ID, id));
          left.removeIf(document -> document.id().equals(id));
        }
        writer.forceMerge(1);
      }
      assertThat(left).hasSizeLessThan(documents.size());
      try (DirectoryReader reader = DirectoryReader.open(lucene)) {
        assertThat(reader.leaves()).hasSize(1);
      }
      assertHolds(lucene, left);
    }
    IndexCheck.SLOW.run(target, 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void theFilesAreThoseThatIndexWriterWrites(int segments) throws IOException {
    List<ParsedDocument> documents = SampleDocuments.random(8, 3000, 40);
    Path direct = export(documents, segments);
    Path plain = plain(segments);
    assertThat(sizes(direct)).isEqualTo(sizes(plain)).hasSizeGreaterThan(10 * segments);
  }

  @ParameterizedTest
  @QuickEvery(2)
  @CsvSource({"1, 1, 1", "1, 4, 1", "1, 2, 3000", "2, 4, 1", "3, 2, 500"})
  void rangesOfTermsEncodedByManyThreadsGiveTheFilesThatOneThreadWrites(
      int segments, int threads, long chunkBytes) throws IOException {
    List<ParsedDocument> documents = SampleDocuments.random(8, 3000, 40);
    NaiveIndex.write(directory.resolve("ours"), SCHEMA, new StandardAnalyzer(), documents);
    Path direct = Files.createDirectory(directory.resolve("direct"));
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("ours"));
        Directory lucene = FSDirectory.open(direct)) {
      assertThat(index.cutTerms(chunkBytes * segments)).hasSizeGreaterThan(40);
      DirectExport.write(
          index,
          lucene,
          new ExportOptions(segments, threads, IndexCheck.NONE),
          ProgressListener.NONE,
          chunkBytes);
      assertHolds(lucene, documents);
    }
    IndexCheck.SLOW.run(direct, 2);
    assertThat(sizes(direct)).isEqualTo(sizes(plain(segments)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"postings.docs", "postings.positions"})
  void damagedPostingsEndAllThreads(String name) throws IOException {
    NaiveIndex.write(
        directory.resolve("ours"),
        SCHEMA,
        new StandardAnalyzer(),
        SampleDocuments.random(8, 3000, 40));
    Path file = directory.resolve("ours").resolve(name);
    byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, bytes.length / 2, bytes.length * 3 / 4, (byte) 0xFF);
    Files.write(file, bytes);
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("ours"));
        Directory lucene = FSDirectory.open(Files.createDirectory(directory.resolve("direct")))) {
      assertThatThrownBy(
              () ->
                  DirectExport.write(
                      index,
                      lucene,
                      new ExportOptions(1, 4, IndexCheck.NONE),
                      ProgressListener.NONE,
                      1))
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining(name + ": ");
      assertThat(DirectoryReader.indexExists(lucene)).isFalse();
    }
  }

  private static void assertHolds(Directory lucene, List<ParsedDocument> documents)
      throws IOException {
    try (DirectoryReader expected =
            ReferenceIndex.inMemory(SCHEMA, new StandardAnalyzer(), documents);
        DirectoryReader actual = DirectoryReader.open(lucene)) {
      IndexEquality.assertSame(expected, actual);
    }
  }

  private Path export(List<ParsedDocument> documents, int segments) throws IOException {
    Path ours = directory.resolve("ours");
    Path target = directory.resolve("lucene");
    NaiveIndex.write(ours, SCHEMA, new StandardAnalyzer(), documents);
    try (InvertedIndex index = InvertedIndex.open(ours)) {
      LuceneExporter.export(index, target, new ExportOptions(segments, 1, IndexCheck.NONE));
    }
    return target;
  }

  /** What IndexWriter makes of the same index. */
  private Path plain(int segments) throws IOException {
    Path target = directory.resolve("plain");
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("ours"))) {
      new PlainWriter().write(index, target, segments, false, Map.of());
    }
    return target;
  }

  /** Of every file but those that hold times and versions. */
  private static Map<String, Long> sizes(Path directory) throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.getFileName().toString();
        if (!name.endsWith(".si") && !name.startsWith("segments")) {
          sizes.put(name, Files.size(file));
        }
      }
    }
    return sizes;
  }
}
