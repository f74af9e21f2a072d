package io.kmodel.indexer.experiment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.source.SkipReason;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextExtractionTest {
  @TempDir Path directory;

  @Test
  void whatIsLeftOutIsCountedByReason() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Files.writeString(crawl.resolve("a.html"), "<title>A</title><p>one &amp; two");
    Files.write(crawl.resolve("b.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0});
    Files.createSymbolicLink(crawl.resolve("c.html"), crawl.resolve("a.html"));
    Path text = directory.resolve("text");

    TextExtraction.Result result = TextExtraction.extract(crawl, text);

    assertThat(result.documents()).isEqualTo(1);
    assertThat(result.skipped()).isEqualTo(Map.of("binary content", 1L, "not a regular file", 1L));
    assertThat(text.resolve("a.html.txt")).content().startsWith("A\n").contains("one & two");
  }

  @Test
  void recordsThatAreNoDocumentsAreNotSkipped() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Files.writeString(
        crawl.resolve("a.warc"),
        "WARC/1.0\r\nWARC-Type: request\r\nContent-Length: 4\r\n\r\nGET \r\n\r\n");

    TextExtraction.Result result = TextExtraction.extract(crawl, directory.resolve("text"));

    assertThat(result.skipped()).isEmpty();
    assertThat(result.other()).isEqualTo(Map.of("request records", 1L));
  }

  /** A border of pieces would lie in the inner archive, whose records look like the outer one's. */
  @Test
  void anArchiveInALargeArchiveIsNoneOfItsDocuments() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    byte[] inner = record("inner", 1 << 20, "word".repeat(1 << 18));
    int inners = 90;
    try (OutputStream archive = Files.newOutputStream(crawl.resolve("a.warc"))) {
      archive.write(record("archived", inners * inner.length, ""));
      for (int i = 0; i < inners; i++) {
        archive.write(inner);
      }
      archive.write("\r\n\r\n".getBytes(UTF_8));
      archive.write(record("outer", 5, "words"));
    }
    Path text = directory.resolve("text");

    TextExtraction.Result result = TextExtraction.extract(crawl, text);

    assertThat(result.documents()).isEqualTo(1);
    assertThat(text.resolve("outer.txt")).exists();
    assertThat(text.resolve("inner.txt")).doesNotExist();
  }

  /** A record of WARC, or the beginning of one whose body follows. */
  private static byte[] record(String id, int length, String body) {
    String http =
        "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n"
            .formatted(body.isEmpty() ? "application/warc" : "text/plain");
    return "WARC/1.0\r\nWARC-Type: response\r\nWARC-TREC-ID: %s\r\nWARC-Target-URI: http://a/%s\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s%s%s"
        .formatted(id, id, http.length() + length, http, body, body.isEmpty() ? "" : "\r\n\r\n")
        .getBytes(UTF_8);
  }

  @Test
  void ofDocumentsWithTheSameIdOneIsWrittenAndCounted() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Files.writeString(
        crawl.resolve("a.jsonl"),
        "{\"id\": \"x\", \"contents\": \"one\"}\n{\"id\": \"x\", \"contents\": \"two\"}\n");
    Path text = directory.resolve("text");

    TextExtraction.Result result = TextExtraction.extract(crawl, text);

    assertThat(result.documents()).isEqualTo(1);
    assertThat(result.skipped()).isEqualTo(Map.of("duplicate id", 1L));
    assertThat(text.resolve("x.txt")).content().contains("one");
  }

  @Test
  void anIdThatIsAFileAndADirectoryIsOneOfThemAndCounted() throws Exception {
    for (List<String> ids :
        List.of(List.of("a", "a.txt/b"), List.of("a.txt/b", "a"), List.of("a", "a.txt/b/c"))) {
      Path crawl = Files.createTempDirectory(directory, "crawl");
      StringBuilder lines = new StringBuilder();
      for (String id : ids) {
        lines.append("{\"id\": \"%s\", \"contents\": \"one\"}\n".formatted(id));
      }
      Files.writeString(crawl.resolve("a.jsonl"), lines);
      Path text = Files.createTempDirectory(directory, "text");
      TextExtraction.Result result = TextExtraction.extract(crawl, text);
      assertThat(result.documents()).isEqualTo(1);
      assertThat(result.skipped()).containsOnly(Map.entry(SkipReason.UNPARSABLE.label(), 1L));
      assertThat(text.resolve(ids.getFirst() + ".txt")).content().contains("one");
    }
  }

  @Test
  void documentsWhoseIdsAreNoFilesOfTheTargetAreCounted() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    String longest = "y".repeat(251);
    List<String> refused =
        List.of(
            "../x",
            directory + "/x",
            "a/../../x",
            "../".repeat(40) + "x",
            longest + "y",
            "\u00E9".repeat(126),
            "z/".repeat(2100) + "x",
            "a\\u0000");
    List<String> ids = new ArrayList<>(refused);
    ids.add(longest);
    ids.add("a/../x");
    for (String id : ids) {
      Files.writeString(
          crawl.resolve("a.jsonl"),
          "{\"id\": \"%s\", \"contents\": \"one\"}\n".formatted(id),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
    Path text = directory.resolve("text");

    TextExtraction.Result result = TextExtraction.extract(crawl, text);

    assertThat(result.documents()).isEqualTo(2);
    assertThat(result.skipped()).isEqualTo(Map.of("unparsable", (long) refused.size()));
    assertThat(text).isDirectoryNotContaining(file -> !file.toString().endsWith(".txt"));
    assertThat(text.resolve(longest + ".txt")).exists();
    assertThat(text.resolve("x.txt")).exists();
    assertThat(directory.resolve("x.txt")).doesNotExist();
  }

  @Test
  void noFileThatIsThereIsWrittenOver() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Files.writeString(crawl.resolve("a.html"), "<title>A</title><p>one");
    Path text = Files.createDirectory(directory.resolve("text"));
    Path thesis = Files.writeString(text.resolve("a.html.txt"), "the only copy");
    assertThatThrownBy(() -> TextExtraction.extract(crawl, text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--output %s is not empty: it contains a.html.txt; choose another directory"
                .formatted(text));
    assertThat(thesis).hasContent("the only copy");
    assertThatThrownBy(() -> TextExtraction.extract(crawl, thesis))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("exists and is not a directory");
    assertThat(thesis).hasContent("the only copy");
  }

  @Test
  void aTargetBehindALinkAndDotsIsWhereTheSystemSaysOrRefused() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Files.writeString(crawl.resolve("a.html"), "<p>one");
    Files.createDirectories(directory.resolve("other/deep"));
    Files.createSymbolicLink(directory.resolve("away"), directory.resolve("other/deep"));
    Files.createSymbolicLink(directory.resolve("link"), crawl);
    TextExtraction.extract(crawl, directory.resolve("away/../crawl/new"));
    assertThat(directory.resolve("other/crawl/new/a.html.txt")).exists();
    assertThatThrownBy(() -> TextExtraction.extract(crawl, directory.resolve("none/../link/new")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(crawl).isDirectoryNotContaining("glob:**new");
  }

  @Test
  void oneThatIsToldToStopLeavesNothing() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    for (int i = 0; i < 3; i++) {
      StringBuilder lines = new StringBuilder();
      for (int line = 0; line < 20_000; line++) {
        lines.append("{\"id\": \"%d/%d\", \"contents\": \"one\"}\n".formatted(i, line));
      }
      Files.writeString(crawl.resolve(i + ".jsonl"), lines);
    }
    Path there = Files.createDirectory(directory.resolve("there"));
    for (Path text : List.of(directory.resolve("new/text"), there)) {
      FutureTask<TextExtraction.Result> task =
          new FutureTask<>(() -> TextExtraction.extract(crawl, text));
      Thread thread = new Thread(task);
      thread.start();
      while (!Files.exists(text.resolve("0/0.txt")) && thread.isAlive()) {
        Thread.sleep(1);
      }
      Path theirs = text.resolve("0/theirs");
      if (text.equals(there)) {
        Files.writeString(theirs, "somebody else's");
      }
      thread.interrupt();
      assertThatThrownBy(task::get)
          .cause()
          .isInstanceOfAny(InterruptedException.class, ClosedByInterruptException.class);
      try (Stream<Path> left = Files.walk(directory)) {
        assertThat(left.filter(path -> path.startsWith(text) && Files.isRegularFile(path)))
            .isEqualTo(text.equals(there) ? List.of(theirs) : List.of());
      }
      assertThat(directory.resolve("new")).doesNotExist();
      assertThat(there).exists();
    }
  }

  @Test
  void anEmptyCrawlGivesAnEmptyDirectory() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Path text = directory.resolve("text");
    assertThat(TextExtraction.extract(crawl, text).documents()).isZero();
    assertThat(text).isEmptyDirectory();
  }

  /** {@code a} and {@code a.txt} are both in it: the text of the one would be the other. */
  @Test
  void theCorpusIsNotWrittenInto() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Files.writeString(crawl.resolve("a"), "one");
    Path page = Files.writeString(crawl.resolve("a.txt"), "two");
    for (Path output : List.of(crawl, crawl.resolve("text"), directory)) {
      assertThatThrownBy(() -> TextExtraction.extract(crawl, output))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("--output " + output + " and the corpus " + crawl + " overlap");
    }
    assertThatThrownBy(() -> TextExtraction.extract(crawl, Path.of("")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--output must name a directory; got an empty path");
    assertThat(page).hasContent("two");
    assertThat(crawl).isDirectoryNotContaining(file -> !file.toString().matches(".*/a(.txt)?"));
  }
}
