package io.kmodel.indexer.indexing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.equality.IndexEquality;
import io.kmodel.indexer.export.ciff.CiffExportOptions;
import io.kmodel.indexer.export.ciff.CiffExporter;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.export.lucene.view.IndexLeafReader;
import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.faults.FaultyFileSystem;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.verify.DeepVerifier;
import io.kmodel.indexer.index.verify.IndexVerifier;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.search.Hit;
import io.kmodel.indexer.search.ImpactSum;
import io.kmodel.indexer.search.Searcher;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.JsonMembers;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.WeightScale;
import io.kmodel.indexer.store.disk.DiskSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.TermFrequencyAttribute;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Indexes of sparse vectors, compared with a list of the vectors and with IndexWriter. */
class VectorsBuildTest {
  private static final int DOCUMENTS = Tier.pick(400, 2000);
  private static final List<String> QUERIES =
      List.of("w1 w1 w1 ##w2", "w3", "\u00E9\u4E00 w5 w5 nothing", "nothing");

  @TempDir Path directory;
  private final List<Map<String, Integer>> vectors = new ArrayList<>();
  private Path crawl = Path.of("");

  /** Four files, one of them compressed. */
  @BeforeEach
  void write() throws IOException {
    crawl = Files.createDirectory(directory.resolve("crawl"));
    Random random = new Random(4);
    ObjectMapper json = new ObjectMapper();
    List<StringBuilder> files =
        List.of(new StringBuilder(), new StringBuilder(), new StringBuilder());
    for (int doc = 0; doc < DOCUMENTS; doc++) {
      Map<String, Integer> vector = new LinkedHashMap<>();
      int terms = doc % 100 == 7 ? 0 : 1 + random.nextInt(40);
      for (int i = 0; i < terms; i++) {
        int rank = (int) Math.exp(6 * random.nextDouble());
        String term = rank % 3 == 2 ? "##w" + rank : rank == 4 ? "\u00E9\u4E00" : "w" + rank;
        vector.put(
            rank == 9 ? "two words" : term, 1 + random.nextInt(doc % 50 == 3 ? 70_000 : 255));
      }
      vectors.add(vector);
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("id", "d" + doc);
      Map<String, Integer> withZero = new LinkedHashMap<>(vector);
      withZero.putIfAbsent("zero", 0);
      object.put("vector", withZero);
      files.get(3 * doc / DOCUMENTS).append(json.writeValueAsString(object)).append('\n');
    }
    Files.writeString(crawl.resolve("a.json"), files.get(0));
    Files.writeString(crawl.resolve("b.jsonl"), files.get(1));
    try (GZIPOutputStream out =
        new GZIPOutputStream(Files.newOutputStream(crawl.resolve("c.jsonl.gz")))) {
      out.write(files.get(2).toString().getBytes(UTF_8));
    }
  }

  private static SourceOptions source(WeightScale scale) {
    return new SourceOptions(
        Format.VECTORS,
        Docno.TREC_ID,
        JsonMembers.USUAL,
        scale,
        SourceOptions.DEFAULT_MAX_DOCUMENT_BYTES,
        SourceOptions.DEFAULT_MAX_EXPANSION,
        SourceOptions.DEFAULT_MAX_NESTING);
  }

  private static BuildOptions options(Path from, Path output, int threads) {
    return options(List.of(from), output, threads);
  }

  private static BuildOptions options(List<Path> from, Path output, int threads) {
    return new BuildOptions(
        ImmutableList.copyOf(from),
        source(WeightScale.NONE),
        Duplicates.KEEP,
        output,
        false,
        HtmlMode.FAST,
        IndexedText.ofVectors(Store.ID),
        new BuildOptions.Resources(threads, 2L << 30));
  }

  private static MemoryPlan plan(long runBytes, long keptBytes) {
    return new MemoryPlan(1 << 30, runBytes, 64 << 20, 256 << 20, keptBytes);
  }

  private Path build(String output, int threads, MemoryPlan plan) throws Exception {
    Path index = directory.resolve(output);
    new Indexing(options(crawl, index, threads), Target.ownIndex(), new BuildProgress(), plan)
        .run();
    return index;
  }

  /** A token for each term, with its weight as frequency. */
  private static final class Weights extends TokenStream {
    private final Iterator<Map.Entry<String, Integer>> entries;
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final TermFrequencyAttribute freq = addAttribute(TermFrequencyAttribute.class);

    Weights(Map<String, Integer> vector) {
      entries = vector.entrySet().iterator();
    }

    @Override
    public boolean incrementToken() {
      if (!entries.hasNext()) {
        return false;
      }
      clearAttributes();
      Map.Entry<String, Integer> entry = entries.next();
      term.append(entry.getKey());
      freq.setTermFrequency(entry.getValue());
      return true;
    }
  }

  /** The vectors as Anserini has IndexWriter index them: frequencies and norms of 1. */
  private DirectoryReader reference() throws IOException {
    FieldType type = new FieldType(TextField.TYPE_NOT_STORED);
    type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    type.freeze();
    Directory lucene = new ByteBuffersDirectory();
    IndexWriterConfig config =
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setSimilarity(new ImpactSum().similarity())
            .setMergePolicy(new LogDocMergePolicy());
    try (IndexWriter writer = new IndexWriter(lucene, config)) {
      for (int doc = 0; doc < vectors.size(); doc++) {
        Document document = new Document();
        document.add(new Field(Schema.CONTENTS, new Weights(vectors.get(doc)), type));
        document.add(new StringField(Schema.ID, "d" + doc, Field.Store.YES));
        document.add(new BinaryDocValuesField(Schema.ID, new BytesRef("d" + doc)));
        writer.addDocument(document);
      }
    }
    return DirectoryReader.open(lucene);
  }

  @Test
  void anIndexIsThatOfIndexWriterWhateverTheThreadsAndTheRuns() throws Exception {
    Path index = build("index", 1, plan(64 << 20, 0));
    assertThat(IndexFilesHash.of(build("again", 3, plan(1 << 17, 0))))
        .isEqualTo(IndexFilesHash.of(index));
    assertThat(IndexFilesHash.of(build("kept", 2, plan(1 << 17, 64 << 20))))
        .isEqualTo(IndexFilesHash.of(index));
    IndexVerifier.verify(index, ProgressListener.NONE);
    DeepVerifier.verify(index, ProgressListener.NONE);
    try (InvertedIndex opened = InvertedIndex.open(index);
        IndexLeafReader ours = new IndexLeafReader(opened);
        DirectoryReader reference = reference()) {
      IndexEquality.assertSame(reference, ours);
      Path exported = directory.resolve("exported");
      LuceneExporter.export(opened, exported, new ExportOptions(2, 2, IndexCheck.SLOW));
      assertSame(reference, exported);
      Path straight = directory.resolve("straight");
      new Indexing(
              options(crawl, straight, 2),
              Target.lucene(0, IndexCheck.SLOW),
              new BuildProgress(),
              plan(1 << 17, 0))
          .run();
      assertSame(reference, straight);
    }
  }

  private static void assertSame(DirectoryReader reference, Path index) throws IOException {
    try (Directory lucene = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(lucene)) {
      IndexEquality.assertSame(reference, reader);
    }
  }

  /** The scores of all documents that have one, best first, ties in order of documents. */
  private List<String> expected(Map<String, Float> query) {
    List<Map.Entry<Integer, Float>> scores = new ArrayList<>();
    for (int doc = 0; doc < vectors.size(); doc++) {
      float sum = 0;
      boolean matches = false;
      for (Map.Entry<String, Float> of : query.entrySet()) {
        Integer weight = vectors.get(doc).get(of.getKey());
        matches |= weight != null;
        sum += weight == null ? 0 : weight * of.getValue();
      }
      if (matches) {
        scores.add(Map.entry(doc, sum));
      }
    }
    scores.sort(
        Comparator.comparing((Map.Entry<Integer, Float> of) -> -of.getValue())
            .thenComparing(Map.Entry::getKey));
    return scores.stream().map(of -> "d%d %s".formatted(of.getKey(), of.getValue())).toList();
  }

  private static List<String> found(List<Hit> hits) {
    return hits.stream().map(hit -> hit.id() + " " + hit.score()).toList();
  }

  private void assertSearched(Path index) throws IOException {
    try (InvertedIndex opened = InvertedIndex.open(index);
        WhitespaceAnalyzer words = new WhitespaceAnalyzer();
        Searcher searcher = new Searcher(opened, words, new ImpactSum())) {
      for (String query : QUERIES) {
        Map<String, Float> weights = new LinkedHashMap<>();
        for (String token : query.split(" ", -1)) {
          weights.merge(token, 1f, Float::sum);
        }
        assertThat(found(searcher.searchWords(query, DOCUMENTS).hits()))
            .isEqualTo(expected(weights));
      }
    }
  }

  @Test
  void scoresAreSumsOfProductsAlsoAfterCiffAndBack() throws Exception {
    Path index = build("index", 2, plan(1 << 20, 0));
    assertSearched(index);
    Path ciff = directory.resolve("vectors.ciff.gz");
    Path back = directory.resolve("back");
    try (InvertedIndex opened = InvertedIndex.open(index)) {
      CiffExporter.export(opened, ciff, CiffExportOptions.DEFAULT, ProgressListener.NONE);
    }
    new CiffImport(
            new CiffImport.Options(ciff, back, AnalysisDefinition.of("whitespace"), false),
            ProgressListener.NONE)
        .run();
    assertSearched(back);
    try (InvertedIndex opened = InvertedIndex.open(back);
        IndexLeafReader ours = new IndexLeafReader(opened);
        DirectoryReader reference = reference()) {
      IndexEquality.assertSame(reference, ours);
    }
  }

  @Test
  void mergedIndexesAreThoseOfOneBuild() throws Exception {
    List<Path> files = Stream.of("a.json", "b.jsonl", "c.jsonl.gz").map(crawl::resolve).toList();
    Path whole = directory.resolve("whole");
    new Indexing(options(files, whole, 2), Target.ownIndex(), new BuildProgress(), plan(1 << 20, 0))
        .run();
    List<Path> parts = new ArrayList<>();
    for (Path file : files) {
      Path part = directory.resolve("part-" + file.getFileName());
      new Indexing(
              options(List.of(file), part, 1),
              Target.ownIndex(),
              new BuildProgress(),
              plan(1 << 20, 0))
          .run();
      parts.add(part);
    }
    Path merged = directory.resolve("merged");
    IndexMerge.Options options =
        new IndexMerge.Options(parts, merged, false, null, 2, DiskSpace.CHECKED);
    new IndexMerge(options, ProgressListener.NONE).run();
    assertThat(IndexFilesHash.of(merged)).isEqualTo(IndexFilesHash.of(whole));
  }

  @Test
  void anInterruptedBuildGivesTheSame() throws Exception {
    Path whole = build("whole", 2, plan(1 << 17, 0));
    Path output = directory.resolve("index");
    Faults faults = new Faults();
    FaultyFileSystem system = new FaultyFileSystem(faults);
    faults.fail(Kind.RENAME, 6);
    BuildOptions options = options(crawl, system.through(output), 2);
    Indexing failing =
        new Indexing(options, Target.ownIndex(), new BuildProgress(), plan(1 << 17, 0))
            .withRecovery(recovery(Recovery.Start.FRESH));
    assertThatThrownBy(failing::run).hasStackTraceContaining("injected");
    faults.stop();
    assertThat(output).doesNotExist();
    new Indexing(
            options(crawl, output, 2), Target.ownIndex(), new BuildProgress(), plan(1 << 17, 0))
        .withRecovery(recovery(Recovery.Start.RESUME))
        .run();
    assertThat(IndexFilesHash.of(output)).isEqualTo(IndexFilesHash.of(whole));
  }

  private static Recovery recovery(Recovery.Start start) {
    return new Recovery(start, Duration.ZERO, line -> {});
  }

  @Test
  void vectorsThatCannotBeKeptAreSkippedAndFractionsScaled() throws Exception {
    Path lines = directory.resolve("some.jsonl");
    Files.write(
        lines,
        List.of(
            "{\"id\":\"a\",\"vector\":{\"x\":0.5,\"y\":0.001}}",
            "{\"id\":\"b\",\"vector\":{\"x\":-1}}",
            "{\"id\":\"c\",\"vector\":{\"x\":1048576}}",
            "{\"id\":\"d\",\"vector\":{\"%s\":1}}".formatted("t".repeat(40_000)),
            "",
            "{\"id\":\"e\",\"vector\":{\"x\":3,\"x\":4}}"));
    Map<WeightScale, Map<String, Integer>> expected =
        ImmutableMap.of(
            WeightScale.NONE,
            ImmutableMap.of("e", 7),
            new WeightScale(7),
            ImmutableMap.of("a", 64, "e", 7 * 128));
    for (Map.Entry<WeightScale, Map<String, Integer>> of : expected.entrySet()) {
      Path output = directory.resolve("index" + of.getKey().bits());
      BuildOptions options =
          options(lines, output, 1).withSource(source(of.getKey()), Duplicates.KEEP);
      BuildReport report =
          new Indexing(options, Target.ownIndex(), new BuildProgress(), plan(1 << 20, 0)).run();
      assertThat(report.complete()).isFalse();
      assertThat(report.skipped())
          .containsEntry(SkipReason.UNPARSABLE.label(), 1L)
          .containsEntry(SkipReason.DAMAGED_RECORD.label(), 4L - of.getValue().size());
      try (InvertedIndex index = InvertedIndex.open(output);
          WhitespaceAnalyzer words = new WhitespaceAnalyzer();
          Searcher searcher = new Searcher(index, words, new ImpactSum())) {
        Map<String, Integer> scores = new LinkedHashMap<>();
        searcher.searchWords("x y", 9).hits().forEach(h -> scores.put(h.id(), (int) h.score()));
        assertThat(scores).containsExactlyInAnyOrderEntriesOf(of.getValue());
      }
    }
  }

  @Test
  void textsAndVectorsAreNotMixed() {
    BuildOptions vectors = options(crawl, directory.resolve("index"), 1);
    assertThatThrownBy(() -> vectors.withSource(SourceOptions.DEFAULT, Duplicates.KEEP))
        .hasMessageContaining("vectors, and nothing else, are indexed with weights");
  }
}
