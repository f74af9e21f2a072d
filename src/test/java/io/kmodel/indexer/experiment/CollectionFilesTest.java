package io.kmodel.indexer.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.experiment.CollectionFiles.Form;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.crawl.Crawl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollectionFilesTest {
  @TempDir Path directory;
  private Path crawl;

  @BeforeEach
  void writeCrawl() throws Exception {
    crawl = Files.createDirectory(directory.resolve("crawl"));
    Files.writeString(
        crawl.resolve("a.html"),
        "<title>A title</title><p>one \"two\" &lt; three&amp;four &amp;lt;b>");
    Files.writeString(crawl.resolve("b.txt"), "four five\nsix seven eight\n");
  }

  @Test
  void jsonLinesHaveTheTextsAndIds() throws Exception {
    assertThat(written(new CollectionFiles(Form.JSONL, 1, 0, 0, false)))
        .isEqualTo(
            Map.of(
                "a.html", "A title\none \"two\" < three&four &lt;b>",
                "b.txt", "four five\nsix seven eight\n"));
  }

  @Test
  void trecFilesHaveTheTextsWithoutMarkup() throws Exception {
    Map<String, String> documents = written(new CollectionFiles(Form.TREC, 1, 0, 0, true));
    assertThat(documents).containsOnlyKeys("a.html", "b.txt");
    assertThat(Objects.requireNonNull(documents.get("a.html")).split("\\s+"))
        .containsExactly("A", "title", "one", "\"two\"", "three", "four", "lt;b>");
  }

  @Test
  void passagesOfSomeWordsAreDocuments() throws Exception {
    assertThat(written(new CollectionFiles(Form.JSONL, 1, 3, 0, false)))
        .isEqualTo(
            Map.of(
                "a.html-0", "A title one",
                "a.html-1", "\"two\" < three&four",
                "a.html-2", "&lt;b>",
                "b.txt-0", "four five six",
                "b.txt-1", "seven eight"));
  }

  /** Each file reads the crawl from its own part on, as often as it needs. */
  @Test
  void asManyAsWantedAreWrittenAndNumbered() throws Exception {
    Map<String, String> documents = written(new CollectionFiles(Form.JSONL, 3, 3, 11, true));
    assertThat(documents.keySet())
        .containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
    assertThat(documents)
        .containsEntry("0", "A title one")
        .containsEntry("2", "&lt;b>")
        .containsEntry("7", "A title one");
  }

  /** A part of the crawl that is read again, or by several files, counts once. */
  @Test
  void whatIsLeftOutCountsOnce() throws Exception {
    Files.write(crawl.resolve("c.html"), new byte[1000]);
    TextExtraction.Result result =
        new CollectionFiles(Form.JSONL, 3, 3, 100, false).write(crawl, directory.resolve("files"));
    assertThat(result.documents()).isEqualTo(100);
    assertThat(result.skipped().values()).containsExactly(1L);
  }

  /** Files without documents would be read as empty texts. */
  @Test
  void aSmallCrawlGivesFewerFiles() throws Exception {
    assertThat(written(new CollectionFiles(Form.JSONL, 16, 0, 0, false))).hasSize(2);
    assertThat(directory.resolve("files")).isDirectoryContaining("glob:**/part-00000.jsonl");
  }

  @Test
  void aCrawlWithoutTextCannotBeRepeated() throws Exception {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    Path target = directory.resolve("files");
    assertThatThrownBy(() -> new CollectionFiles(Form.JSONL, 2, 3, 5, false).write(empty, target))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the corpus has no text");
    Files.writeString(empty.resolve("a.html"), "<p>");
    assertThatThrownBy(() -> new CollectionFiles(Form.JSONL, 2, 3, 5, false).write(empty, target))
        .hasMessage("the corpus has no text");
    assertThat(target).isEmptyDirectory();
  }

  /** The documents written, as a build reads them. */
  private Map<String, String> written(CollectionFiles files) throws Exception {
    Path target = directory.resolve("files");
    TextExtraction.Result result = files.write(crawl, target);
    SkipLog skips = new SkipLog();
    Crawl read = Crawl.open(List.of(target), SourceOptions.DEFAULT_MAX_DOCUMENT_BYTES, skips);
    Map<String, String> documents = new LinkedHashMap<>();
    DocumentParser parser = new DocumentParser();
    for (Split split : read.splits(1 << 20)) {
      try (DocumentReader reader = split.open(skips)) {
        for (RawDocument raw = reader.next(); raw != null; raw = reader.next()) {
          ParsedDocument document = parser.parse(raw);
          documents.put(document.id(), document.contents());
        }
      }
    }
    assertThat(skips.counts()).isEmpty();
    assertThat(documents).hasSize((int) result.documents());
    return documents;
  }
}
