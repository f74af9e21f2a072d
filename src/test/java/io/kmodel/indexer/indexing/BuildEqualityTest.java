package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.QuickEvery;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.analysis.Analyzers;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.equality.IndexEquality;
import io.kmodel.indexer.equality.ReferenceIndex;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.equality.SearchEquality;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.export.lucene.view.IndexLeafReader;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.verify.IndexVerifier;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.search.Bm25;
import io.kmodel.indexer.search.Searcher;
import io.kmodel.indexer.store.disk.Directories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The whole way from a crawl on disk: what comes out cannot be told from what Lucene's IndexWriter
 * makes of the same documents, read from our own files, exported with one and three segments, and
 * built straight into Lucene's files.
 */
class BuildEqualityTest {
  private static final Path SAMPLES = Path.of("corpus-samples/site");
  private static final int QUERIES = Tier.pick(40, 400);

  /** Runs this small hold some hundred documents, so that there is something to merge. */
  private static final MemoryPlan SMALL_RUNS = new MemoryPlan(1 << 30, 3 << 20, 1 << 20, 256 << 20);

  @TempDir Path directory;

  @ParameterizedTest
  @QuickEvery(3)
  @CsvSource({
    "standard, POSITIONS, CONTENTS",
    "english, POSITIONS, ID",
    "whitespace, POSITIONS, NONE",
    "standard, FREQUENCIES, ID",
    "standard, OFFSETS, CONTENTS",
    "english, OFFSETS, ID",
    "whitespace, OFFSETS, NONE"
  })
  void theSamplesAreIndexedAsByIndexWriter(String analyzer, Detail detail, Store store)
      throws Exception {
    compare(SAMPLES, analyzer, detail, store, 42);
  }

  @ParameterizedTest
  @ValueSource(strings = {"standard", "english", "whitespace"})
  void awkwardDocumentsAreIndexedAsByIndexWriter(String analyzer) throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Crawls.write(crawl, SampleDocuments.awkward());
    compare(crawl, analyzer, Detail.OFFSETS, Store.CONTENTS, 1);
  }

  @ParameterizedTest
  @QuickEvery(3)
  @CsvSource({"standard, POSITIONS", "whitespace, POSITIONS", "english, OFFSETS"})
  void thousandsOfDocumentsOverManyRunsAreIndexedAsByIndexWriter(String analyzer, Detail detail)
      throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Crawls.write(crawl, SampleDocuments.random(7, Tier.pick(700, 3000), 150));
    compare(crawl, analyzer, detail, Store.CONTENTS, 2);
  }

  /** Not a fixture of JUnit's: jqwik makes its own directory for every try. */
  @Property(tries = 25)
  void randomTextIsIndexedAsByIndexWriter(@ForAll long seed) throws Exception {
    Path root = Files.createTempDirectory("indexer-random");
    try {
      Random random = new Random(seed);
      Path crawl = Files.createDirectory(root.resolve("crawl"));
      Crawls.write(crawl, randomDocuments(random));
      String analyzer = List.of("standard", "english", "whitespace").get(random.nextInt(3));
      BuildEqualityTest test = new BuildEqualityTest();
      test.directory = root;
      Detail detail =
          List.of(Detail.FREQUENCIES, Detail.POSITIONS, Detail.OFFSETS).get(random.nextInt(3));
      test.compare(crawl, analyzer, detail, Store.CONTENTS, seed);
    } finally {
      Directories.deleteTree(root);
    }
  }

  private void compare(Path crawl, String analyzer, Detail detail, Store store, long seed)
      throws Exception {
    BuildOptions options =
        EveryWay.options(
            crawl,
            directory.resolve("index"),
            new IndexedText(FieldPlan.DEFAULT, IndexAnalysis.of(analyzer), detail, store));
    BuildReport report =
        new Indexing(options, Target.ownIndex(), new BuildProgress(), SMALL_RUNS).run();
    List<ParsedDocument> documents = Crawls.read(crawl);
    assertThat(report.documents()).isEqualTo(documents.size());
    IndexVerifier.verify(options.output(), ProgressListener.NONE);
    try (Analyzer lucenes = Analyzers.named(analyzer);
        DirectoryReader reference = ReferenceIndex.inMemory(options.schema(), lucenes, documents);
        InvertedIndex index = InvertedIndex.open(options.output())) {
      try (IndexLeafReader ours = new IndexLeafReader(index)) {
        IndexEquality.assertSame(reference, ours);
        if (!documents.isEmpty()) {
          SearchEquality.assertSame(reference, ours, seed, QUERIES);
        }
      }
      try (Searcher searcher = new Searcher(index, lucenes, Bm25.LUCENE)) {
        assertThat(searcher.search("*:*", 1).found()).isEqualTo(documents.size());
      }
      for (int segments : Tier.pick(new int[] {3}, new int[] {1, 3})) {
        Path exported = directory.resolve("lucene-" + segments);
        LuceneExporter.export(index, exported, new ExportOptions(segments, 2, IndexCheck.SLOW));
        try (Directory lucene = FSDirectory.open(exported);
            DirectoryReader reader = DirectoryReader.open(lucene)) {
          IndexEquality.assertSame(reference, reader);
          if (!documents.isEmpty()) {
            SearchEquality.assertSame(reference, reader, seed, QUERIES);
          }
        }
      }
      for (int segments : builtSegments()) {
        buildLucene(options, segments, reference, seed);
      }
    }
  }

  private static int[] builtSegments() {
    int perRun = Target.SEGMENT_PER_RUN;
    return Tier.pick(new int[] {perRun, 1}, new int[] {perRun, 1, 3});
  }

  private void buildLucene(BuildOptions own, int segments, DirectoryReader reference, long seed)
      throws Exception {
    BuildOptions options = own.withOutput(directory.resolve("built-" + segments));
    Target target = Target.lucene(segments, IndexCheck.SLOW);
    BuildReport report = new Indexing(options, target, new BuildProgress(), SMALL_RUNS).run();
    assertThat(report.documents()).isEqualTo(reference.numDocs());
    try (Directory lucene = FSDirectory.open(options.output());
        DirectoryReader reader = DirectoryReader.open(lucene)) {
      if (segments == Target.SEGMENT_PER_RUN) {
        assertThat(reader.leaves()).hasSize(report.runs());
      } else {
        assertThat(reader.leaves()).hasSizeLessThanOrEqualTo(segments);
      }
      IndexEquality.assertSame(reference, reader);
      if (reference.numDocs() > 0) {
        SearchEquality.assertSame(reference, reader, seed, QUERIES);
      }
    }
  }

  /** Words of any characters, a few of them often; texts from nothing to thousands of words. */
  private static List<ParsedDocument> randomDocuments(Random random) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      words.add(randomWord(random));
    }
    List<ParsedDocument> documents = new ArrayList<>();
    for (int i = random.nextInt(40); i > 0; i--) {
      int length = random.nextInt(20) == 0 ? 3000 : random.nextInt(60);
      documents.add(
          new ParsedDocument(
              "", randomText(random, words, random.nextInt(5)), randomText(random, words, length)));
    }
    return documents;
  }

  private static String randomText(Random random, List<String> words, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      int rank = (int) (words.size() * Math.pow(random.nextDouble(), 3));
      text.append(words.get(rank)).append(random.nextInt(9) == 0 ? ". " : " ");
    }
    return text.toString();
  }

  private static String randomWord(Random random) {
    int length = random.nextInt(30) == 0 ? 250 + random.nextInt(20) : 1 + random.nextInt(9);
    StringBuilder word = new StringBuilder();
    while (word.length() < length) {
      int kind = random.nextInt(6);
      if (kind < 3) {
        word.append((char) ('a' + random.nextInt(26)));
      } else if (kind == 3) {
        word.append("'.,:;_-0123456789".charAt(random.nextInt(17)));
      } else if (kind == 4) {
        word.append((char) (0xA1 + random.nextInt(0x2F00)));
      } else {
        int codePoint = 0x3000 + random.nextInt(0x10FFFF - 0x3000);
        word.appendCodePoint(codePoint >= 0xD800 && codePoint < 0xE000 ? 0x10400 : codePoint);
      }
    }
    return word.toString();
  }
}
