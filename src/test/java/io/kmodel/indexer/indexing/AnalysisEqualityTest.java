package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.analysis.AnalyzerChain;
import io.kmodel.indexer.analysis.Analyzers;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.equality.IndexEquality;
import io.kmodel.indexer.equality.ReferenceIndex;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.view.IndexLeafReader;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.verify.IndexVerifier;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.search.Bm25;
import io.kmodel.indexer.search.Searcher;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.custom.CustomAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.miscellaneous.PerFieldAnalyzerWrapper;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever the analyzer: the index is what IndexWriter makes with it, and says itself how queries
 * are to be analyzed. The documents are sentences in every language that there is an analyzer for.
 */
class AnalysisEqualityTest {
  private static final MemoryPlan SMALL_RUNS = new MemoryPlan(1 << 30, 3 << 20, 1 << 20, 256 << 20);

  @TempDir Path directory;
  private Path crawl;

  /** Code and sentence. */
  private static List<List<String>> sentences() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(AnalysisEqualityTest.class.getResourceAsStream("languages.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> Splitter.on('\t').splitToList(line))
          .toList();
    }
  }

  @BeforeEach
  void writeCrawl() throws IOException, InterruptedException {
    crawl = Files.createDirectory(directory.resolve("crawl"));
    List<ParsedDocument> documents = new ArrayList<>();
    for (List<String> sentence : sentences()) {
      String text = sentence.get(1);
      documents.add(
          new ParsedDocument("", text.substring(0, text.length() / 2), text + " " + text));
    }
    documents.add(new ParsedDocument("", "Long words", "x" + "yz".repeat(200) + " of 12345678901"));
    Crawls.write(crawl, documents);
  }

  @Test
  void everyLanguageHasASentence() throws IOException {
    List<String> codes = sentences().stream().map(sentence -> sentence.get(0)).toList();
    List<String> others = List.of("br", "nb"); // second codes of an analyzer
    assertThat(Stream.concat(codes.stream(), others.stream()))
        .containsExactlyInAnyOrderElementsOf(Analyzers.languages());
  }

  static List<String> languages() {
    return Tier.some(List.copyOf(Analyzers.languages()), 8);
  }

  @ParameterizedTest
  @MethodSource("languages")
  void theLanguageIsIndexedAsByIndexWriter(String code) throws Exception {
    AnalysisDefinition definition = AnalysisDefinition.ofLanguage(code);
    try (Analyzer analyzer = Analyzers.named(definition.analyzer())) {
      compare(IndexAnalysis.of(definition), analyzer);
    }
  }

  @Test
  void englishWithAnotherStemmerIsIndexedAsByIndexWriter() throws Exception {
    AnalysisDefinition english = AnalysisDefinition.of("english");
    try (Analyzer krovetz = english().addTokenFilter("kStem").build();
        Analyzer none = english().build()) {
      compare(IndexAnalysis.of(english.withStemmer("krovetz")), krovetz);
      compare(IndexAnalysis.of(english.withStemmer("none")), none);
    }
  }

  private static CustomAnalyzer.Builder english() throws IOException {
    return CustomAnalyzer.builder()
        .withTokenizer("standard")
        .addTokenFilter("englishPossessive")
        .addTokenFilter("lowercase")
        .addTokenFilter("stop");
  }

  @Test
  void otherStopWordsAreThoseOfIndexWriter() throws Exception {
    ImmutableSet<String> words = ImmutableSet.of("rivers", "old", "die", "Häuser");
    CharArraySet set = new CharArraySet(words, true);
    try (Analyzer english = new EnglishAnalyzer(set);
        Analyzer german = new GermanAnalyzer(set);
        Analyzer standard = new StandardAnalyzer(set);
        Analyzer none = new EnglishAnalyzer(CharArraySet.EMPTY_SET)) {
      compare(analysis("english", words), english);
      compare(analysis("german", words), german);
      compare(analysis("standard", words), standard);
      compare(analysis("english", ImmutableSet.of()), none);
    }
  }

  private static IndexAnalysis analysis(String name, ImmutableSet<String> stopWords) {
    return IndexAnalysis.of(AnalysisDefinition.of(name).withStopWords(stopWords));
  }

  @Test
  void wordsAreCutWhereIndexWriterCutsThem() throws Exception {
    try (StandardAnalyzer standard = new StandardAnalyzer();
        Analyzer english =
            CustomAnalyzer.builder()
                .withTokenizer("standard", "maxTokenLength", "4")
                .addTokenFilter("englishPossessive")
                .addTokenFilter("lowercase")
                .addTokenFilter("stop")
                .addTokenFilter("porterStem")
                .build();
        Analyzer whitespace =
            CustomAnalyzer.builder().withTokenizer("whitespace", "maxTokenLen", "300").build()) {
      standard.setMaxTokenLength(7);
      compare(IndexAnalysis.of(AnalysisDefinition.STANDARD.withMaxTokenLength(7)), standard);
      compare(IndexAnalysis.of(AnalysisDefinition.of("english").withMaxTokenLength(4)), english);
      compare(
          IndexAnalysis.of(AnalysisDefinition.of("whitespace").withMaxTokenLength(300)),
          whitespace);
    }
  }

  @Test
  void aChainOfLucenesPartsNeedsItsFilesNoMoreOnceTheIndexIsBuilt() throws Exception {
    Path stop = Files.writeString(directory.resolve("stop.txt"), "und\nthe\n# a comment\n");
    Path chain =
        Files.writeString(
            directory.resolve("chain.properties"),
            """
            analyzer.charFilter.1 = patternReplace(pattern="(a|b),c", replacement=x)
            analyzer.tokenizer = standard(maxTokenLength=100)
            analyzer.filter.1 = lowercase
            analyzer.filter.2 = stop(words=stop.txt, ignoreCase=true)
            analyzer.filter.10 = snowballPorter(language=German)
            analyzer.filter.9 = asciiFolding(preserveOriginal=true)
            """);
    AnalysisDefinition definition = AnalyzerChain.read(chain);
    try (Analyzer lucenes =
        CustomAnalyzer.builder(directory)
            .addCharFilter("patternReplace", "pattern", "(a|b),c", "replacement", "x")
            .withTokenizer("standard", "maxTokenLength", "100")
            .addTokenFilter("lowercase")
            .addTokenFilter("stop", "words", "stop.txt", "ignoreCase", "true")
            .addTokenFilter("asciiFolding", "preserveOriginal", "true")
            .addTokenFilter("snowballPorter", "language", "German")
            .build()) {
      Files.delete(stop);
      Files.delete(chain);
      compare(IndexAnalysis.of(definition), lucenes);
    }
  }

  @Test
  void everyFieldHasTheAnalyzerThatItWasGiven() throws Exception {
    IndexAnalysis analysis =
        IndexAnalysis.of("english").with("title", AnalysisDefinition.of("whitespace"));
    try (Analyzer english = Analyzers.named("english");
        Analyzer whitespace = Analyzers.named("whitespace");
        Analyzer lucenes = new PerFieldAnalyzerWrapper(english, Map.of("title", whitespace))) {
      compare(analysis, lucenes);
    }
  }

  private void compare(IndexAnalysis analysis, Analyzer lucenes) throws Exception {
    int number = Objects.requireNonNull(directory.toFile().list()).length;
    BuildOptions options =
        EveryWay.options(
            crawl,
            directory.resolve("index-" + number),
            new IndexedText(FieldPlan.DEFAULT, analysis, true, Store.CONTENTS));
    new Indexing(options, Target.ownIndex(), new BuildProgress(), SMALL_RUNS).run();
    IndexVerifier.verify(options.output(), ProgressListener.NONE);
    BuildOptions straight = options.withOutput(directory.resolve("lucene-" + number));
    Target target = Target.lucene(1, IndexCheck.SLOW);
    new Indexing(straight, target, new BuildProgress(), SMALL_RUNS).run();
    try (DirectoryReader reference =
            ReferenceIndex.inMemory(options.schema(), lucenes, Crawls.read(crawl));
        InvertedIndex index = InvertedIndex.open(options.output());
        IndexLeafReader ours = new IndexLeafReader(index);
        Directory lucene = FSDirectory.open(straight.output());
        DirectoryReader built = DirectoryReader.open(lucene)) {
      IndexEquality.assertSame(reference, ours);
      IndexEquality.assertSame(reference, built);
      IndexAnalysis read = IndexAnalysis.from(index.metadata().options());
      assertThat(read).isEqualTo(analysis);
      try (Analyzer queries = read.newAnalyzer();
          Searcher searcher = new Searcher(index, queries, Bm25.LUCENE)) {
        for (List<String> sentence : sentences()) {
          assertThat(searcher.searchWords(sentence.get(1), 1).hits()).hasSize(1);
        }
      }
    }
  }
}
