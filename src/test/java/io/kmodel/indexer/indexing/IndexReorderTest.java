package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.export.ciff.CiffExportOptions;
import io.kmodel.indexer.export.ciff.CiffExporter;
import io.kmodel.indexer.export.lucene.ExportOptions;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneExporter;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.verify.DeepVerifier;
import io.kmodel.indexer.index.verify.IndexVerifier;
import io.kmodel.indexer.indexing.IndexReorder.Order;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.search.Bm25;
import io.kmodel.indexer.search.Hit;
import io.kmodel.indexer.search.Searcher;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.disk.DiskSpace;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Indexes with another order of documents hold and find the same. */
class IndexReorderTest {
  private static final int DOCUMENTS = 1_000;

  @TempDir Path directory;

  private Path index(Detail detail, Store store) throws Exception {
    Path collection = TopicDocuments.write(directory.resolve("c.jsonl"), 3, DOCUMENTS, 30);
    return TopicDocuments.build(collection, directory.resolve("index"), detail, store);
  }

  private IndexReorder.Result reorder(String from, Order order, String to, int threads)
      throws Exception {
    return new IndexReorder(
            new IndexReorder.Options(
                directory.resolve(from),
                order,
                directory.resolve(to),
                false,
                threads,
                DiskSpace.CHECKED),
            ProgressListener.NONE)
        .run();
  }

  private List<String> texts(String name, String field) throws IOException {
    List<String> texts = new ArrayList<>();
    try (InvertedIndex index = InvertedIndex.open(directory.resolve(name));
        StoredTexts stored = index.documents()) {
      for (int doc = 0; doc < index.documentCount(); doc++) {
        texts.add(stored.text(doc, index.schema().ordinal(field)));
      }
    }
    return texts;
  }

  private void verify(String name) throws IOException {
    IndexVerifier.verify(directory.resolve(name), ProgressListener.NONE);
    DeepVerifier.verify(directory.resolve(name), ProgressListener.NONE);
  }

  /** The score of every document that a query finds, by id. */
  private Map<String, Float> search(String name, String query) throws IOException {
    try (InvertedIndex index = InvertedIndex.open(directory.resolve(name));
        Searcher searcher =
            new Searcher(
                index, IndexAnalysis.from(index.metadata().options()).newAnalyzer(), Bm25.LUCENE)) {
      Map<String, Float> scores = new TreeMap<>();
      for (Hit hit : searcher.searchSyntax(query, DOCUMENTS).hits()) {
        scores.put(hit.id(), hit.score());
      }
      return scores;
    }
  }

  private void assertNothingIsLeft(String name) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(Path::getFileName).map(Path::toString))
          .noneMatch(file -> file.startsWith(name));
    }
  }

  @ParameterizedTest
  @CsvSource({"POSITIONS,CONTENTS", "FREQUENCIES,ID", "OFFSETS,RAW"})
  void everythingFollowsTheOrderWhateverTheThreads(Detail detail, Store store) throws Exception {
    index(detail, store);
    IndexReorder.Result result = reorder("index", Order.BP, "bp", 1);
    assertThat(result.documents()).isEqualTo(DOCUMENTS);
    assertThat(result.moved()).isGreaterThan(DOCUMENTS / 2);
    assertThat(result.after().logGap()).isLessThan(0.9 * result.before().logGap());
    assertThat(result.after().gapBits()).isLessThan(result.before().gapBits());
    assertThat(result.after().docsBytes()).isLessThan(result.before().docsBytes());
    reorder("index", Order.BP, "bp3", 3);
    assertThat(IndexFilesHash.of(directory.resolve("bp3")))
        .isEqualTo(IndexFilesHash.of(directory.resolve("bp")));
    verify("bp");
    assertThat(texts("bp", Schema.ID))
        .containsExactlyInAnyOrderElementsOf(texts("index", Schema.ID));
    for (String query : List.of("t3x1", "t3x1 t7x2 w1", "+w0 -t4x0", "t1*")) {
      assertThat(search("bp", query)).isNotEmpty().isEqualTo(search("index", query));
    }
    if (detail.hasPositions()) {
      assertThat(search("bp", "\"t3x0 t3x0\"")).isEqualTo(search("index", "\"t3x0 t3x0\""));
    }
  }

  /** Lists go through files then, and texts are read again when they are written. */
  @ParameterizedTest
  @CsvSource({"POSITIONS,CONTENTS", "OFFSETS,RAW"})
  void everythingFollowsTheOrderWhateverTheMemory(Detail detail, Store store) throws Exception {
    index(detail, store);
    reorder("index", Order.URL, "url", 2);
    for (long bytes : new long[] {2_000, 200_000}) {
      String name = "url" + bytes;
      new IndexReorder(
              new IndexReorder.Options(
                  directory.resolve("index"),
                  Order.URL,
                  directory.resolve(name),
                  false,
                  2,
                  DiskSpace.CHECKED),
              bytes,
              ProgressListener.NONE)
          .run();
      assertThat(IndexFilesHash.of(directory.resolve(name)))
          .isEqualTo(IndexFilesHash.of(directory.resolve("url")));
    }
  }

  /** Which would not be so if anything had not followed its document. */
  @ParameterizedTest
  @CsvSource({"POSITIONS,CONTENTS", "OFFSETS,RAW", "FREQUENCIES,ID"})
  void oneOrderAfterAnotherGivesTheBytesOfTheLastAlone(Detail detail, Store store)
      throws Exception {
    index(detail, store);
    reorder("index", Order.URL, "url", 2);
    reorder("index", Order.BP, "bp", 2);
    reorder("bp", Order.URL, "url-of-bp", 2);
    assertThat(IndexFilesHash.of(directory.resolve("url-of-bp")))
        .isEqualTo(IndexFilesHash.of(directory.resolve("url")));
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("url"))) {
      assertThat(index.metadata().options()).containsEntry("order", "url");
    }
  }

  @Test
  void anOrderByUrlKeepsHostsAndDomainsTogether() throws Exception {
    List<String> ids =
        List.of(
            "no url",
            "https://www.b.example/",
            "http://a.example/z",
            "http://example-b.org/",
            "http://user@www.a.example:8080/c",
            "another",
            "HTTP://A.Example/b",
            "http://a.example/b",
            "ftp://10.0.0.1/file",
            "http://a.example");
    StringBuilder lines = new StringBuilder();
    ids.forEach(id -> lines.append("{\"id\":\"%s\",\"contents\":\"text\"}\n".formatted(id)));
    Path collection = Files.writeString(directory.resolve("c.jsonl"), lines);
    TopicDocuments.build(collection, directory.resolve("index"), Detail.POSITIONS, Store.ID);
    IndexReorder.Result result = reorder("index", Order.URL, "url", 2);
    assertThat(result.withoutUrl()).isEqualTo(2);
    assertThat(texts("url", Schema.ID))
        .containsExactly(
            "ftp://10.0.0.1/file",
            "http://a.example",
            "HTTP://A.Example/b",
            "http://a.example/b",
            "http://a.example/z",
            "http://user@www.a.example:8080/c",
            "https://www.b.example/",
            "http://example-b.org/",
            "no url",
            "another");
    verify("url");
  }

  @Test
  void aStoredFieldWithTheUrlCountsBeforeTheId() throws Exception {
    Path collection =
        Files.writeString(
            directory.resolve("c.jsonl"),
            """
            {"id":"1","url":"http://c.org/","contents":"text"}
            {"id":"http://b.org/","contents":"text"}
            {"id":"3","url":"http://a.org/","contents":"text"}
            """);
    IndexedText text =
        new IndexedText(
            FieldPlan.parse("title,contents,url"),
            IndexAnalysis.of("standard"),
            Detail.POSITIONS,
            Store.CONTENTS);
    TopicDocuments.build(collection, directory.resolve("index"), text);
    reorder("index", Order.URL, "url", 1);
    assertThat(texts("url", Schema.ID)).containsExactly("3", "http://b.org/", "1");
  }

  @Test
  void anIndexWithoutUrlsIsRefusedAndNothingIsLeft() throws Exception {
    Path collection =
        Files.writeString(directory.resolve("c.jsonl"), "{\"id\":\"1\",\"contents\":\"text\"}\n");
    TopicDocuments.build(collection, directory.resolve("index"), Detail.POSITIONS, Store.ID);
    TopicDocuments.build(collection, directory.resolve("none"), Detail.POSITIONS, Store.NONE);
    assertThatThrownBy(() -> reorder("index", Order.URL, "url", 2))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("has a URL as its id or in a stored field 'url'; build");
    assertThatThrownBy(() -> reorder("none", Order.URL, "url", 2))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("stores no ids and no field 'url'");
    assertNothingIsLeft("url");
    assertThat(reorder("none", Order.BP, "bp", 2).moved()).isZero();
    verify("bp");
  }

  @Test
  void anIndexWithoutDocumentsHasEveryOrder() throws Exception {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    TopicDocuments.build(empty, directory.resolve("index"), Detail.POSITIONS, Store.CONTENTS);
    for (Order order : Order.values()) {
      assertThat(reorder("index", order, order.name(), 2).documents()).isZero();
      verify(order.name());
    }
  }

  @Test
  void exportsWorkAsBefore() throws Exception {
    index(Detail.POSITIONS, Store.CONTENTS);
    reorder("index", Order.BP, "bp", 2);
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("bp"))) {
      LuceneExporter.export(
          index, directory.resolve("lucene"), new ExportOptions(2, 2, IndexCheck.CONTENT));
      assertThat(
              CiffExporter.export(
                      index,
                      directory.resolve("ciff"),
                      CiffExportOptions.DEFAULT,
                      ProgressListener.NONE)
                  .header()
                  .documents())
          .isEqualTo(DOCUMENTS);
    }
  }

  /** A merged index has its documents in the order of the indexes, and says of no other. */
  @Test
  void indexesWithDifferentOrdersAreMergedIntoOneWithout() throws Exception {
    index(Detail.POSITIONS, Store.ID);
    reorder("index", Order.BP, "bp", 2);
    IndexMerge.Result merged =
        new IndexMerge(
                new IndexMerge.Options(
                    List.of(directory.resolve("bp"), directory.resolve("index")),
                    directory.resolve("merged"),
                    false,
                    null,
                    2,
                    DiskSpace.CHECKED),
                ProgressListener.NONE)
            .run();
    assertThat(merged.documents()).isEqualTo(2 * DOCUMENTS);
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("merged"))) {
      assertThat(index.metadata().options()).doesNotContainKey("order");
    }
    assertThat(texts("merged", Schema.ID).subList(0, DOCUMENTS)).isEqualTo(texts("bp", Schema.ID));
  }

  @Test
  void skippedDocumentsStayNamed() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    TopicDocuments.write(crawl.resolve("c.jsonl"), 3, 50, 10);
    Files.write(crawl.resolve("picture.html"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 0});
    TopicDocuments.build(crawl, directory.resolve("index"), Detail.POSITIONS, Store.ID);
    reorder("index", Order.URL, "url", 2);
    assertThat(directory.resolve("url").resolve("skipped.jsonl"))
        .hasSameTextualContentAs(directory.resolve("index").resolve("skipped.jsonl"))
        .content()
        .contains("picture.html");
  }

  @Test
  void anOutputThatExistsOrIsTheIndexIsRefused() throws Exception {
    index(Detail.FREQUENCIES, Store.ID);
    reorder("index", Order.URL, "url", 2);
    assertThatThrownBy(() -> reorder("index", Order.URL, "url", 2))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("exists already");
    for (String output : List.of("index", "index/inside")) {
      assertThatThrownBy(
              () ->
                  new IndexReorder(
                          new IndexReorder.Options(
                              directory.resolve("index"),
                              Order.URL,
                              directory.resolve(output),
                              true,
                              2,
                              DiskSpace.CHECKED),
                          ProgressListener.NONE)
                      .run())
          .isInstanceOf(BuildException.class);
    }
    verify("index");
  }

  @ParameterizedTest
  @CsvSource({"postings.docs", "documents.data", "lengths.contents"})
  void aDamagedIndexIsRefusedAndNothingIsLeft(String file) throws Exception {
    Path damaged = index(Detail.POSITIONS, Store.CONTENTS).resolve(file);
    byte[] bytes = Files.readAllBytes(damaged);
    bytes[bytes.length / 2] ^= 1;
    Files.write(damaged, bytes);
    assertThatThrownBy(() -> reorder("index", Order.BP, "bp", 2))
        .isInstanceOf(CorruptIndexException.class);
    assertNothingIsLeft("bp");
  }

  /** At the first report of progress, in the middle, and near the end. */
  @ParameterizedTest
  @CsvSource({"BP,0", "BP,0.3", "BP,0.65", "BP,0.85", "URL,0", "URL,0.5"})
  void anInterruptedOrderLeavesNothing(Order order, double share) throws Exception {
    index(Detail.POSITIONS, Store.CONTENTS);
    Thread caller = Thread.currentThread();
    AtomicLong reports = new AtomicLong();
    IndexReorder reorder =
        new IndexReorder(
            new IndexReorder.Options(
                directory.resolve("index"),
                order,
                directory.resolve("new"),
                false,
                2,
                DiskSpace.CHECKED),
            (done, total) -> {
              if (done >= share * total && reports.incrementAndGet() == 1) {
                caller.interrupt();
              }
            });
    assertThatThrownBy(reorder::run)
        .isInstanceOfAny(InterruptedException.class, ClosedByInterruptException.class);
    assertThat(reports).hasPositiveValue();
    Thread.interrupted();
    assertNothingIsLeft("new");
  }
}
