package io.kmodel.indexer.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
