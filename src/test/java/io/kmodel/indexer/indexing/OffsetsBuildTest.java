package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.analysis.AnalyzerChain;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.SourceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.uhighlight.DefaultPassageFormatter;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds with offsets: the same bytes whatever the threads and the memory, what IndexWriter keeps
 * whatever the fields and the analyzer, and what a highlighter of Lucene's needs. See {@link
 * BuildEqualityTest} for the analyzers of every day.
 */
class OffsetsBuildTest {
  private static final Path SITE = Path.of("corpus-samples/site");
  private static final MemoryPlan SMALL_RUNS = plan(3 << 20);

  @TempDir Path directory;

  private static MemoryPlan plan(long runBytes) {
    return new MemoryPlan(1 << 30, runBytes, 64 << 20, 256 << 20);
  }

  private BuildOptions options(Path crawl, String output, int threads, IndexedText text) {
    return new BuildOptions(
        ImmutableList.of(crawl),
        SourceOptions.DEFAULT,
        Duplicates.KEEP,
        directory.resolve(output),
        false,
        HtmlMode.FAST,
        text,
        new BuildOptions.Resources(threads, 4L << 30));
  }

  private static IndexedText text(Detail detail) {
    return new IndexedText(FieldPlan.DEFAULT, IndexAnalysis.of("standard"), detail, Store.CONTENTS);
  }

  private Path crawl(List<ParsedDocument> documents) throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Crawls.write(crawl, documents);
    return crawl;
  }

  @Test
  void theSameInputGivesTheSameBytesWhateverTheThreadsAndTheRuns() throws Exception {
    Path crawl = crawl(SampleDocuments.random(12, 1000, 120));
    Map<String, List<Byte>> expected = new TreeMap<>();
    List<Integer> runs = new ArrayList<>();
    MemoryPlan passes = new MemoryPlan(1 << 30, 1 << 20, 64 << 10, 256 << 20);
    List<MemoryPlan> plans = List.of(plan(64 << 20), plan(1 << 20), plan(1 << 18), passes);
    for (int i = 0; i < plans.size(); i++) {
      BuildOptions options = options(crawl, "index-" + i, 1 + 3 * (i % 3), text(Detail.OFFSETS));
      BuildReport report =
          new Indexing(options, Target.ownIndex(), new BuildProgress(), plans.get(i)).run();
      if (i == 0) {
        expected = files(options.output());
      }
      assertThat(files(options.output())).isEqualTo(expected);
      runs.add(report.runs());
    }
    assertThat(runs.get(2)).isGreaterThan(runs.get(1)).isGreaterThan(runs.get(0));
    assertThat(runs.get(3)).isGreaterThan(4);
  }

  /** Every file but the reports. */
  private static Map<String, List<Byte>> files(Path index) throws IOException {
    Map<String, List<Byte>> files = new TreeMap<>();
    try (Stream<Path> entries = Files.list(index)) {
      for (Path file : (Iterable<Path>) entries::iterator) {
        if (!BuildReport.isReport(file)) {
          List<Byte> bytes = new ArrayList<>();
          for (byte b : Files.readAllBytes(file)) {
            bytes.add(b);
          }
          files.put(file.getFileName().toString(), bytes);
        }
      }
    }
    return files;
  }

  @Test
  void nothingButTheOffsetsIsAdded() throws Exception {
    Path crawl = crawl(SampleDocuments.random(13, 300, 60));
    BuildOptions with = options(crawl, "with", 2, text(Detail.OFFSETS));
    BuildOptions without = options(crawl, "without", 2, text(Detail.POSITIONS));
    new Indexing(with, Target.ownIndex(), new BuildProgress(), SMALL_RUNS).run();
    new Indexing(without, Target.ownIndex(), new BuildProgress(), SMALL_RUNS).run();
    Map<String, List<Byte>> more = files(with.output());
    Map<String, List<Byte>> less = files(without.output());
    assertThat(more.keySet()).isEqualTo(less.keySet());
    List<String> different = new ArrayList<>();
    more.forEach(
        (name, bytes) -> {
          if (!bytes.equals(less.get(name))) {
            different.add(name);
          }
        });
    // Where positions lie stands in the skip tables and in the dictionary.
    assertThat(different)
        .isSubsetOf(
            "index.json", "postings.docs", "postings.positions", "terms.dictionary", "terms.index");
    try (InvertedIndex index = InvertedIndex.open(with.output())) {
      assertThat(index.metadata().options()).containsEntry("offsets", "true");
    }
    assertThat(with.identity()).containsEntry("offsets", "true");
    assertThat(without.identity()).containsEntry("offsets", "false");
  }

  @Test
  void everyFieldHasTheOffsetsThatIndexWriterGivesIt() throws Exception {
    FieldPlan plan =
        FieldPlan.parse("title,contents,headings,anchors,url").combine("all=title,contents,url");
    IndexAnalysis analysis =
        IndexAnalysis.of("english").with("url", AnalysisDefinition.of("whitespace"));
    compare(SITE, new IndexedText(plan, analysis, Detail.OFFSETS, Store.RAW));
  }

  @Test
  void tokensAtOnePositionAndTextThatIsFilteredFirstKeepTheirOffsets() throws Exception {
    Path chain =
        Files.writeString(
            directory.resolve("chain.properties"),
            """
            analyzer.charFilter.1 = htmlStrip
            analyzer.charFilter.2 = patternReplace(pattern="[0-9]+", replacement=number)
            analyzer.tokenizer = standard
            analyzer.filter.1 = lowercase
            analyzer.filter.2 = asciiFolding(preserveOriginal=true)
            analyzer.filter.3 = ngram(minGramSize=2, maxGramSize=3, preserveOriginal=true)
            """);
    List<ParsedDocument> documents = new ArrayList<>(SampleDocuments.random(14, 60, 60));
    documents.add(
        new ParsedDocument(
            "",
            "<b>N\u00E4\u00EFve</b> &amp; 12345",
            "\uD83D\uDE00 <i>r\u00F4le</i> \u6F22\u5B57 <x"));
    documents.addAll(SampleDocuments.awkward().subList(0, 6));
    Path crawl = crawl(documents);
    compare(
        crawl,
        new IndexedText(
            FieldPlan.DEFAULT,
            IndexAnalysis.of(AnalyzerChain.read(chain)),
            Detail.OFFSETS,
            Store.CONTENTS));
  }

  @Test
  void pairsOfCharactersKeepTheirOffsets() throws Exception {
    Path crawl =
        crawl(
            List.of(
                new ParsedDocument("", "\u6F22\u5B57\u4EEE\u540D", "\u6F22\u5B57 a \u4EEE\u540D."),
                new ParsedDocument("", "one", "\uD840\uDC00\u6F22 two \uFF76\uFF9E three")));
    compare(
        crawl,
        new IndexedText(
            FieldPlan.DEFAULT, IndexAnalysis.of("cjk"), Detail.OFFSETS, Store.CONTENTS));
  }

  private void compare(Path crawl, IndexedText text) throws Exception {
    BuildOptions options = options(crawl, "index", 2, text);
    EveryWay.compare(options, SMALL_RUNS, Target.SEGMENT_PER_RUN, 1, 3);
  }

  @Test
  void lucenesHighlighterFindsPassagesWithoutAnalyzingAnything() throws Exception {
    BuildOptions options = options(SITE, "lucene", 2, text(Detail.OFFSETS));
    new Indexing(options, Target.lucene(1, IndexCheck.SLOW), new BuildProgress()).run();
    try (Directory lucene = FSDirectory.open(options.output());
        DirectoryReader reader = DirectoryReader.open(lucene)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      Query river = new TermQuery(new Term("contents", "river"));
      TopDocs found = searcher.search(river, 5);
      String[] passages =
          Objects.requireNonNull(new OfRaw(searcher).highlight("contents", river, found, 2));
      assertThat(passages).hasSize(5).allMatch(passage -> passage.contains("<b>river</b>"));
    }
  }

  /** Reads the contents where they are stored, and fails if they are to be analyzed. */
  private static final class OfRaw extends UnifiedHighlighter {
    OfRaw(IndexSearcher searcher) {
      super(
          UnifiedHighlighter.builder(
                  searcher,
                  new Analyzer() {
                    @Override
                    protected TokenStreamComponents createComponents(String fieldName) {
                      throw new AssertionError("the text of " + fieldName + " is analyzed again");
                    }
                  })
              .withFormatter(new DefaultPassageFormatter()));
    }

    @Override
    protected List<CharSequence[]> loadFieldValues(
        String[] fields, DocIdSetIterator documents, int cacheCharsThreshold) throws IOException {
      assertThat(fields).containsExactly("contents");
      IndexReader reader = searcher.getIndexReader();
      List<CharSequence[]> texts = new ArrayList<>();
      for (int doc = documents.nextDoc();
          doc != DocIdSetIterator.NO_MORE_DOCS;
          doc = documents.nextDoc()) {
        texts.add(new CharSequence[] {reader.storedFields().document(doc).get("raw")});
      }
      return texts;
    }
  }

  @Test
  void textsHaveFrequenciesAtLeast() {
    assertThatThrownBy(() -> text(Detail.DOCUMENTS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("texts have frequencies at least; got DOCUMENTS");
  }
}
