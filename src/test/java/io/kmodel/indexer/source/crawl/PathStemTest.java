package io.kmodel.indexer.source.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.warc.Warcs;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ids of files that are one document, without suffixes. */
class PathStemTest {
  @TempDir Path root;

  @ParameterizedTest
  @CsvSource({
    "CACM-1410.html, CACM-1410",
    "a/b.c/CACM-1410.html.gz, a/b.c/CACM-1410",
    "a.TXT.Z, a",
    "a.gz, a",
    "a.b.xhtml, a.b",
    "a, a",
    "a.b/c, a.b/c",
    "wsj.2020.03, wsj.2020.03",
    ".html, .html",
    "a/.html, a/.html",
    "a., a.",
    "a.longsuffix, a.longsuffix"
  })
  void aStemIsAPathWithoutItsSuffix(String path, String stem) {
    assertThat(PathStem.id(path, Docno.PATH_STEM)).isEqualTo(stem);
    assertThat(PathStem.id(path, Docno.PATH)).isEqualTo(path);
  }

  @Test
  void filesOfOneDocumentAreNamedByTheirStemsAndRecordsByTheirPaths() throws Exception {
    Files.writeString(root.resolve("CACM-1410.html"), "<p>a");
    Files.write(root.resolve("b.html.gz"), Warcs.gzip("<p>b".getBytes(UTF_8)));
    Files.writeString(root.resolve("c.jsonl"), "{\"id\": \"1\", \"text\": \"c\"}\n");
    assertThat(SourceReading.of(root, SourceReading.docno(Docno.PATH_STEM)).ids())
        .containsExactly("CACM-1410", "b", "c.jsonl#0");
    assertThat(SourceReading.of(root, SourceReading.docno(Docno.PATH)).ids())
        .containsExactly("CACM-1410.html", "b.html.gz", "c.jsonl#0");
  }
}
