package io.kmodel.indexer.export.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.QuickEvery;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.equality.IndexEquality;
import io.kmodel.indexer.equality.NaiveIndex;
import io.kmodel.indexer.equality.ReferenceIndex;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.equality.SearchEquality;
import io.kmodel.indexer.export.lucene.plain.PlainWriter;
import io.kmodel.indexer.export.lucene.view.IndexLeafReader;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.SlowCodecReaderWrapper;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What Lucene sees of our index, read in place and exported, is what IndexWriter makes of the same
 * documents.
 */
class LuceneEqualityTest {
  /** The analyzers that a crawl can be indexed with. */
  enum Analysis {
    STANDARD,
    ENGLISH,
    WHITESPACE;

    Analyzer analyzer() {
      return switch (this) {
        case STANDARD -> new StandardAnalyzer();
        case ENGLISH -> new EnglishAnalyzer();
        case WHITESPACE -> new WhitespaceAnalyzer();
      };
    }
  }

  private static final ExportOptions ONE_SEGMENT = new ExportOptions(1, 1, IndexCheck.SLOW);
  private static final ExportOptions THREE_SEGMENTS = new ExportOptions(3, 2, IndexCheck.CONTENT);

  /** Everything that is compared, in directories of its own. */
  private record Trial(Schema schema, Analyzer analyzer, List<ParsedDocument> documents) {
    void run(Path directory, int queries, ExportOptions... exports) throws IOException {
      Path ours = directory.resolve("ours");
      NaiveIndex.write(ours, schema, analyzer, documents);
      try (DirectoryReader expected = ReferenceIndex.inMemory(schema, analyzer, documents);
          InvertedIndex index = InvertedIndex.open(ours)) {
        try (IndexLeafReader actual = new IndexLeafReader(index)) {
          IndexEquality.assertSame(expected, actual);
          int found = SearchEquality.assertSame(expected, actual, 17, queries);
          assertThat(found).isGreaterThanOrEqualTo(documents.size() < 100 ? 0 : queries / 2);
          actual.checkIntegrity();
          checkAsSegment(actual);
        }
        for (ExportOptions options : exports) {
          Path target = directory.resolve("lucene-" + options.segments());
          ExportResult result = LuceneExporter.export(index, target, options);
          assertThat(result.documents()).isEqualTo(documents.size());
          assertThat(result.segments()).isEqualTo(Math.min(options.segments(), documents.size()));
          Path plain = directory.resolve("plain-" + options.segments());
          new PlainWriter().write(index, plain, options.segments(), false, Map.of());
          for (Path written : List.of(target, plain)) {
            try (Directory lucene = FSDirectory.open(written);
                DirectoryReader actual = DirectoryReader.open(lucene)) {
              IndexEquality.assertSame(expected, actual);
              SearchEquality.assertSame(expected, actual, 17, queries);
            }
          }
        }
      }
    }

    /** Lucene's own checks of a segment, seeks, skips and impacts included. */
    private static void checkAsSegment(IndexLeafReader reader) throws IOException {
      CodecReader segment = SlowCodecReaderWrapper.wrap(reader);
      CheckIndex.testFieldInfos(segment, null, true);
      CheckIndex.testPostings(
          segment, null, false, CheckIndex.Level.MIN_LEVEL_FOR_SLOW_CHECKS, true);
      CheckIndex.testFieldNorms(segment, null, true);
      CheckIndex.testStoredFields(segment, null, true);
      CheckIndex.testDocValues(segment, null, true);
    }
  }

  static Stream<Arguments> settings() {
    List<Arguments> settings = new ArrayList<>();
    for (Analysis analysis : Analysis.values()) {
      for (Detail detail : List.of(Detail.FREQUENCIES, Detail.POSITIONS, Detail.OFFSETS)) {
        for (Stored stored : Stored.values()) {
          settings.add(Arguments.of(analysis, detail, stored));
        }
      }
    }
    return Tier.some(settings, 5).stream();
  }

  @ParameterizedTest
  @MethodSource("settings")
  void awkwardDocumentsAreIndexedAsLuceneIndexesThem(
      Analysis analysis, Detail detail, Stored stored, @TempDir Path directory) throws IOException {
    new Trial(Schemas.of(detail, stored), analysis.analyzer(), SampleDocuments.awkward())
        .run(directory, 30, ONE_SEGMENT, THREE_SEGMENTS);
  }

  @ParameterizedTest
  @QuickEvery(2)
  @CsvSource({
    "STANDARD, POSITIONS, CONTENTS",
    "ENGLISH, POSITIONS, IDS",
    "WHITESPACE, POSITIONS, NOTHING",
    "STANDARD, FREQUENCIES, IDS",
    "ENGLISH, OFFSETS, IDS"
  })
  void randomDocumentsAreIndexedAsLuceneIndexesThem(
      Analysis analysis, Detail detail, Stored stored, @TempDir Path directory) throws IOException {
    new Trial(Schemas.of(detail, stored), analysis.analyzer(), SampleDocuments.random(3, 400, 50))
        .run(directory, Tier.pick(60, 300), ONE_SEGMENT, THREE_SEGMENTS);
  }

  @Test
  void halvesOfSurrogatePairsAreIndexedAsLuceneIndexesThem(@TempDir Path directory)
      throws IOException {
    new Trial(
            Schemas.of(Detail.OFFSETS, Stored.IDS),
            Analysis.WHITESPACE.analyzer(),
            SampleDocuments.loneSurrogates())
        .run(directory, 50, ONE_SEGMENT);
  }

  @ParameterizedTest
  @QuickEvery(2)
  @EnumSource(names = {"POSITIONS", "OFFSETS"})
  void listsOfManyBlocksAreIndexedAsLuceneIndexesThem(Detail detail, @TempDir Path directory)
      throws IOException {
    ExportOptions seven = new ExportOptions(7, 2, IndexCheck.CONTENT);
    new Trial(
            Schemas.of(detail, Stored.IDS),
            Analysis.STANDARD.analyzer(),
            SampleDocuments.random(99, Tier.pick(4500, 6000), Tier.pick(15, 60)))
        .run(
            directory,
            Tier.pick(40, 400),
            Tier.pick(new ExportOptions[] {seven}, new ExportOptions[] {ONE_SEGMENT, seven}));
  }

  @Test
  void oneDocumentAndMoreSegmentsThanDocumentsAreExported(@TempDir Path directory)
      throws IOException {
    Schema schema = Schemas.of(Detail.POSITIONS, Stored.CONTENTS);
    List<ParsedDocument> documents = SampleDocuments.awkward().subList(0, 1);
    new Trial(schema, Analysis.ENGLISH.analyzer(), documents).run(directory, 50, THREE_SEGMENTS);
  }

  @Test
  void documentsWithoutAnyTextAreExported(@TempDir Path directory) throws IOException {
    Schema schema = Schemas.of(Detail.POSITIONS, Stored.CONTENTS);
    List<ParsedDocument> documents =
        List.of(new ParsedDocument("b", "", ""), new ParsedDocument("a", "", ""));
    new Trial(schema, Analysis.STANDARD.analyzer(), documents)
        .run(directory, 50, ONE_SEGMENT, THREE_SEGMENTS);
  }

  @Property(tries = 20)
  void anyDocumentsAreIndexedAsLuceneIndexesThem(
      @ForAll("collections") List<ParsedDocument> docs, @ForAll boolean offsets)
      throws IOException {
    Path directory = Files.createTempDirectory("equality");
    Detail detail = offsets ? Detail.OFFSETS : Detail.POSITIONS;
    try {
      new Trial(Schemas.of(detail, Stored.CONTENTS), Analysis.STANDARD.analyzer(), docs)
          .run(directory, 30, new ExportOptions(2, 2, IndexCheck.CONTENT));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      Directories.deleteTree(directory);
    }
  }

  @Provide
  Arbitrary<List<ParsedDocument>> collections() {
    Arbitrary<String> word =
        Arbitraries.oneOf(
            Arbitraries.strings().withCharRange('a', 'c').ofMaxLength(3),
            Arbitraries.strings().all().ofMaxLength(4).map(SampleDocuments::wellFormed),
            Arbitraries.of("\uD835\uDD38", "\uFF21", "the", "x1", "\u0301"));
    Arbitrary<String> text = word.list().ofMaxSize(25).map(words -> String.join(" ", words));
    Arbitrary<String> id = Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(5);
    return Combinators.combine(id, text, text)
        .as(ParsedDocument::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(12);
  }
}
