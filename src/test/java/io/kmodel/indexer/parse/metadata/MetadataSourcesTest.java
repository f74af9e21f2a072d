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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    String of = type.equals("response") ? "application/http" : "text/plain";
    return """
        WARC/1.0
        WARC-Type: %s
        WARC-Target-URI: http://a.org/
        %sContent-Type: %s
        Content-Length: %d

        %s

        """
        .formatted(type, headers, of, body.getBytes(UTF_8).length, body)
        .getBytes(UTF_8);
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

  /** Dates of an archive are years, months and so on, whatever their length. */
  @ParameterizedTest
  @CsvSource({
    "20010101, 2001-01-01T00:00:00Z",
    "2001010112, 2001-01-01T12:00:00Z",
    "200101011230, 2001-01-01T12:30:00Z",
    "20010101123045678, 2001-01-01T12:30:45Z",
  })
  void anArchiveMayHaveDatesOfAnotherLength(String date, String instant) throws Exception {
    String page = "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nText";
    String arc =
        "http://a.org/i 127.10.100.2 %s text/plain %d\n%s\n".formatted(date, page.length(), page);
    assertThat(read(arc.getBytes(UTF_8), Format.ARC, KNOWN).values())
        .containsExactly(Map.of("date", instant, "host", "a.org", "content-type", "text/plain"));
  }

  /** Browsers parse this type as XML. */
  @Test
  void aPageOfXhtmlIsReadAsXml() throws Exception {
    byte[] archive =
        Warcs.write(
            WarcCompression.NONE,
            Warcs.response(
                "http://a.org/",
                "application/xhtml+xml",
                "<html><head><script src='a.js'/><meta name='x' content='y'/></head></html>"
                    .getBytes(UTF_8)),
            Warcs.response(
                "http://a.org/feed", "text/xml", "<?xml version='1.0'?><rss/>".getBytes(UTF_8)));
    MetadataPlan plan = MetadataPlan.parse(List.of("content-type"), List.of("x=x"));
    assertThat(read(archive, Format.AUTO, plan).values())
        .containsExactly(
            Map.of("content-type", "application/xhtml+xml", "x", "y"),
            Map.of("content-type", "text/xml"));
  }

  @Test
  void theTimeOfAFileIsNotItsDate() throws Exception {
    Path file = Files.writeString(root.resolve("x"), "A plain text");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));
    assertThat(read(file, Format.AUTO, KNOWN).values())
        .containsExactly(Map.of("content-type", "text/plain"));
  }

  @Test
  void membersOfJsonAreNamedWithDotsIntoObjects() throws Exception {
    MetadataPlan plan =
        MetadataPlan.parse(
            List.of("date", "language"),
            List.of("year=published:int", "by=authors.name", "price=offer.price:double", "x=a.b"));
    String lines =
        """
        {"id":1,"text":"t","published":1994,"authors":[{"name":null},{"name":"Ann"},{"name":"Bob"}],"a":{"b":"in"}}
        {"id":"2","published":"1995","text":"\\u0041","offer":{"price":2.50,"x":[]},"a.b":"dotted","language":"eng"}
        {"date":1325376562000,"id":"3","text":"t","published":"","authors":"none","offer":{"price":{}},"a":NaN}
        """;
    List<Map<String, String>> expected =
        List.of(
            Map.of("date", "1994-01-01T00:00:00Z", "year", "1994", "by", "Ann", "x", "in"),
            Map.of(
                "date", "1995-01-01T00:00:00Z",
                "year", "1995",
                "price", "2.5",
                "x", "dotted",
                "language", "en"),
            Map.of("date", "2012-01-01T00:09:22Z"));
    assertThat(read(lines.getBytes(UTF_8), Format.JSONL, plan).values())
        .containsExactlyElementsOf(expected);
    assertThat(read(lines.getBytes(UTF_8), Format.JSON, plan).values())
        .containsExactlyElementsOf(expected);
  }

  @Test
  void vectorsHaveMetadata() throws Exception {
    String line = "{\"id\":\"1\",\"vector\":{\"a\":1},\"year\":\"2001\"}\n";
    MetadataPlan plan = MetadataPlan.parse(List.of("length"), List.of("year=year:int"));
    assertThat(read(line.getBytes(UTF_8), Format.VECTORS, plan).values())
        .containsExactly(Map.of("length", "1", "year", "2001"));
  }

  @Test
  void columnsOfTsvHaveTheNamesInItsHeader() throws Exception {
    MetadataPlan plan =
        MetadataPlan.parse(List.of("date", "host"), List.of("year=published:int", "q=quoted"));
    String list =
        """
        id\ttext\tURL\tPublished\t"quoted"\tdate
        1\tone\thttp://A.org/\t1994\t"a ""b\"""\t2012-05-07
        2\ttwo\t\t\t\t
        """;
    assertThat(read(list.getBytes(UTF_8), Format.TSV, plan).values())
        .containsExactly(
            Map.of("date", "2012-05-07T00:00:00Z", "host", "a.org", "year", "1994", "q", "a \"b\""),
            Map.of());
    assertThat(read("1\tone\n".getBytes(UTF_8), Format.TSV, plan).values())
        .containsExactly(Map.of());
  }

  @Test
  void tagsOfTrecAreElementsOrAttributesOfTheDocument() throws Exception {
    MetadataPlan plan =
        MetadataPlan.parse(List.of("date"), List.of("by=byline", "type=type", "pages=pages:int"));
    String docs =
        """
        <DOC><DOCNO>LA1</DOCNO>
        <DATE><P>January 1, 1989, Sunday, Home Edition</P></DATE>
        <BYLINE>By <B>A</B> &amp; B &#8211; x</BYLINE><PAGES>
         12 </PAGES><TEXT>one</TEXT></DOC>
        <DOC><DOCNO>FT1</DOCNO><DATE>940506
        </DATE><TEXT>two</TEXT></DOC>
        <DOC><DOCNO>WSJ1</DOCNO><DD> 03/24/87</DD><TEXT>three</TEXT></DOC>
        <DOC><DOCNO>WSJ2</DOCNO><DD> = 870408 </DD><TEXT>three</TEXT></DOC>
        <DOC><DOCNO>APW1</DOCNO><DATE_TIME> 1998-06-01 02:19:35 </DATE_TIME><TEXT>four</TEXT></DOC>
        <DOC id="NYT1" type="story"><DATE>03/24/87</DATE><TEXT>five</TEXT></DOC>
        """;
    assertThat(read(docs.getBytes(UTF_8), Format.AUTO, plan))
        .containsEntry(
            "LA1", Map.of("date", "1989-01-01T00:00:00Z", "by", "By A & B – x", "pages", "12"))
        .containsEntry("FT1", Map.of("date", "1994-05-06T00:00:00Z"))
        .containsEntry("WSJ1", Map.of("date", "1987-03-24T00:00:00Z"))
        .containsEntry("WSJ2", Map.of("date", "1987-04-08T00:00:00Z"))
        .containsEntry("APW1", Map.of("date", "1998-06-01T02:19:35Z"))
        .containsEntry("NYT1", Map.of("type", "story"));
  }

  @Test
  void aPageOfTrecHasWhatItsHeaderSays() throws Exception {
    String doc =
        """
        <DOC><DOCNO>WTX1</DOCNO><DOCHDR>
        http://www.Ram.org:80/x.html 204.244.59.33 19970101013145 text/html 3396
        HTTP/1.0 200 OK
        Date: Wed, 01 Jan 1997 01:13:26 GMT
        Content-type: text/html; charset=x
        Content-Language: en
        </DOCHDR><p>one</DOC>
        <DOC><DOCNO>GX1</DOCNO><DOCHDR>
        http://sgra.jpl.nasa.gov
        HTTP/1.1 200 OK
        Date: Tue, 09 Dec 2003 21:21:33 GMT
        </DOCHDR><meta name=x content=y><p>two</DOC>
        """;
    MetadataPlan plan =
        MetadataPlan.parse(List.of("date", "host", "language", "content-type"), List.of("x=x"));
    assertThat(read(doc.getBytes(UTF_8), Format.AUTO, plan).values())
        .containsExactly(
            Map.of(
                "date", "1997-01-01T01:31:45Z",
                "host", "www.ram.org",
                "language", "en",
                "content-type", "text/html"),
            Map.of(
                "date", "2003-12-09T21:21:33Z",
                "host", "sgra.jpl.nasa.gov",
                "content-type", "text/html",
                "x", "y"));
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
