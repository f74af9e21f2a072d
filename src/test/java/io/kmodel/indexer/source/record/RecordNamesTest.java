package io.kmodel.indexer.source.record;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.SourceReading;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ids and URIs of records whose collections are in UTF-8, in ISO-8859-1, or in both. Bytes beyond
 * ASCII stand as characters of ISO-8859-1 here.
 */
class RecordNamesTest {
  private static final String UTF_8_E = "\u00C3\u00A9";

  @TempDir Path root;

  @Test
  void idsAndUrisOfWarcMayBeInIso8859() throws Exception {
    String large = "X: " + "y".repeat(100_000) + "\r\n";
    write(
        "a.warc",
        warc("http://a.org/\u00E9", "X: " + UTF_8_E + "\u00E9\r\n")
            + warc("http://a.org/\u00E8", large)
            + warc("http://a.org/" + UTF_8_E + "x", "X: \u00E9\r\n")
            + warc("http://a.org/\u00EF\u00BF\u00BD", "")
            + warc("http://a.org/\u00EF\u00BF\u00BD\u00E9", "WARC-TREC-ID: c" + UTF_8_E + "\r\n")
            + warc("http://a.org/d", "WARC-TREC-ID: d\u00E9\r\nWARC-Record-ID: <urn:\u00E9>\r\n"));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids())
        .containsExactly(
            "http://a.org/\u00E9",
            "http://a.org/\u00E8",
            "http://a.org/\u00E9x",
            "http://a.org/\uFFFD",
            "c\u00E9",
            "d\u00E9");
    assertThat(read.texts()).containsOnly("<p>page");
    assertThat(read.skips.all()).isEmpty();
    assertThat(SourceReading.of(root, SourceReading.docno(Docno.URI)).ids())
        .endsWith("http://a.org/\u00EF\u00BF\u00BD\u00E9", "http://a.org/d");
    assertThat(SourceReading.of(root, SourceReading.docno(Docno.RECORD_ID)).ids())
        .last()
        .isEqualTo("urn:\u00E9");
  }

  private static String warc(String uri, String header) {
    return "WARC/1.0\r\nWARC-Type: resource\r\n"
        + header
        + "WARC-Target-URI: %s\r\nContent-Type: text/html\r\n".formatted(uri)
        + "Content-Length: 7\r\n\r\n<p>page\r\n\r\n";
  }

  @Test
  void idsAndUrisOfTsvMayBeInIso8859() throws Exception {
    write(
        "a.tsv",
        "a\u00E9\tx\na\u00E8\tx\na"
            + UTF_8_E
            + "b\tx\nd\thttp://a.org/\u00E9\tt"
            + UTF_8_E
            + "\tx");
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("a\u00E9", "a\u00E8", "a\u00E9b", "d");
    assertThat(read.docs.get(3).title()).isEqualTo("t\u00E9");
    assertThat(SourceReading.of(root, SourceReading.docno(Docno.URI)).ids())
        .last()
        .isEqualTo("http://a.org/\u00E9");
  }

  @Test
  void aByteThatIsNotUtf8CostsOfATitleNoMoreThanItself() throws Exception {
    write("a.tsv", "a\tt" + UTF_8_E + " 20\u00B0C\tx");
    assertThat(SourceReading.of(root).docs.getFirst().title()).isEqualTo("t\u00E9 20\uFFFDC");
  }

  @Test
  void numbersAndUrisOfTrecMayBeInEither() throws Exception {
    write(
        "a.trec",
        trec("t\u00E9", "http://a.org/\u00E9")
            + trec("t\u00E8", "http://a.org/" + UTF_8_E + "x")
            + trec("t" + UTF_8_E + "x", "http://a.org/e"));
    assertThat(SourceReading.of(root).ids()).containsExactly("t\u00E9", "t\u00E8", "t\u00E9x");
    assertThat(SourceReading.of(root, SourceReading.docno(Docno.URI)).ids())
        .containsExactly("http://a.org/\u00E9", "http://a.org/\u00E9x", "http://a.org/e");
  }

  private static String trec(String number, String uri) {
    return "<DOC>\n<DOCNO>%s</DOCNO>\n<DOCHDR>\n%s 1.2.3.4\n</DOCHDR>\n<p>page\n</DOC>\n"
        .formatted(number, uri);
  }

  private void write(String name, String content) throws Exception {
    Files.write(root.resolve(name), content.getBytes(ISO_8859_1));
  }
}
