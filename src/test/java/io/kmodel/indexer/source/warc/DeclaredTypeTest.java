package io.kmodel.indexer.source.warc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.source.DocumentReader;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.crawl.Crawl;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.netpreserve.jwarc.MessageHeaders;

/** Content types as servers write them. */
class DeclaredTypeTest {
  /** Fields are separated by bars. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '>',
      value = {
        "text/html;charset=koi8-r > text/html > koi8-r",
        "Text/HTML ; Charset=KOI8-R > text/html > KOI8-R",
        "text/html; charset= koi8-r > text/html > koi8-r",
        "text/html; charset=\"koi8-r > text/html > koi8-r",
        "text/html; charset=\"koi8\\-r\" x > text/html > koi8-r",
        "text/html; charset=koi8-r, text/html > text/html > koi8-r",
        "text/html|text/html; charset=koi8-r > text/html > koi8-r",
        "text/html; charset=koi8-r|text/html > text/html > koi8-r",
        "text/html; charset=a|text/html; charset=b > text/html > b",
        "text/plain; charset=a, text/html > text/html > ``",
        "text/html; charset=a, */*; charset=b > text/html > a",
        "text/html; charset=;charset=koi8-r; > text/html > koi8-r",
        "text/html; x=\"a;charset=b\"; charset=c > text/html > c",
        "text/html; x=\"a,b\"; charset=c > text/html > c",
        "html; charset=koi8-r > html > koi8-r",
        "; charset=koi8-r > `` > koi8-r",
        "charset=koi8-r > charset=koi8-r > ``",
        "text/html; charset=koi8-r,; > text/html > koi8-r",
        "`` > `` > ``",
      })
  void aTypeIsReadAsBrowsersDo(String fields, String media, String charset) {
    List<String> headers = new ArrayList<>();
    for (String field : fields.split("\\|", -1)) {
      headers.addAll(List.of("Content-Type", field));
    }
    assertThat(DeclaredType.of(MessageHeaders.of(headers.toArray(new String[0]))))
        .isEqualTo(new DeclaredType(media, charset));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Type: text/html; charset= koi8-r",
        "Content-Type: text/html; charset=\"koi8-r",
        "Content-Type: text/html; charset=koi8-r, text/html",
        "Content-Type: text/html\r\nContent-Type: text/html; charset=koi8-r",
      })
  void aPageIsReadInACharsetOfSloppySpelling(String field, @TempDir Path root) throws Exception {
    byte[] page = "<p>Серая цапля".getBytes(Charset.forName("KOI8-R"));
    String http = "HTTP/1.1 200 OK\r\n" + field + "\r\n\r\n";
    String warc =
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.org/\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(http.length() + page.length, http);
    Path file = root.resolve("a.warc");
    Files.write(file, Warcs.concat(warc.getBytes(UTF_8), page, "\r\n\r\n".getBytes(UTF_8)));
    for (Split split :
        Crawl.open(List.of(file), 1 << 20, SkipListener.NONE).splits(Long.MAX_VALUE)) {
      try (DocumentReader reader = split.open(SkipListener.NONE)) {
        assertThat(new DocumentParser().parse(Objects.requireNonNull(reader.next())).contents())
            .isEqualTo("Серая цапля");
        assertThat(reader.next()).isNull();
      }
    }
  }
}
