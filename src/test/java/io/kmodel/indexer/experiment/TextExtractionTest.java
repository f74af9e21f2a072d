package io.kmodel.indexer.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextExtractionTest {
  @TempDir Path directory;

  @Test
  void whatIsLeftOutIsCountedByReason() throws IOException {
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
  void ofDocumentsWithTheSameIdOneIsWrittenAndCounted() throws IOException {
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

  @ParameterizedTest
  @ValueSource(strings = {"../x", "/x", "a/../../x"})
  void anIdIsNoFileOutsideOfTheTarget(String id) throws IOException {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    String outside = id.startsWith("/") ? directory + id : id;
    Files.writeString(
        crawl.resolve("a.jsonl"), "{\"id\": \"%s\", \"contents\": \"one\"}\n".formatted(outside));

    assertThatThrownBy(() -> TextExtraction.extract(crawl, directory.resolve("text")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("id '%s' would be a file outside of ", outside);
    assertThat(directory.resolve("x.txt")).doesNotExist();
  }
}
