package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.equality.ReferenceIndex;
import io.kmodel.indexer.equality.SearchEquality;
import io.kmodel.indexer.export.lucene.view.IndexLeafReader;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.search.Bm25;
import io.kmodel.indexer.search.FieldWeights;
import io.kmodel.indexer.search.Searcher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.DirectoryReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever the fields, and whatever is stored: the index is what IndexWriter makes of them. */
class FieldsEqualityTest {
  private static final Path SITE = Path.of("corpus-samples/site");
  private static final Path FORMATS = Path.of("corpus-samples/formats");
  private static final MemoryPlan SMALL_RUNS = new MemoryPlan(1 << 30, 3 << 20, 1 << 20, 256 << 20);
  private static final FieldPlan ALL =
      FieldPlan.parse("title,contents,headings,anchors,url").combine("all=title,contents,url");

  @TempDir Path directory;

  @Test
  void everyPartOfAPageIsAFieldOfItsOwn() throws Exception {
    IndexAnalysis analysis =
        IndexAnalysis.of("english").with("url", AnalysisDefinition.of("standard"));
    BuildOptions options = compare(SITE, new IndexedText(ALL, analysis, true, Store.CONTENTS));
    try (InvertedIndex index = InvertedIndex.open(options.output());
        Analyzer queries = IndexAnalysis.from(index.metadata().options()).newAnalyzer();
        Searcher searcher = new Searcher(index, queries, Bm25.LUCENE)) {
      assertThat(index.metadata().options())
          .containsEntry("field.all.parts", "title,contents,url")
          .containsEntry("field.url.analyzer", "standard")
          .doesNotContainKey("field.title.parts");
      for (String field : ALL.parts().keySet()) {
        assertThat(index.statistics(index.schema().ordinal(field)).terms()).as(field).isPositive();
      }
      assertThat(searcher.search("url:river headings:river anchors:river all:river", 5).hits())
          .hasSize(5);
      assertThat(searcher.search("+url:\"rivers river 2.html\"", 5).hits()).hasSize(1);
      assertThat(searcher.search("+headings:gorge -title:zebra", 5).found())
          .isBetween(1L, searcher.search("gorge", 5).found());
    }
  }

  @Test
  void contentsMayHoldTheTitle() throws Exception {
    FieldPlan plan = FieldPlan.parse("contents").combine("contents=title,contents");
    IndexedText text = new IndexedText(plan, IndexAnalysis.of("standard"), true, Store.CONTENTS);
    assertThat(text.schema().fields())
        .extracting(field -> field.name())
        .containsExactly("contents", "id");
    BuildOptions options = compare(FORMATS, text);
    try (InvertedIndex index = InvertedIndex.open(options.output())) {
      assertThat(index.metadata().options())
          .containsEntry("field.contents.parts", "title,contents");
    }
  }

  @Test
  void anIndexNeedsNoContents() throws Exception {
    IndexedText text =
        new IndexedText(
            FieldPlan.parse("anchors,url"), IndexAnalysis.of("standard"), false, Store.ID);
    BuildOptions options = compare(SITE, text);
    try (InvertedIndex index = InvertedIndex.open(options.output());
        Analyzer queries = IndexAnalysis.from(index.metadata().options()).newAnalyzer();
        Searcher searcher =
            new Searcher(index, queries, Bm25.LUCENE, FieldWeights.parse("anchors,url"))) {
      assertThat(searcher.search("river", 3).hits()).hasSize(3);
      assertThatThrownBy(() -> new Searcher(index, queries, Bm25.LUCENE))
          .hasMessageContaining("no field 'contents'");
    }
  }

  @ParameterizedTest
  @CsvSource({"'', some words", "a title, ''", "'', ''"})
  void fieldsWithoutAnyTextAreIndexedAsByIndexWriter(String title, String contents)
      throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Crawls.write(crawl, Collections.nCopies(60, new ParsedDocument("", title, contents)));
    IndexedText text =
        new IndexedText(FieldPlan.DEFAULT, IndexAnalysis.of("standard"), true, Store.CONTENTS);
    EveryWay.compare(options(crawl, text), SMALL_RUNS, Target.SEGMENT_PER_RUN, 1, 2);
  }

  @Test
  void documentsAreStoredAsTheyCame() throws Exception {
    IndexedText text =
        new IndexedText(FieldPlan.DEFAULT, IndexAnalysis.of("standard"), true, Store.RAW);
    BuildOptions options = compare(SITE, text);
    BuildOptions jsoup =
        new BuildOptions(
            options.roots(),
            options.source(),
            options.duplicates(),
            directory.resolve("jsoup"),
            false,
            HtmlMode.JSOUP,
            text,
            options.resources());
    new Indexing(jsoup, Target.ownIndex(), new BuildProgress(), SMALL_RUNS).run();
    try (InvertedIndex index = InvertedIndex.open(options.output());
        InvertedIndex byJsoup = InvertedIndex.open(jsoup.output())) {
      assertThat(byJsoup.metadata().files()).isEqualTo(index.metadata().files());
      int raw = index.schema().ordinal("raw");
      assertThat(index.statistics(raw).terms()).isZero();
      assertThat(index.metadata().options()).containsEntry("store", "raw");
      try (StoredTexts stored = index.documents()) {
        int id = index.schema().ordinal("id");
        for (int doc = 0; doc < index.documentCount(); doc++) {
          if (stored.text(doc, id).equals("index.html")) {
            assertThat(stored.text(doc, raw))
                .isEqualTo(Files.readString(SITE.resolve("index.html")));
            return;
          }
        }
        throw new AssertionError("there is no index.html");
      }
    }
  }

  @Test
  void aDocumentsUrlIsItsUriOrItsPath() throws Exception {
    FieldPlan url = FieldPlan.parse("url");
    assertThat(Crawls.read(SITE, url).stream().map(document -> document.text("url").string()))
        .contains("index.html", "rivers/river-2.html");
    List<String> urls =
        Crawls.read(FORMATS, url).stream().map(document -> document.text("url").string()).toList();
    assertThat(urls).anyMatch(uri -> uri.startsWith("http"));
  }

  private BuildOptions options(Path crawl, IndexedText text) {
    return EveryWay.options(crawl, directory.resolve("index"), text);
  }

  private BuildOptions compare(Path crawl, IndexedText text) throws Exception {
    BuildOptions options = options(crawl, text);
    EveryWay.compare(options, SMALL_RUNS, Target.SEGMENT_PER_RUN, 2);
    try (Analyzer lucenes = text.analysis().newAnalyzer();
        DirectoryReader reference =
            ReferenceIndex.inMemory(options.schema(), lucenes, Crawls.read(crawl, text.fields()));
        InvertedIndex index = InvertedIndex.open(options.output());
        IndexLeafReader ours = new IndexLeafReader(index)) {
      SearchEquality.assertSame(reference, ours, 1, 100);
    }
    return options;
  }
}
