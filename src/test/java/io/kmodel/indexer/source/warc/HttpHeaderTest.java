package io.kmodel.indexer.source.warc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.record.RecordedSkips;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes before a page in a record: a header of any kind, several, or none. */
class HttpHeaderTest {
  private static final String PAGE = "<html><body>a page about herons</body></html>";
  private static final String HTTP = "Content-Type: application/http\r\n";

  @TempDir Path root;

  /** Interim responses, and what old and odd servers say. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\n",
        "\r\nHTTP/1.1 200 OK\r\n",
        "http/1.1 200 OK\r\n",
        "ICY 200 OK\r\n",
        "HTTP/1.1 2000 OK\r\n",
      })
  void whateverStatusComesFirstThePageIsBehindItsHeader(String status) throws Exception {
    write(record(HTTP, status + "Content-Type: text/html\r\n\r\n" + PAGE));
    assertOnePage(SourceReading.of(root));
  }

  /** The last one says what the page is. */
  @Test
  void anInterimResponseSaysNothingOfThePage() throws Exception {
    write(
        record(
            HTTP,
            "HTTP/1.1 100 Continue\r\nContent-Type: text/html\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nherons"));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).isEmpty();
    assertThat(read.skips.only().detail()).isEqualTo("image/png");
  }

  /** A page may show a response; of that of a change of protocol nobody knows what follows. */
  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1 200 OK\r\n", "HTTP/1.1 101 Switching\r\n"})
  void aPageThatStartsAsAResponseIsNone(String status) throws Exception {
    String page = "HTTP/1.1 404 Not Found\r\n\r\nis what a server says.";
    write(record(HTTP, status + "Content-Type: text/plain\r\n\r\n" + page));
    assertThat(SourceReading.of(root).texts()).containsExactly(page);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Content-Type: message/http\r\n", "Content-Type: text/html\r\n"})
  void aResponseHasItsHeaderWhateverItsRecordIsCalled(String type) throws Exception {
    write(record(type, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE));
    assertOnePage(SourceReading.of(root));
  }

  private static void assertOnePage(SourceReading read) {
    assertThat(read.texts()).containsExactly(PAGE);
    assertThat(read.docs.get(0).type()).isEqualTo(ContentType.HTML);
    assertThat(read.skips.all()).isEmpty();
  }

  @Test
  void aPageWithoutAnHttpHeaderIsWhatItsBytesSay() throws Exception {
    String body = "<html><body>version 0.9 of HTTP had no header</body></html>";
    write(record(HTTP, body));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("http://a.org/");
    assertThat(read.texts()).containsExactly(body);
    assertThat(read.docs.get(0).type()).isEqualTo(ContentType.HTML);
  }

  @Test
  void aContentTypeThatMakesNoSenseDoesNotEndTheBuild() throws Exception {
    StringBuilder archive = new StringBuilder();
    for (String type :
        List.of("\u001etext/html; charset=utf-8", "text/", "text/h(;;=", "text/html;\"")) {
      archive.append(
          record(HTTP, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n<p>heron</p>".formatted(type)));
    }
    write(archive.toString());
    SourceReading read = SourceReading.of(root);
    assertThat(read.docs.size() + read.skips.all().size()).isEqualTo(4);
    assertThat(read.texts()).isNotEmpty().containsOnly("<p>heron</p>");
  }

  @Test
  void aCharsetIsKnownThoughACommaFollowsIt() throws Exception {
    write(
        record(
            HTTP,
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=windows-1251,\r\n\r\nherons"));
    assertThat(SourceReading.of(root).docs.get(0).charset()).isEqualTo("windows-1251");
  }

  /** Of a longer one nobody knows whether it ends. */
  @Test
  void aResponseWhoseHeaderHasNoEndHoldsNoTextAndOneOfManyBytesIsLost() throws Exception {
    String small = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    String large = "HTTP/1.1 200 OK\r\nX: " + "y".repeat(100_000) + "\r\n\r\ntext";
    write(record(HTTP, small) + record(HTTP, large));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).isEmpty();
    assertThat(read.reasons()).containsExactly(SkipReason.NOT_TEXT, SkipReason.TOO_LARGE);
    assertThat(read.skips.all())
        .extracting(RecordedSkips.Skip::detail)
        .containsExactly("HTTP header has no end", "HTTP header is longer than 65536 bytes");
  }

  /** What was too long for one record: its parts are not joined. */
  @Test
  void theFirstSegmentOfARecordIsKeptInPart() throws Exception {
    String first = record(HTTP + "WARC-Segment-Number: 1\r\n", "HTTP/1.1 200 OK\r\n\r\n" + PAGE);
    String next =
        record("WARC-Segment-Number: 2\r\n", "more")
            .replace("Type: response", "Type: continuation");
    write(first + next);
    SourceReading read = SourceReading.of(root);
    assertThat(read.texts()).containsExactly(PAGE);
    assertThat(read.reasons()).containsExactly(SkipReason.CUT_SHORT, SkipReason.OTHER_RECORD);
    assertThat(read.skips.all().get(0).detail())
        .isEqualTo("WARC-Segment-Number: 1; the other segments are not appended");
  }

  private static String record(String headers, String block) {
    return """
    WARC/1.1\r
    WARC-Type: response\r
    WARC-Target-URI: <http://a.org/>\r
    %sContent-Length: %d\r
    \r
    %s\r
    \r
    """
        .formatted(headers, block.length(), block);
  }

  private void write(String archive) throws IOException {
    Files.write(root.resolve("a.warc"), archive.getBytes(US_ASCII));
  }
}
