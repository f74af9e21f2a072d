package io.kmodel.indexer.indexing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.equality.IndexEquality;
import io.kmodel.indexer.equality.MetadataEquality;
import io.kmodel.indexer.equality.ReferenceIndex;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.view.IndexLeafReader;
import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.faults.FaultyFileSystem;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.columns.ColumnReader;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.Column;
import io.kmodel.indexer.index.model.ColumnStatistics;
import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.ColumnValues;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.verify.DeepVerifier;
import io.kmodel.indexer.index.verify.IndexVerifier;
import io.kmodel.indexer.indexing.merge.DocumentValues;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.field.MetadataPlan;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.DiskSpace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Builds with metadata, compared with IndexWriter's index of the same documents and values. */
class MetadataBuildTest {
  /**
   * In the thorough tier, indexes of both directories and of each have several blocks of columns.
   */
  private static final int DOCUMENTS = Tier.pick(360, 9000);

  private static final int MOST_WORDS = Tier.pick(300, 60);

  private static final MetadataPlan PLAN =
      MetadataPlan.parse(
          List.of("language"),
          List.of("site=site:string", "day=day:date", "score=score:double", "year=year:int"));

  private static final ImmutableList<Column> COLUMNS = PLAN.columns();

  @TempDir Path directory;
  private final List<ParsedDocument> documents = new ArrayList<>();
  private final List<Path> crawls = new ArrayList<>();

  /** Two directories of pages. */
  @BeforeEach
  void write() throws IOException {
    Random random = new Random(7);
    for (int part = 0; part < 2; part++) {
      Path crawl = Files.createDirectory(directory.resolve("crawl" + part));
      crawls.add(crawl);
      for (int doc = 0; doc < DOCUMENTS / 2; doc++) {
        String id = String.format(Locale.ROOT, "p%05d-%d.html", doc, part);
        // IndexWriter numbers fields as they come, ours as the schema has them.
        ColumnValues values = values(random, documents.isEmpty());
        StringBuilder text = new StringBuilder();
        for (int word = random.nextInt(MOST_WORDS); word >= 0; word--) {
          text.append(" w").append(random.nextInt(1000));
        }
        documents.add(
            new ParsedDocument(id, "Page " + doc, text.toString().strip()).withValues(values));
        Files.writeString(crawl.resolve(id), page(values, doc, text.toString()));
      }
    }
  }

  private static ColumnValues values(Random random, boolean isFull) {
    ColumnValues values = new ColumnValues(COLUMNS);
    if (isFull || random.nextInt(4) > 0) {
      values.set(column("day"), 86_400_000L * (random.nextInt(20_000) - 5000));
    }
    if (isFull || random.nextInt(3) > 0) {
      values.set(column("language"), random.nextBoolean() ? "de" : "en");
    }
    if (isFull || random.nextInt(100) > 0) {
      values.set(column("site"), "h\u00E9" + random.nextInt(40) + ".example");
    }
    if (isFull || random.nextInt(20) == 0) {
      values.set(column("score"), ColumnType.sortable(random.nextGaussian()));
    }
    values.set(column("year"), random.nextInt(1000) - 300L);
    return values;
  }

  private static int column(String name) {
    return COLUMNS.stream().map(Column::name).toList().indexOf(name);
  }

  private static String page(ColumnValues values, int doc, String text) {
    StringBuilder page = new StringBuilder("<html");
    int language = column("language");
    if (values.has(language)) {
      page.append(" lang=\"").append(values.string(language)).append('"');
    }
    page.append("><head><title>Page ").append(doc).append("</title>");
    for (int i = 0; i < COLUMNS.size(); i++) {
      if (values.has(i) && i != language) {
        page.append("<meta name=\"")
            .append(COLUMNS.get(i).name())
            .append("\" content=\"")
            .append(text(values, i))
            .append("\">");
      }
    }
    return page.append("</head><body>").append(text).append("</body></html>").toString();
  }

  private static Object text(ColumnValues values, int i) {
    return switch (COLUMNS.get(i).type()) {
      case STRING -> values.string(i);
      case INT -> values.number(i);
      case DOUBLE -> ColumnType.number(values.number(i));
      case DATE -> Instant.ofEpochMilli(values.number(i));
    };
  }

  private BuildOptions options(List<Path> from, Path output, int threads, Store store) {
    IndexedText text =
        new IndexedText(FieldPlan.DEFAULT, IndexAnalysis.of("standard"), Detail.POSITIONS, store)
            .withMetadata(PLAN);
    return new BuildOptions(
        ImmutableList.copyOf(from),
        SourceOptions.DEFAULT,
        Duplicates.KEEP,
        output,
        false,
        HtmlMode.FAST,
        text,
        new BuildOptions.Resources(threads, 2L << 30));
  }

  private static MemoryPlan plan(long runBytes, long keptBytes) {
    return new MemoryPlan(1 << 30, runBytes, 64 << 20, 256 << 20, keptBytes);
  }

  private Path build(String name, List<Path> from, int threads, MemoryPlan plan) throws Exception {
    Path output = directory.resolve(name);
    BuildOptions options = options(from, output, threads, Store.CONTENTS);
    new Indexing(options, Target.ownIndex(), new BuildProgress(), plan).run();
    return output;
  }

  private static void assertValues(Path index, List<ParsedDocument> expected) throws IOException {
    IndexVerifier.verify(index, ProgressListener.NONE);
    long strings = DeepVerifier.verify(index, ProgressListener.NONE).values();
    try (InvertedIndex opened = InvertedIndex.open(index)) {
      assertThat(opened.schema().columns()).isEqualTo(COLUMNS);
      for (int i = 0; i < COLUMNS.size(); i++) {
        ColumnReader reader = opened.columns().reader(i);
        int count = 0;
        for (int doc = 0; doc < expected.size(); doc++) {
          ColumnValues values = expected.get(doc).values();
          assertThat(reader.has(doc)).isEqualTo(values.has(i));
          count += values.has(i) ? 1 : 0;
          if (values.has(i) && COLUMNS.get(i).type() == ColumnType.STRING) {
            assertThat(new String(reader.string(doc), UTF_8)).isEqualTo(values.string(i));
            strings--;
          } else if (values.has(i)) {
            assertThat(reader.number(doc)).isEqualTo(values.number(i));
          }
        }
        ColumnStatistics statistics = opened.metadata().columns().get(i);
        assertThat(statistics.documents()).isEqualTo(count).isPositive();
      }
    }
    assertThat(strings).isZero();
  }

  @Test
  void anIndexIsThatOfIndexWriterWhateverTheThreadsAndTheRuns() throws Exception {
    Path index = build("index", crawls, 1, plan(64 << 20, 0));
    assertThat(IndexFilesHash.of(build("again", crawls, 3, plan(1 << 18, 0))))
        .isEqualTo(IndexFilesHash.of(index));
    assertThat(IndexFilesHash.of(build("kept", crawls, 2, plan(1 << 18, 64 << 20))))
        .isEqualTo(IndexFilesHash.of(index));
    assertValues(index, documents);
    try (InvertedIndex opened = InvertedIndex.open(index);
        IndexLeafReader ours = new IndexLeafReader(opened);
        Analyzer analyzer = IndexAnalysis.of("standard").newAnalyzer();
        DirectoryReader reference = ReferenceIndex.inMemory(opened.schema(), analyzer, documents)) {
      IndexEquality.assertSame(reference, ours);
      MetadataEquality.assertSame(reference, ours, COLUMNS);
    }
  }

  /** A segment for each run, and merged ones; without stored fields, too. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void luceneIndexesFromRunsAreThoseOfIndexWriter(int segments) throws Exception {
    Store store = segments == 1 ? Store.NONE : Store.ID;
    BuildOptions options = options(crawls, directory.resolve("lucene"), 2, store);
    new Indexing(
            options,
            Target.lucene(segments, IndexCheck.SLOW),
            new BuildProgress(),
            plan(1 << 18, 0))
        .run();
    try (Directory lucene = FSDirectory.open(options.output());
        DirectoryReader reader = DirectoryReader.open(lucene);
        Analyzer analyzer = IndexAnalysis.of("standard").newAnalyzer();
        DirectoryReader reference =
            ReferenceIndex.inMemory(options.schema(), analyzer, documents)) {
      if (segments == 0) {
        assertThat(reader.leaves()).hasSizeGreaterThan(2);
      }
      IndexEquality.assertSame(reference, reader);
      MetadataEquality.assertSame(reference, reader, COLUMNS);
    }
    assertThat(directory.resolve("lucene.building")).doesNotExist();
  }

  @Test
  void anInterruptedBuildGivesTheSame() throws Exception {
    Path whole = build("whole", crawls, 2, plan(1 << 18, 0));
    Path output = directory.resolve("index");
    for (int failing : new int[] {8, 14, 22}) {
      Faults faults = new Faults();
      FaultyFileSystem system = new FaultyFileSystem(faults);
      faults.fail(Kind.RENAME, failing);
      BuildOptions options = options(crawls, system.through(output), 2, Store.CONTENTS);
      Indexing interrupted =
          new Indexing(options, Target.ownIndex(), new BuildProgress(), plan(1 << 18, 0))
              .withRecovery(recovery(Recovery.Start.RESTART));
      assertThatThrownBy(interrupted::run).hasStackTraceContaining("injected");
      faults.stop();
      List<String> notices = new ArrayList<>();
      new Indexing(
              options(crawls, output, 2, Store.CONTENTS),
              Target.ownIndex(),
              new BuildProgress(),
              plan(1 << 18, 0))
          .withRecovery(new Recovery(Recovery.Start.RESUME, Duration.ZERO, notices::add))
          .run();
      assertThat(notices).anyMatch(line -> line.startsWith("resuming with"));
      assertThat(IndexFilesHash.of(output)).isEqualTo(IndexFilesHash.of(whole));
      Directories.deleteTree(output);
    }
  }

  private static Recovery recovery(Recovery.Start start) {
    return new Recovery(start, Duration.ZERO, line -> {});
  }

  @Test
  void mergedAndReorderedIndexesKeepTheValuesOfTheirDocuments() throws Exception {
    Path whole = build("whole", crawls, 2, plan(1 << 20, 0));
    List<Path> parts = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      parts.add(build("part" + i, List.of(crawls.get(i)), 1, plan(1 << 20, 0)));
    }
    Path merged = directory.resolve("merged");
    new IndexMerge(
            new IndexMerge.Options(parts, merged, false, null, 2, DiskSpace.CHECKED),
            ProgressListener.NONE)
        .run();
    assertThat(IndexFilesHash.of(merged)).isEqualTo(IndexFilesHash.of(whole));

    StringBuilder ids = new StringBuilder();
    List<ParsedDocument> staying = new ArrayList<>();
    for (int doc = 0; doc < documents.size(); doc++) {
      if (doc % 5 == 2) {
        ids.append(documents.get(doc).id()).append('\n');
      } else {
        staying.add(documents.get(doc));
      }
    }
    Path fewer = directory.resolve("fewer");
    BufferedReader deleted = new BufferedReader(new StringReader(ids.toString()));
    new IndexDelete(
            whole, deleted, "ids", fewer, false, 2, DiskSpace.CHECKED, ProgressListener.NONE)
        .run();
    assertValues(fewer, staying);

    Path reordered = directory.resolve("reordered");
    new IndexReorder(
            new IndexReorder.Options(
                whole, IndexReorder.Order.BP, reordered, false, 2, DiskSpace.CHECKED),
            ProgressListener.NONE)
        .run();
    List<ParsedDocument> inOrder = new ArrayList<>();
    try (InvertedIndex opened = InvertedIndex.open(reordered);
        StoredTexts texts = opened.documents()) {
      for (int doc = 0; doc < documents.size(); doc++) {
        String id = texts.text(doc, opened.schema().ordinal("id"));
        inOrder.add(documents.stream().filter(of -> of.id().equals(id)).findFirst().orElseThrow());
      }
    }
    assertThat(inOrder).isNotEqualTo(documents);
    assertValues(reordered, inOrder);
  }

  @Test
  void copyingColumnsEndsIfTheThreadIsInterrupted() throws Exception {
    Path index = build("index", List.of(crawls.get(0)), 1, plan(1 << 20, 0));
    AtomicInteger asked = new AtomicInteger();
    try (InvertedIndex opened = InvertedIndex.open(index);
        InvertedIndexWriter to =
            new InvertedIndexWriter(directory.resolve("copy"), opened.schema())) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(
              () ->
                  DocumentValues.copyColumns(
                      opened,
                      doc -> {
                        asked.incrementAndGet();
                        return doc;
                      },
                      to))
          .isInstanceOf(ClosedByInterruptException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(asked).hasValue(0);
  }

  @Test
  void indexesWithOtherColumnsAreNotMerged() throws Exception {
    Path with = build("with", List.of(crawls.get(0)), 1, plan(1 << 20, 0));
    Path without = directory.resolve("without");
    BuildOptions options =
        new BuildOptions(
            ImmutableList.of(crawls.get(1)),
            without,
            false,
            HtmlMode.FAST,
            "standard",
            true,
            Store.CONTENTS,
            new BuildOptions.Resources(1, 2L << 30));
    new Indexing(options, Target.ownIndex(), new BuildProgress(), plan(1 << 20, 0)).run();
    IndexMerge merge =
        new IndexMerge(
            new IndexMerge.Options(
                List.of(with, without),
                directory.resolve("merged"),
                false,
                null,
                1,
                DiskSpace.CHECKED),
            ProgressListener.NONE);
    assertThatThrownBy(merge::run)
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("have different columns: only ")
        .hasMessageContaining(
            " has day (date), language (string), score (double), site (string), year (int); only ")
        .hasMessageEndingWith(" has none");
  }
}
