package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.documents.StoredTexts;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.DuplicateIdException;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.warc.Warcs;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.netpreserve.jwarc.WarcCompression;

/** Whole builds of every format. */
class FormatsBuildTest {
  @TempDir Path directory;
  private Path crawl;

  @BeforeEach
  void makeCrawl() throws IOException {
    crawl = Files.createDirectory(directory.resolve("crawl"));
  }

  @Test
  void everyFormatBesideEveryOtherIsIndexedInTheOrderOfTheFiles() throws Exception {
    Files.writeString(crawl.resolve("a.html"), "<title>Page</title>heron page");
    Files.writeString(
        crawl.resolve("b.jsonl"),
        "{\"_id\": \"b1\", \"title\": \"Lines\", \"text\": \"heron b\"}\n");
    Files.writeString(
        crawl.resolve("c.trec"),
        "<DOC>\n<DOCNO>c1</DOCNO>\n<HEADLINE>News</HEADLINE>\n<TEXT>heron &amp; c</TEXT>\n</DOC>\n");
    Files.writeString(crawl.resolve("d.tsv"), "d1\theron d\nd2\tTitle\theron dd\n");
    Files.write(
        crawl.resolve("e.warc.gz"),
        Warcs.write(
            WarcCompression.GZIP,
            Warcs.info(),
            Warcs.request("http://e.org/"),
            Warcs.response(
                "http://e.org/",
                "text/html; charset=windows-1251",
                "<title>\u0426\u0430\u043F\u043B\u044F</title>heron e"
                    .getBytes(Charset.forName("windows-1251"))),
            Warcs.conversion("http://e.org/wet", "heron wet")));
    BuildReport report = build("index", Duplicates.KEEP, 2);
    assertThat(report.complete()).isTrue();
    assertThat(report.passedOver())
        .containsOnly(Map.entry("metadata records", 1L), Map.entry("request records", 1L));
    assertThat(documents("index"))
        .containsExactly(
            List.of("a.html", "Page", "heron page"),
            List.of("b1", "Lines", "heron b"),
            List.of("c1", "News", "heron & c"),
            List.of("d1", "", "heron d"),
            List.of("d2", "Title", "heron dd"),
            List.of("http://e.org/", "\u0426\u0430\u043F\u043B\u044F", "heron e"),
            List.of("http://e.org/wet", "", "heron wet"));
    assertThat(report.sources().keySet())
        .containsExactly("html", "jsonl", "trec", "tsv", "warc gzip");
    assertThat(report.sources().values().stream().map(BuildReport.Source::documents))
        .containsExactly(1L, 1L, 1L, 2L, 2L);
    assertThat(report.sources())
        .containsEntry("html", new BuildReport.Source(1, Files.size(crawl.resolve("a.html"))));
    assertThat(report.sources().values().stream().mapToLong(BuildReport.Source::bytes).sum())
        .isEqualTo(report.sourceBytes());
    assertThat(Files.size(directory.resolve("index/skipped.jsonl"))).isZero();
  }

  @Test
  void whatIsLeftOutStandsInALineWithDocumentPlaceAndReason() throws Exception {
    byte[] first = Warcs.write(WarcCompression.GZIP, Warcs.html("http://a.org/1", "one"));
    byte[] picture = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n'};
    byte[] whole =
        Warcs.concat(
            first,
            Warcs.write(
                WarcCompression.GZIP,
                Warcs.response("http://a.org/p", "image/png", picture),
                Warcs.html("http://a.org/2", "two")));
    Files.write(crawl.resolve("a.warc.gz"), Arrays.copyOf(whole, whole.length - 10));
    Files.write(crawl.resolve("b.png"), picture);
    Files.writeString(crawl.resolve("c.txt"), "goes on");
    BuildReport report = build("index", Duplicates.KEEP, 2);
    assertThat(report.complete()).isFalse();
    assertThat(report.documents()).isEqualTo(2);
    assertThat(report.skipped())
        .containsOnly(
            Map.entry(SkipReason.DAMAGED.label(), 1L), Map.entry(SkipReason.BINARY.label(), 1L));
    assertThat(report.passedOver()).containsOnly(Map.entry(SkipReason.NOT_TEXT.label(), 1L));
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(directory.resolve("index/skipped.jsonl"))) {
      lines.add(new ObjectMapper().readTree(line));
    }
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0).get("document").asText()).isEqualTo("http://a.org/p");
    assertThat(lines.get(0).get("file").asText()).endsWith("crawl/a.warc.gz");
    assertThat(lines.get(0).get("offset").asLong()).isEqualTo(first.length);
    assertThat(lines.get(0).get("reason").asText()).isEqualTo("archived, but no text");
    assertThat(lines.get(0).get("detail").asText()).isEqualTo("image/png");
    assertThat(lines.get(1).get("reason").asText()).isEqualTo("damaged compression");
    assertThat(lines.get(1).get("offset").asLong()).isGreaterThan(first.length);
    assertThat(lines.get(2).get("file").asText()).endsWith("crawl/b.png");
    assertThat(lines.get(2).has("offset")).isFalse();
  }

  @Test
  void duplicatesAreKeptOrTheFirstIsOrTheyAreAnError() throws Exception {
    Random random = new Random(9);
    List<String> seen = new ArrayList<>();
    List<String> all = new ArrayList<>();
    for (int file = 0; file < 40; file++) {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < 20; i++) {
        String id = "d" + random.nextInt(500);
        all.add(id);
        if (!seen.contains(id)) {
          seen.add(id);
        }
        lines.append("{\"id\": \"%s\", \"contents\": \"from file %d\"}\n".formatted(id, file));
      }
      Files.writeString(crawl.resolve("%02d.jsonl".formatted(file)), lines);
    }
    // Fits no run: the one after it is not a duplicate of a document that is not there.
    StringBuilder big = new StringBuilder("big\t");
    for (int i = 0; i < 1_200_000; i++) {
      big.append(Integer.toString(i, 36)).append(' ');
    }
    Files.writeString(crawl.resolve("98.tsv"), big.append('\n'));
    Files.writeString(crawl.resolve("99.tsv"), "big\tsmall\nsmall\tone\nsmall\ttwo\n");
    BuildReport kept = build("kept", Duplicates.KEEP, 4);
    assertThat(ids("kept")).startsWith(all.toArray(new String[0])).hasSize(all.size() + 3);
    assertThat(kept.sharedIds()).isEqualTo(all.size() - seen.size() + 1L);
    assertThat(kept.skipped()).containsOnlyKeys(SkipReason.TOO_LARGE.label());
    BuildReport skipped = build("skipped", Duplicates.SKIP, 4);
    assertThat(ids("skipped")).startsWith(seen.toArray(new String[0])).hasSize(seen.size() + 2);
    assertThat(skipped.sharedIds()).isZero();
    assertThat(skipped.skipped().get(SkipReason.DUPLICATE.label()))
        .isEqualTo(all.size() - seen.size() + 1L);
    build("once-more", Duplicates.SKIP, 1);
    assertThat(files("once-more")).isEqualTo(files("skipped"));
    String firstAgain = all.get(firstDuplicate(all));
    assertThatThrownBy(() -> build("error", Duplicates.ERROR, 4))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(": " + firstAgain + " has the id of an earlier document, and so have")
        .hasMessageContaining("--duplicates");
    assertThat(directory.resolve("error")).doesNotExist();
    assertThat(directory.resolve("error.building")).doesNotExist();
  }

  /** What was too large when duplicates were found is too large when one is looked for. */
  @Test
  void theDuplicateThatIsNamedIsTheOneThatWasFound() throws Exception {
    String large = "word ".repeat(200_000);
    Files.writeString(
        crawl.resolve("a.tsv"), "large\t" + large + "\none\tx\ntwo\tx\none\tx\nthree\tx\n");
    BuildOptions options = options("index", Duplicates.ERROR, 1);
    MemoryPlan plan = new MemoryPlan(1 << 30, 1 << 20, 1 << 20, 16 << 20);
    assertThatThrownBy(
            () -> new Indexing(options, Target.ownIndex(), new BuildProgress(), plan).run())
        .isInstanceOf(DuplicateIdException.class)
        .hasMessageContaining(": one has the id of an earlier document, and so have 1 in all");
  }

  @Test
  void anIdWithHalfASurrogatePairIsNoDuplicateOfOneWithAQuestionMark() throws Exception {
    Files.writeString(
        crawl.resolve("a.jsonl"),
        "{\"id\": \"a?\", \"contents\": \"one\"}\n{\"id\": \"a\\ud800\", \"contents\": \"two\"}\n");
    assertThat(build("index", Duplicates.SKIP, 1).documents()).isEqualTo(2);
    assertThat(ids("index")).containsExactly("a?", "a\uFFFD");
  }

  /** Segments that were written before a duplicate was known of are not in the index. */
  @Test
  void duplicatesAreLeftOutOfALuceneIndexThatIsBuiltAtOnce() throws Exception {
    for (int file = 0; file < 30; file++) {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < 10; i++) {
        lines.append("d%d\theron of file %d\n".formatted(file * 7 + i, file));
      }
      Files.writeString(crawl.resolve("%02d.tsv".formatted(file)), lines);
    }
    int distinct = 29 * 7 + 10;
    for (int segments : new int[] {Target.SEGMENT_PER_RUN, 1}) {
      BuildOptions options = options("lucene-" + segments, Duplicates.SKIP, 2);
      Target target = Target.lucene(segments, IndexCheck.SLOW);
      BuildReport report = new Indexing(options, target, new BuildProgress(), plan()).run();
      assertThat(report.documents()).isEqualTo(distinct);
      assertThat(report.skipped()).containsOnly(Map.entry("duplicate id", 300L - distinct));
      try (Directory lucene = FSDirectory.open(options.output());
          DirectoryReader reader = DirectoryReader.open(lucene)) {
        assertThat(reader.numDocs()).isEqualTo(distinct);
        int files = SegmentInfos.readLatestCommit(lucene).files(true).size();
        assertThat(lucene.listAll()).filteredOn(name -> name.startsWith("_")).hasSize(files - 1);
      }
    }
  }

  private static int firstDuplicate(List<String> ids) {
    for (int i = 0; i < ids.size(); i++) {
      if (ids.indexOf(ids.get(i)) < i) {
        return i;
      }
    }
    throw new AssertionError("no duplicates");
  }

  /** Cut into pieces or not, with archives in archives and damage. */
  @Test
  void aLargeArchiveGivesTheSameBytesWhateverTheThreads() throws Exception {
    Random random = new Random(3);
    byte[] nested = pages("nested", WarcCompression.NONE, 7 << 20, random);
    byte[] archive = Warcs.concat(pages("a", WarcCompression.NONE, 6 << 20, random));
    byte[] holder =
        Warcs.write(WarcCompression.NONE, Warcs.response("http://w/", "application/warc", nested));
    Files.write(
        crawl.resolve("a.warc"),
        Warcs.concat(archive, holder, pages("b", WarcCompression.NONE, 6 << 20, random)));
    byte[] packed = pages("c", WarcCompression.GZIP, 10 << 20, random);
    for (int i = 0; i < 5; i++) {
      packed[random.nextInt(packed.length)] ^= 0x11;
    }
    Files.write(crawl.resolve("c.warc.gz"), packed);
    BuildReport one = build("one", Duplicates.KEEP, 1);
    BuildReport four = build("four", Duplicates.KEEP, 4);
    assertThat(one.documents()).isGreaterThan(300);
    assertThat(four.documents()).isEqualTo(one.documents());
    assertThat(four.sourceBytes()).isEqualTo(one.sourceBytes());
    assertThat(four.skipped()).isEqualTo(one.skipped());
    assertThat(four.html()).isEqualTo(one.html());
    assertThat(files("four")).isEqualTo(files("one"));
    assertThat(ids("one")).noneMatch(id -> id.startsWith("http://nested/"));
    // What is read twice counts once.
    BuildReport words =
        new TokenizeOnlyBuild(options("words", Duplicates.KEEP, 4), new BuildProgress(), plan())
            .run();
    assertThat(words.documents()).isEqualTo(one.documents());
    assertThat(words.tokens()).isEqualTo(one.tokens());
  }

  private static byte[] pages(String host, WarcCompression compression, int bytes, Random random)
      throws IOException {
    List<byte[]> records = new ArrayList<>();
    for (int sum = 0; sum < bytes; ) {
      StringBuilder text = new StringBuilder("<p>");
      for (int i = random.nextInt(20_000); i > 0; i--) {
        text.append(Integer.toString(random.nextInt(1 << 14), 36)).append(' ');
      }
      String uri = "http://%s/%d".formatted(host, records.size());
      byte[] record = Warcs.write(compression, Warcs.html(uri, text.toString()));
      records.add(record);
      sum += record.length;
    }
    return Warcs.concat(records.toArray(new byte[0][]));
  }

  private BuildReport build(String output, Duplicates duplicates, int threads)
      throws IOException, InterruptedException {
    return new Indexing(
            options(output, duplicates, threads), Target.ownIndex(), new BuildProgress(), plan())
        .run();
  }

  private static MemoryPlan plan() {
    return new MemoryPlan(1 << 30, 8 << 20, 64 << 20, 256 << 20);
  }

  private BuildOptions options(String output, Duplicates duplicates, int threads) {
    return new BuildOptions(
            ImmutableList.of(crawl),
            directory.resolve(output),
            false,
            HtmlMode.FAST,
            "standard",
            true,
            Store.CONTENTS,
            new BuildOptions.Resources(threads, 4L << 30))
        .withSource(SourceOptions.DEFAULT, duplicates);
  }

  private List<String> ids(String index) throws IOException {
    return documents(index).stream().map(d -> d.get(0)).toList();
  }

  /** Id, title and contents of every document. */
  private List<List<String>> documents(String name) throws IOException {
    List<List<String>> documents = new ArrayList<>();
    try (InvertedIndex index = InvertedIndex.open(directory.resolve(name));
        StoredTexts stored = index.documents()) {
      for (int i = 0; i < index.documentCount(); i++) {
        documents.add(
            List.of(
                stored.text(i, index.schema().ordinal(Schema.ID)),
                stored.text(i, index.schema().ordinal(Schema.TITLE)),
                stored.text(i, index.schema().ordinal(Schema.CONTENTS))));
      }
    }
    return documents;
  }

  private Map<String, Integer> files(String index) throws IOException {
    Map<String, Integer> files = new TreeMap<>();
    try (Stream<Path> entries = Files.list(directory.resolve(index))) {
      for (Path file : (Iterable<Path>) entries::iterator) {
        if (!BuildReport.isReport(file)) {
          files.put(file.getFileName().toString(), Arrays.hashCode(Files.readAllBytes(file)));
        }
      }
    }
    return files;
  }
}
