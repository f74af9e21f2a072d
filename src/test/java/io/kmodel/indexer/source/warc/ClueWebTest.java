package io.kmodel.indexer.source.warc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.record.RecordedSkips;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the archives of the ClueWeb collections have that others have not. */
class ClueWebTest {
  private static final String PAGE = "<html><title>t</title>a heron</html>";

  @TempDir Path root;

  /** A page without an HTTP header, known by a field of its own. */
  @Test
  void pagesOfClueWeb22AreKnownByTheirIds() throws Exception {
    write(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\n"
            + "ClueWeb22-ID: clueweb22-en0000-00-00000\r\nContent-Type: text/html\r\n"
            + "Content-Length: "
            + PAGE.length()
            + "\r\n\r\n"
            + PAGE
            + "\r\n\r\n");
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("clueweb22-en0000-00-00000");
    assertThat(read.texts()).containsExactly(PAGE);
    assertThat(SourceReading.of(root, SourceReading.docno(Docno.URI)).ids())
        .containsExactly("http://a/");
  }

  /** The length of the record may stand behind up to three empty lines, which may be several. */
  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\n\n", "\r\n\r\n\r\n"})
  void aHeaderWithEmptyLinesWithinIsRead(String gap) throws Exception {
    String body = "HTTP/1.1 200 OK\nContent-Type: text/html\n\n" + PAGE;
    String last = "Content-Length: " + body.length() + "\n\n" + body + "\n";
    String start = "WARC/0.18\nWARC-Type: response\nWARC-Target-URI: http://a/\n";
    String id = "WARC-TREC-ID: clueweb09-en0000-00-0000%d\nContent-Type: application/http\n";
    write(
        start + id.formatted(0) + gap + last,
        start + gap + id.formatted(1) + gap + last,
        start + gap + "WARC-Date: caf\u00E9\n" + gap + id.formatted(2) + gap + last,
        start + id.formatted(3) + last);
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids())
        .containsExactly(
            "clueweb09-en0000-00-00000",
            "clueweb09-en0000-00-00001",
            "clueweb09-en0000-00-00002",
            "clueweb09-en0000-00-00003");
    assertThat(read.texts()).containsOnly(PAGE);
    assertThat(read.skips.all()).isEmpty();
  }

  @Test
  void aHeaderWithoutALengthTakesNothingOfTheNextRecord() throws Exception {
    String record =
        """
        WARC/1.0
        WARC-Type: resource
        WARC-TREC-ID: %d
        Content-Type: text/plain
        Content-Length: 3

        one

        """;
    String without = "WARC/1.0\nWARC-Type: resource\nWARC-TREC-ID: 2\n\n";
    write(record.formatted(1), without, record.formatted(3), without + "no field\n", without);
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("1", "3");
    assertThat(read.skips.all())
        .extracting(RecordedSkips.Skip::detail)
        .containsOnly("record has no Content-Length")
        .hasSize(3);
  }

  /** In one member of gzip, where nothing but the record's own bytes say where it ends. */
  @ParameterizedTest
  @ValueSource(
      strings = {"foo: bar\n", "foo: bar\n\n", "foo: bar\nbaz: a\n\n\n", "\nno field\n", ""})
  void aHeaderWithoutALengthTakesNothingOfTheNextRecordInOneMember(String rest) throws Exception {
    String bad = "WARC/1.0\nWARC-Type: response\nWARC-Target-URI: http://bad/\n\n" + rest;
    String page = response("text/html", "", PAGE);
    byte[] file = (page + bad + page + page).getBytes(ISO_8859_1);
    Files.write(root.resolve("a.warc.gz"), Warcs.gzip(file));
    SourceReading read = SourceReading.of(root);
    assertThat(read.texts()).containsExactly(PAGE, PAGE, PAGE);
    assertThat(read.skips.only().detail()).isEqualTo("record has no Content-Length");
  }

  /** Servers have called pages many things. */
  @ParameterizedTest
  @CsvSource({
    "html, true",
    "application/octet-stream, true",
    "httpd/unix-directory, true",
    "application/xml, true",
    "*/*, true",
    "application/rss+xml; charset=utf-8, true",
    "image/png, false",
    "video/html, false",
    "application/pdf, false",
    "application/json, false"
  })
  void whatStartsAsAPageIsOneUnlessItsTypeIsKnown(String type, boolean isPage) throws Exception {
    String chunked = "24\r\n" + PAGE + "\r\n0\r\n\r\n";
    write(
        response(type, "", PAGE),
        response(type, "Transfer-Encoding: chunked\r\n", chunked),
        response(type, "Content-Encoding: gzip\r\n", latin1(Warcs.gzip(PAGE.getBytes(ISO_8859_1)))),
        response(type, "Transfer-Encoding: chunked\r\n", chunked.replaceFirst("24", "24;a=b")),
        response(type, "", "{\"a\": \"<html>\"}"),
        response(type, "Content-Encoding: gzip\r\n", latin1(Warcs.gzip(new byte[] {'a', 'b'}))));
    SourceReading read = SourceReading.of(root);
    assertThat(read.texts())
        .containsExactlyElementsOf(isPage ? List.of(PAGE, PAGE, PAGE, PAGE) : List.of());
    assertThat(read.docs).extracting(SourceReading.Doc::type).allMatch(ContentType.HTML::equals);
    assertThat(read.reasons()).hasSize(isPage ? 2 : 6).containsOnly(SkipReason.NOT_TEXT);
    assertThat(read.skips.all()).allMatch(skip -> skip.detail().equals(type));
  }

  @Test
  void aPageBehindAnHttpHeaderThatNothingEndsIsRead() throws Exception {
    String http = "HTTP/1.1 200 OK\nServer: x\n";
    write(record(http + PAGE), record(http), record("HTTP/1.1 200 OK\r\nX: <a>\r\n" + PAGE));
    SourceReading read = SourceReading.of(root);
    assertThat(read.texts()).containsExactly(PAGE, PAGE);
    assertThat(read.skips.only().detail()).isEqualTo("HTTP header has no end");
  }

  @Test
  void whatIsLargeAndNoPageIsNoLoss() throws Exception {
    String large = "<html>" + "a heron ".repeat(1000);
    write(
        response("application/octet-stream", "", "x" + large),
        response("application/octet-stream", "Content-Encoding: br\r\n", large),
        response("application/octet-stream", "", large),
        response("text/html", "", large));
    SourceReading read = SourceReading.of(root, SourceOptions.withLimit(4000));
    assertThat(read.reasons())
        .containsExactly(
            SkipReason.NOT_TEXT, SkipReason.NOT_TEXT, SkipReason.TOO_LARGE, SkipReason.TOO_LARGE);
  }

  private static String response(String type, String header, String body) {
    return record("HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n" + header + "\r\n" + body);
  }

  private static String record(String http) {
    return "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\n"
        + "Content-Type: application/http\r\nContent-Length: "
        + http.length()
        + "\r\n\r\n"
        + http
        + "\r\n\r\n";
  }

  private static String latin1(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }

  private void write(String... records) throws IOException {
    Files.write(root.resolve("a.warc"), String.join("", records).getBytes(ISO_8859_1));
  }
}
