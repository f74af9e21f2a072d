package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import io.kmodel.indexer.analysis.AnalysisDefinition;
import io.kmodel.indexer.equality.NaiveIndex;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.equality.Schemas;
import io.kmodel.indexer.equality.Schemas.Stored;
import io.kmodel.indexer.export.ciff.CiffExportOptions;
import io.kmodel.indexer.export.ciff.CiffExporter;
import io.kmodel.indexer.export.ciff.MalformedCiffException;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.DeclaredStatistics;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.verify.IndexVerifier;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.search.Bm25;
import io.kmodel.indexer.search.Hit;
import io.kmodel.indexer.search.Searcher;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CiffImportTest {
  private static final Analyzer ANALYZER = new StandardAnalyzer();

  private static final String[] ONE_DOCUMENT = {
    "0C 0801 1001 1801 2001 2801 3002", "0B 0A0178 1001 1802 22021002", "05 120161 1802"
  };

  @TempDir Path directory;

  @Test
  void anIndexComesBackWithTheSamePostingsIdsAndLengths() throws Exception {
    assertComesBack(directory, SampleDocuments.random(21, 2000, 40), ".gz");
    assertComesBack(directory.resolve("awkward"), SampleDocuments.awkward(), "");
  }

  @Test
  void anIndexWithoutDocumentsComesBack() throws Exception {
    assertComesBack(directory, List.of(), "");
    assertComesBack(
        directory.resolve("empty"),
        List.of(new ParsedDocument("b", "", ""), new ParsedDocument("a", "", "")),
        "");
  }

  @Property(tries = 25)
  void anyIndexComesBack(@ForAll("collections") List<ParsedDocument> documents) throws Exception {
    Path root = Files.createTempDirectory("ciff");
    try {
      assertComesBack(root, documents, "");
    } finally {
      Directories.deleteTree(root);
    }
  }

  @Provide
  Arbitrary<List<ParsedDocument>> collections() {
    Arbitrary<String> word = Arbitraries.strings().withCharRange('a', 'c').ofMaxLength(3);
    Arbitrary<String> text = word.list().ofMaxSize(25).map(words -> String.join(" ", words));
    Arbitrary<String> id = Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(2);
    return Combinators.combine(id, text, text).as(ParsedDocument::new).list().ofMaxSize(12);
  }

  private static void writeFrequencies(Path index, List<ParsedDocument> documents)
      throws IOException {
    NaiveIndex.write(index, Schemas.of(Detail.FREQUENCIES, Stored.IDS), ANALYZER, documents);
  }

  private static void assertComesBack(Path root, List<ParsedDocument> documents, String suffix)
      throws IOException, InterruptedException {
    Files.createDirectories(root);
    Path ours = root.resolve("ours");
    Path file = root.resolve("file.ciff" + suffix);
    Path back = root.resolve("back");
    NaiveIndex.write(ours, Schemas.of(Detail.POSITIONS, Stored.CONTENTS), ANALYZER, documents);
    try (InvertedIndex index = InvertedIndex.open(ours)) {
      CiffExporter.export(index, file, CiffExportOptions.DEFAULT, ProgressListener.NONE);
      CiffImport.Result result = importFile(file, back);
      assertThat(result.withoutLength()).isZero();
      assertThat(result.withoutPostings()).isZero();
      IndexVerifier.verify(back, ProgressListener.NONE);
      try (InvertedIndex imported = InvertedIndex.open(back)) {
        assertThat(documents(imported)).isEqualTo(documents(index));
        assertThat(postings(imported, Schema.CONTENTS)).isEqualTo(postings(index, Schema.CONTENTS));
        assertThat(postings(imported, Schema.ID)).isEqualTo(postings(index, Schema.ID));
        int contents = imported.schema().ordinal(Schema.CONTENTS);
        assertThat(imported.statistics(contents))
            .isEqualTo(index.statistics(index.schema().ordinal(Schema.CONTENTS)));
        LuceneExporter.export(imported, root.resolve("lucene"), ExportOptions.DEFAULT);
      }
    }
  }

  @Test
  void searchesOfTheImportedIndexScoreAsInTheOriginal() throws Exception {
    Path ours = directory.resolve("ours");
    Path file = directory.resolve("file.ciff");
    writeFrequencies(ours, SampleDocuments.random(4, 300, 40));
    try (InvertedIndex index = InvertedIndex.open(ours)) {
      CiffExporter.export(index, file, CiffExportOptions.DEFAULT, ProgressListener.NONE);
      importFile(file, directory.resolve("back"));
      try (InvertedIndex imported = InvertedIndex.open(directory.resolve("back"));
          Searcher expected = new Searcher(index, ANALYZER, Bm25.LUCENE);
          Searcher actual = new Searcher(imported, ANALYZER, Bm25.LUCENE)) {
        for (String query : List.of("w3 w4 w5", "+w3 -w4", "w7*")) {
          assertThat(scores(actual, query)).isEqualTo(scores(expected, query)).isNotEmpty();
        }
      }
    }
  }

  @Test
  void lengthsOfAnotherEngineAreKeptAndWhatCannotBeIsCounted() throws Exception {
    // "x" in documents 0 and 2, of 4; their lengths are 9, 5 (no postings), 0 (a posting) and 0.
    Path file =
        write(
            "0C 0801 1001 1804 2007 2804 300E",
            "11 0A0178 1002 1803 22021002 2204 0802 1001",
            "05 120161 1809",
            "07 0801 120162 1805",
            "05 0802 120161",
            "05 0803 120164");
    CiffImport.Result result = importFile(file, directory.resolve("index"));
    assertThat(result.withoutPostings()).as("the index keeps it").isZero();
    assertThat(result.withoutLength()).isEqualTo(1);
    assertThat(result.totalLength()).isEqualTo(14);
    assertThat(result.totalFrequency()).isEqualTo(3);
    IndexVerifier.verify(directory.resolve("index"), ProgressListener.NONE);
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("index"))) {
      assertThat(documents(index)).containsExactly("a 9", "b 0", "a 1", "d 0");
      assertThat(postings(index, Schema.ID)).containsExactly("a 0 1", "a 2 1", "b 1 1", "d 3 1");
      LuceneExporter.export(index, directory.resolve("lucene"), ExportOptions.DEFAULT);
      Path again = directory.resolve("again.ciff");
      CiffExporter.export(index, again, CiffExportOptions.DEFAULT, ProgressListener.NONE);
      CiffImport.Result back = importFile(again, directory.resolve("back"));
      assertThat(back.totalLength()).isEqualTo(14);
      assertThat(back.header().totalTerms()).isEqualTo(14);
      assertThat(back.header().totalPostingsLists()).isEqualTo(7);
      assertThat(back.header().description()).contains(", given lengths, index ");
    }
  }

  /**
   * Published files have the lists of some queries' terms. The average was that of the lists, 1.33,
   * and the order was turned round; an export had a length of 0 for the third document.
   */
  @Test
  void aFileWithTheListsOfSomeTermsIsScoredByItsHeader() throws Exception {
    String hex =
        "1a080110011803208827280330a403390000000000806140420178130a03666f78100218042202"
            + "10032204080110010612014118ac02070801120142185a070802120143181e";
    Path file = Files.write(directory.resolve("some.ciff"), HexFormat.of().parseHex(hex));
    CiffImport.Result result = importFile(file, directory.resolve("index"));
    assertThat(result.declared()).isEqualTo(new DeclaredStatistics(3, 420, 5000, 140));
    IndexVerifier.verify(directory.resolve("index"), ProgressListener.NONE);
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("index"))) {
      try (Searcher searcher = new Searcher(index, ANALYZER, Bm25.LUCENE)) {
        List<Hit> hits = searcher.search("fox", 10).hits();
        assertThat(hits).extracting(Hit::id).containsExactly("A", "B");
        assertThat(hits.get(0).score()).isCloseTo(0.276f, within(0.0005f));
        assertThat(hits.get(1).score()).isCloseTo(0.252f, within(0.0005f));
      }
      Path again = directory.resolve("again.ciff");
      CiffExporter.export(index, again, CiffExportOptions.DEFAULT, ProgressListener.NONE);
      CiffImport.Result back = importFile(again, directory.resolve("back"));
      assertThat(back.declared()).isEqualTo(result.declared());
      assertThat(back.totalLength()).isEqualTo(420);
      assertThat(back.header())
          .usingRecursiveComparison()
          .ignoringFields("description")
          .isEqualTo(result.header());
      LuceneExporter.export(index, directory.resolve("lucene"), ExportOptions.DEFAULT);
    }
  }

  /** Their lengths are handed on in pieces of 4096. */
  @Test
  void manyDocumentsComeBackAndProgressEndsWhereItShould() throws Exception {
    List<Long> told = new ArrayList<>();
    List<String> expected;
    Path ours = directory.resolve("ours");
    Path file = directory.resolve("file.ciff");
    writeFrequencies(ours, SampleDocuments.random(6, 5000, 5));
    long work;
    try (InvertedIndex index = InvertedIndex.open(ours)) {
      CiffExporter.export(index, file, CiffExportOptions.DEFAULT, ProgressListener.NONE);
      expected = documents(index);
      work = index.statistics(index.schema().ordinal(Schema.CONTENTS)).terms() + 5000;
    }
    Path back = directory.resolve("back");
    new CiffImport(
            options(file, back),
            (done, total) -> {
              assertThat(total).isEqualTo(work);
              told.add(done);
            })
        .run();
    assertThat(told).isSorted().hasSizeGreaterThan(1).endsWith(work);
    try (InvertedIndex index = InvertedIndex.open(back)) {
      assertThat(documents(index)).isEqualTo(expected);
      assertThat(index.metadata().options())
          .containsEntry("source", "ciff")
          .containsEntry("store", "id")
          .containsEntry("positions", "false");
    }
  }

  @Test
  void moreDocumentsThanAnIndexHoldsAreRefused() throws Exception {
    Path file = write("14 0801 1000 18FFFFFFFF07 2000 28FFFFFFFF07 3000");
    assertThatThrownBy(() -> importFile(file, directory.resolve("index")))
        .isInstanceOf(FormatLimitException.class)
        .hasMessage(file + " has 2147483647 documents; an index holds one less");
  }

  @Test
  void aFileThatTheImportWouldDeleteIsRefused() throws Exception {
    Path building = Files.createDirectory(directory.resolve("index.building"));
    Path file = Files.move(write(ONE_DOCUMENT), building.resolve("journal"));
    assertThatThrownBy(() -> importFile(file, directory.resolve("index")))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining(file + " cannot be input of a build of ");
    assertThat(file).exists();
  }

  @Test
  void aDamagedFileLeavesNothing() throws Exception {
    Path file =
        write("0C 0801 1001 1801 2001 2801 3002", "0B 0A0178 1001 1803 22021002", "05 120161 1802");
    Path output = directory.resolve("index");
    assertThatThrownBy(() -> importFile(file, output))
        .isInstanceOf(MalformedCiffException.class)
        .hasMessageContaining("before offset 25");
    assertThat(output).doesNotExist();
    assertThat(directory).isDirectoryNotContaining("glob:**building*");
  }

  /** A posting of the last document of 2^31 - 2 that are not there. */
  @Test
  void aShortFileThatClaimsManyDocumentsTakesLittleMemory() throws Exception {
    Path file =
        write(
            "14 0801 1001 18FEFFFFFF07 2001 28FEFFFFFF07 3001",
            "11 0A0178 1001 1801 220808FDFFFFFF07 1001");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(() -> importFile(file, directory.resolve("index")))
        .isInstanceOf(MalformedCiffException.class)
        .hasMessageContaining("unexpected end of file; expected document record 0 of 2147483646");
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100 << 20);
  }

  @Test
  void anIndexThatIsThereIsKept() throws Exception {
    Path file = write(ONE_DOCUMENT);
    Path output = directory.resolve("index");
    importFile(file, output);
    assertThatThrownBy(() -> importFile(file, output))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("--overwrite");
    new CiffImport(
            new CiffImport.Options(file, output, AnalysisDefinition.of("english"), true),
            ProgressListener.NONE)
        .run();
    try (InvertedIndex index = InvertedIndex.open(output)) {
      assertThat(index.metadata().options()).containsEntry("analyzer", "english");
    }
    assertThatThrownBy(
            () ->
                new CiffImport(
                    new CiffImport.Options(file, output, AnalysisDefinition.of("englsh"), true),
                    ProgressListener.NONE))
        .hasMessageContaining("did you mean 'english'");
  }

  @Test
  void namesAreSortedInManyRuns() throws Exception {
    Path runs = Files.createDirectory(directory.resolve("runs"));
    Schema schema = Schemas.of(Detail.FREQUENCIES, Stored.IDS);
    Path file = directory.resolve("file.ciff");
    try (NameRuns names = new NameRuns(file, schema, runs, 64 << 10)) {
      for (int i = 0; i < 5000; i++) {
        names.add(("name" + i).getBytes(StandardCharsets.UTF_8));
      }
      assertThat(names.seal()).hasSizeGreaterThan(2);
      assertThatThrownBy(() -> names.add(new byte[1 << 20]))
          .isInstanceOf(BuildException.class)
          .hasMessageContaining(file + ": the name of document 5000 has 1048576 bytes");
    }
  }

  private static CiffImport.Result importFile(Path file, Path output)
      throws IOException, InterruptedException {
    return new CiffImport(options(file, output), ProgressListener.NONE).run();
  }

  private static CiffImport.Options options(Path file, Path output) {
    return new CiffImport.Options(file, output, AnalysisDefinition.STANDARD, false);
  }

  private Path write(String... messages) throws IOException {
    String hex = String.join("", Arrays.asList(messages)).replace(" ", "");
    return Files.write(directory.resolve("foreign.ciff"), HexFormat.of().parseHex(hex));
  }

  private static List<String> documents(InvertedIndex index) throws IOException {
    List<String> documents = new ArrayList<>();
    int id = index.schema().ordinal(Schema.ID);
    int contents = index.schema().ordinal(Schema.CONTENTS);
    try (StoredTexts texts = index.documents()) {
      for (int docId = 0; docId < index.documentCount(); docId++) {
        documents.add(texts.text(docId, id) + " " + index.length(contents, docId));
      }
    }
    return documents;
  }

  private static List<String> postings(InvertedIndex index, String field) throws IOException {
    List<String> postings = new ArrayList<>();
    int[] docs = new int[PostingsCursor.BLOCK];
    int[] freqs = new int[PostingsCursor.BLOCK];
    try (PostingsCursor cursor = index.cursor()) {
      while (cursor.nextTerm()) {
        if (cursor.term()[0] == index.schema().ordinal(field)) {
          String term =
              new String(cursor.term(), 1, cursor.termLength() - 1, StandardCharsets.UTF_8);
          for (int n; (n = cursor.nextDocs(docs, freqs)) > 0; ) {
            for (int i = 0; i < n; i++) {
              postings.add(term + " " + docs[i] + " " + freqs[i]);
            }
          }
        }
      }
    }
    return postings;
  }

  private static List<String> scores(Searcher searcher, String query) throws IOException {
    return searcher.search(query, 50).hits().stream()
        .map(hit -> hit.id() + " " + hit.score())
        .toList();
  }
}
