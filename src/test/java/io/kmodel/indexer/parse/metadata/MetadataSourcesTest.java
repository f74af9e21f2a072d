package io.kmodel.indexer.parse.metadata;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.field.MetadataPlan;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.HeapGuard;
import io.kmodel.indexer.source.RawDocument;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.crawl.Crawl;
import io.kmodel.indexer.source.warc.Warcs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.netpreserve.jwarc.WarcCompression;

/** The metadata of documents in files of each format. */
class MetadataSourcesTest {
  private static final MetadataPlan KNOWN =
      MetadataPlan.parse(List.of("date", "host", "language", "content-type"), List.of());

  @TempDir private Path root;

  @Test
  void aPageOfAnArchiveHasWhatItsRecordAndItsServerSay() throws Exception {
    byte[] archive =
        Warcs.write(
            WarcCompression.GZIP,
            Warcs.response(
                "http://A.org:80/x",
                "text/HTML;charset=utf-8",
                "<p>One".getBytes(UTF_8),
                "Content-Language",
                "fr-CA",
                "Last-Modified",
                "Sun, 06 Nov 1994 08:49:37 GMT"),
            Warcs.resource("http://b.org/y", "text/plain", "Two"));
    assertThat(read(archive, Format.AUTO, KNOWN).values())
        .containsExactly(
            Map.of(
                "date", "2024-02-29T12:00:00Z",
                "host", "a.org",
                "language", "fr-ca",
                "content-type", "text/html"),
            Map.of("date", "2024-02-29T12:00:00Z", "host", "b.org", "content-type", "text/plain"));
  }

  @Test
  void aPageWithoutDateInItsRecordHasThatOfItsServer() throws Exception {
    String http =
        "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Type: text/html\r\n\r\n<p>x";
    assertThat(read(warc("response", "", http), Format.AUTO, KNOWN).values())
        .containsExactly(
            Map.of("date", "1994-11-06T08:49:37Z", "host", "a.org", "content-type", "text/html"));
  }

  @Test
  void aTextOfCommonCrawlHasTheLanguageWithTheLargestShare() throws Exception {
    byte[] wet =
        warc(
            "conversion",
            "WARC-Date: 2024-03-01T00:00:00Z\r\nWARC-Identified-Content-Language: deu,eng\r\n",
            "Reiher");
    assertThat(read(wet, Format.AUTO, KNOWN).values())
        .containsExactly(
            Map.of(
                "date", "2024-03-01T00:00:00Z",
                "host", "a.org",
                "language", "de",
                "content-type", "text/plain"));
  }

  private static byte[] warc(String type, String headers, String body) {
    String record =
        "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: http://a.org/\r\n%sContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n";
    String of = type.equals("response") ? "application/http" : "text/plain";
    return record.formatted(type, headers, of, body.getBytes(UTF_8).length, body).getBytes(UTF_8);
  }

  @Test
  void aPageOfAnOldArchiveHasTheDateOfItsRecord() throws Exception {
    String page = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>An old page";
    String arc =
        "http://a.org:80/i 127.10.100.2 19961104142103 text/html %d\n%s\n"
            .formatted(page.length(), page);
    assertThat(read(arc.getBytes(UTF_8), Format.ARC, KNOWN).values())
        .containsExactly(
            Map.of("date", "1996-11-04T14:21:03Z", "host", "a.org", "content-type", "text/html"));
  }

  @Test
  void theTimeOfAFileIsNotItsDate() throws Exception {
    Path file = Files.writeString(root.resolve("x"), "A plain text");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));
    assertThat(read(file, Format.AUTO, KNOWN).values())
        .containsExactly(Map.of("content-type", "text/plain"));
  }

  private Map<String, Map<String, String>> read(byte[] content, Format format, MetadataPlan plan)
      throws Exception {
    return read(Files.write(root.resolve("file"), content), format, plan);
  }

  private static Map<String, Map<String, String>> read(Path file, Format format, MetadataPlan plan)
      throws Exception {
    Map<String, Map<String, String>> all = new LinkedHashMap<>();
    SourceOptions options = SourceReading.format(format).withMetadata(plan.request());
    DocumentParser parser =
        new DocumentParser(HtmlMode.FAST, HeapGuard.UNLIMITED, FieldPlan.DEFAULT, plan);
    for (Split split :
        Crawl.open(List.of(file), List.of(), options, SkipListener.NONE).splits(Long.MAX_VALUE)) {
      try (DocumentReader reader = split.open(SkipListener.NONE)) {
        for (RawDocument raw = reader.next(); raw != null; raw = reader.next()) {
          ParsedDocument parsed = parser.parse(raw);
          all.put(parsed.id(), Values.of(parsed));
        }
      }
    }
    return all;
  }
}
