package io.kmodel.indexer.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.source.SampleResources.Language;
import io.kmodel.indexer.source.SampleResources.Topic;
import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.source.record.RecordedSkips;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CorpusSamplesTest {
  private static final Path SAMPLES = Path.of("corpus-samples");
  private static final ImmutableSet<String> BY_HAND =
      ImmutableSet.of(
          ".gitattributes",
          "README.md",
          "formats/birds.parquet",
          "site/about.txt",
          "site/index.html",
          "site/odd/broken.html",
          "site/odd/entities.html");

  @Test
  void theGeneratorWritesWhatIsCommitted(@TempDir Path generated) throws IOException {
    CorpusSamplesGenerator.generate(generated);
    Map<String, byte[]> expected = files(generated);
    Map<String, byte[]> committed = files(SAMPLES);
    assertThat(Sets.difference(committed.keySet(), BY_HAND)).isEqualTo(expected.keySet());
    for (Map.Entry<String, byte[]> file : expected.entrySet()) {
      assertThat(committed.get(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
    }
  }

  @Test
  void theSiteIsReadWholeButForThePicture() throws Exception {
    RecordedSkips skips = new RecordedSkips();
    Map<String, ParsedDocument> pages = parse(SAMPLES.resolve("site"), skips);
    assertThat(pages).hasSizeBetween(110, 140);
    assertThat(skips.only().place()).endsWith("site/odd/picture.png");
    assertThat(skips.only().reason()).isEqualTo(SkipReason.BINARY);
    assertThat(files(SAMPLES).values().stream().mapToLong(b -> b.length).sum())
        .isLessThan(1_500_000);
    assertThat(contents(pages, "odd/empty.html")).isEmpty();
    assertThat(contents(pages, "odd/nested.html")).isEqualTo("Nested the innermost heron");
    assertThat(contents(pages, "odd/packed.html.gz")).startsWith("A packed page ");
    assertThat(contents(pages, "odd/packed.txt.gz")).startsWith("Packed notes\n");
    assertThat(contents(pages, "odd/notes-utf16.txt")).isEqualTo("Zażółć gęślą jaźń\n");
    assertThat(contents(pages, "odd/invalid.txt")).isEqualTo("one \uFFFD two");
    assertThat(contents(pages, "odd/a/b/c/d/e/f/g/h/i/j/k/deep.html")).startsWith("Deep down");
    assertThat(contents(pages, "about.txt")).contains("<b>this one</b>");
    assertThat(contents(pages, "index.html"))
        .contains("kingfisher")
        .doesNotContain("quagga", "thylacine", "dodo", "auk");
  }

  @Test
  void brokenMarkupAndReferencesReadAsABrowserShowsThem() throws Exception {
    Map<String, ParsedDocument> pages = parse(SAMPLES.resolve("site/odd"), new RecordedSkips());
    assertThat(pages.get("broken.html")).isNotNull();
    assertThat(contents(pages, "broken.html"))
        .contains("This paragraph is never closed, and this is crossed with that.")
        .contains("left cell right cell", "one two two and a half", "© 2024", "after the comment")
        .doesNotContain("dashes", "class");
    ParsedDocument entities = pages.get("entities.html");
    assertThat(entities).isNotNull();
    assertThat(entities.title()).isEqualTo("Entities: café — <naïve>");
    assertThat(entities.contents())
        .startsWith("café naïve Übung česky 日本 \uD83D\uDC26 ♥ ∉ fish and chips, softhyphen,")
        .contains("zerowidth, & &amp; <b>not bold</b> AT&T R&D <r €5 ½ 5×3 …\"quoted\" 'single'");
  }

  @Test
  void everyLanguageReadsAsItWasWritten() throws Exception {
    Map<String, ParsedDocument> pages =
        parse(SAMPLES.resolve("site/languages"), new RecordedSkips());
    List<Language> languages = SampleResources.languages();
    assertThat(pages).hasSize(languages.size());
    for (Language language : languages) {
      assertThat(pages.get(language.code() + ".html"))
          .isEqualTo(
              new ParsedDocument(
                  language.code() + ".html",
                  language.title(),
                  String.join(" ", language.sentences())));
    }
  }

  @Test
  void theJudgmentsAreThoseOfDocumentsThatExist() throws Exception {
    Map<String, ParsedDocument> docs = parse(SAMPLES.resolve("trec/docs"), new RecordedSkips());
    assertThat(docs).hasSize(60);
    Map<String, Topic> topics = new TreeMap<>();
    SampleResources.topics().forEach(topic -> topics.put(topic.number(), topic));
    List<String> lines = Files.readAllLines(SAMPLES.resolve("trec/qrels.txt"));
    assertThat(lines).hasSize(60);
    for (String line : lines) {
      String[] columns = line.split(" ", -1);
      Topic topic = topics.get(columns[0]);
      assertThat(topic).as(line).isNotNull();
      String contents = contents(docs, columns[2]);
      long answers = topic.answers().stream().filter(contents::contains).count();
      assertThat(Long.toString(answers)).as(line).isEqualTo(columns[3]);
    }
    String text = Files.readString(SAMPLES.resolve("trec/topics.txt"));
    for (Topic topic : topics.values()) {
      assertThat(text).contains("<num> Number: %s\n<title> ".formatted(topic.number()));
    }
  }

  private static String contents(Map<String, ParsedDocument> documents, String id) {
    ParsedDocument document = documents.get(id);
    if (document == null) {
      throw new AssertionError("no document " + id + " among " + documents.keySet());
    }
    return document.contents();
  }

  private static Map<String, ParsedDocument> parse(Path root, SkipListener skips) throws Exception {
    Map<String, ParsedDocument> parsed = new TreeMap<>();
    DocumentParser parser = new DocumentParser();
    Crawl crawl = Crawl.open(List.of(root), SourceOptions.DEFAULT_MAX_DOCUMENT_BYTES, skips);
    for (Split split : crawl.splits(1 << 20)) {
      try (DocumentReader reader = split.open(skips)) {
        for (RawDocument d = reader.next(); d != null; d = reader.next()) {
          parsed.put(d.id(), parser.parse(d).copy());
        }
      }
    }
    return parsed;
  }

  /** By relative path; what is packed, unpacked. */
  private static Map<String, byte[]> files(Path root) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(root)) {
      paths = walk.filter(Files::isRegularFile).toList();
    }
    for (Path path : paths) {
      String name = root.relativize(path).toString().replace('\\', '/');
      byte[] bytes = Files.readAllBytes(path);
      if (name.endsWith(".gz")) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
          bytes = in.readAllBytes();
        }
      }
      files.put(name, bytes);
    }
    return files;
  }
}
