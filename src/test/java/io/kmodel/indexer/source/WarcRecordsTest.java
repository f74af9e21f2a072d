package io.kmodel.indexer.source;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.netpreserve.jwarc.WarcCompression;
import org.netpreserve.jwarc.WarcRecord;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class WarcRecordsTest {
  @TempDir Path root;

  @ParameterizedTest
  @EnumSource(
      value = WarcCompression.class,
      names = {"NONE", "GZIP"})
  void pagesAreReadAndEverythingElseIsCounted(WarcCompression compression) throws Exception {
    byte[] picture = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0, 1};
    write(
        "a.warc",
        Warcs.write(
            compression,
            Warcs.info(),
            Warcs.request("http://a.org/"),
            Warcs.html("http://a.org/", "<title>Heron</title>The heron"),
            Warcs.metadata("http://a.org/"),
            Warcs.response("http://a.org/p.png", "image/png", picture),
            Warcs.response("http://a.org/lie.html", "text/html", picture),
            Warcs.revisit("http://a.org/"),
            Warcs.resource("http://a.org/notes", "text/plain", "a note"),
            Warcs.resource("http://a.org/data", "application/json", "{}"),
            Warcs.conversion("http://a.org/wet", "as Common Crawl extracts it"),
            Warcs.response("http://a.org/x", "text/plain", "plain".getBytes(US_ASCII))));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids())
        .containsExactly(
            "http://a.org/", "http://a.org/notes", "http://a.org/wet", "http://a.org/x");
    assertThat(read.texts())
        .containsExactly(
            "<title>Heron</title>The heron", "a note", "as Common Crawl extracts it", "plain");
    assertThat(read.docs).extracting(SourceReading.Doc::charset).startsWith("utf-8");
    assertThat(read.docs.get(0).type()).isEqualTo(ContentType.HTML);
    assertThat(read.docs.get(1).type()).isEqualTo(ContentType.PLAIN_TEXT);
    assertThat(read.reasons())
        .containsExactly(
            SkipReason.METADATA,
            SkipReason.REQUEST,
            SkipReason.METADATA,
            SkipReason.NOT_TEXT,
            SkipReason.NOT_TEXT,
            SkipReason.REVISIT,
            SkipReason.NOT_TEXT);
    assertThat(read.skips.all().get(3).detail()).isEqualTo("image/png");
    assertThat(read.skips.all().get(4).detail()).isEqualTo("starts as PNG files do");
  }

  @Test
  void anIdIsTheTrecIdElseTheUriOrWhatIsAskedFor() throws Exception {
    WarcRecord page = Warcs.html("http://a.org/", "x");
    byte[] record = Warcs.write(WarcCompression.NONE, page);
    String text = new String(record, ISO_8859_1);
    String withId = text.replace("WARC/1.0\r\n", "WARC/1.0\r\nWARC-TREC-ID: clueweb12-00-1\r\n");
    write("dir/a.warc", Warcs.concat(withId.getBytes(ISO_8859_1), record));
    String recordId = "urn:uuid:" + Warcs.id("http://a.org/");
    assertThat(ids(Docno.TREC_ID)).containsExactly("clueweb12-00-1", "http://a.org/");
    assertThat(ids(Docno.URI)).containsExactly("http://a.org/", "http://a.org/");
    assertThat(ids(Docno.RECORD_ID)).containsExactly(recordId, recordId);
    assertThat(ids(Docno.PATH)).containsExactly("dir/a.warc#0", "dir/a.warc#" + withId.length());
  }

  private List<String> ids(Docno docno) throws IOException, InterruptedException {
    return SourceReading.of(root, SourceReading.docno(docno)).ids();
  }

  @Test
  void chunksAndContentEncodingsAreUndone() throws Exception {
    byte[] page = "<p>chunked and packed</p>".getBytes(US_ASCII);
    byte[] brotli = {0x0b, 0x02, (byte) 0x80, 'h', 'e', 'l', 'l', 'o', 0x03};
    write(
        "a.warc",
        Warcs.write(
            WarcCompression.GZIP,
            encoded("chunked", chunks(page), "Transfer-Encoding", "chunked"),
            encoded("gzip", Warcs.gzip(page), "Content-Encoding", "gzip"),
            encoded("x-gzip", Warcs.gzip(page), "Content-Encoding", "X-GZIP"),
            encoded("zlib", deflate(page, false), "Content-Encoding", "deflate"),
            encoded("raw", deflate(page, true), "Content-Encoding", "deflate"),
            encoded("brotli", brotli, "Content-Encoding", "br"),
            encoded("zstd", Zstd.compress(page), "Content-Encoding", "zstd"),
            encoded("two", Warcs.gzip(Zstd.compress(page)), "Content-Encoding", "zstd, gzip"),
            encoded(
                "both",
                chunks(Warcs.gzip(page)),
                "Transfer-Encoding",
                "chunked",
                "Content-Encoding",
                "gzip"),
            encoded("decoded", page, "Content-Encoding", "gzip", "Transfer-Encoding", "chunked"),
            encoded("odd", page, "Content-Encoding", "compress")));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids())
        .containsExactly(
            "chunked", "gzip", "x-gzip", "zlib", "raw", "brotli", "zstd", "two", "both", "decoded");
    assertThat(read.docs)
        .allSatisfy(
            doc ->
                assertThat(doc.text())
                    .isEqualTo(doc.id().equals("brotli") ? "hello" : new String(page, US_ASCII)));
    assertThat(read.skips.only().detail()).isEqualTo("content encoding compress");
  }

  @Test
  void whatCanBeDecodedOfAPageThatWasCutIsKeptAndReported() throws Exception {
    byte[] page = "<p>chunked and packed and long enough</p>".getBytes(US_ASCII);
    byte[] chunked = chunks(page);
    byte[] deflated = deflate(page, true);
    byte[] zipped = Warcs.gzip(page);
    write(
        "a.warc",
        Warcs.write(
            WarcCompression.GZIP,
            encoded("chunked", Arrays.copyOf(chunked, 30), "Transfer-Encoding", "chunked"),
            encoded("zip", Arrays.copyOf(zipped, zipped.length - 9), "Content-Encoding", "gzip"),
            encoded(
                "flat",
                Arrays.copyOf(deflated, deflated.length - 4),
                "Content-Encoding",
                "deflate"),
            encoded("whole", page)));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("chunked", "zip", "flat", "whole");
    assertThat(read.docs).allSatisfy(doc -> assertThat(doc.text()).startsWith("<p>chunked"));
    assertThat(read.reasons())
        .containsExactly(SkipReason.CUT_SHORT, SkipReason.CUT_SHORT, SkipReason.CUT_SHORT);
  }

  @Test
  void aBombIsTooLargeAndTheNextPageIsRead() throws Exception {
    byte[] zeros = new byte[3_000_000];
    Arrays.fill(zeros, (byte) 'a');
    write(
        "a.warc",
        Warcs.write(
            WarcCompression.GZIP,
            encoded("gzip", Warcs.gzip(zeros), "Content-Encoding", "gzip"),
            encoded("zstd", Zstd.compress(zeros), "Content-Encoding", "zstd"),
            encoded("brotli", Warcs.brotliBomb(), "Content-Encoding", "br"),
            encoded("plain", zeros),
            encoded("chunked", chunks(zeros), "Transfer-Encoding", "chunked"),
            encoded("small", "small".getBytes(US_ASCII))));
    SourceReading read = SourceReading.of(root, SourceOptions.withLimit(1 << 20));
    assertThat(read.ids()).containsExactly("small");
    assertThat(read.reasons()).hasSize(5).containsOnly(SkipReason.TOO_LARGE);
  }

  @Test
  void theSameRecordsCompressedInAnyWayAreTheSameDocuments() throws Exception {
    byte[] warc = Warcs.write(WarcCompression.NONE, pages(30));
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      expected.add("http://a.org/" + i);
    }
    write("plain", warc);
    write("members", Warcs.write(WarcCompression.GZIP, pages(30)));
    write("one-member", Warcs.gzip(warc));
    write("zstd", Zstd.compress(warc));
    int half = warc.length / 2;
    write(
        "two-frames",
        Warcs.concat(
            Zstd.compress(Arrays.copyOf(warc, half)),
            Zstd.compress(Arrays.copyOfRange(warc, half, warc.length))));
    ByteArrayOutputStream bzip2 = new ByteArrayOutputStream();
    try (BZip2CompressorOutputStream out = new BZip2CompressorOutputStream(bzip2)) {
      out.write(warc);
    }
    write("bzip2", bzip2.toByteArray());
    write("two-streams", Warcs.concat(bzip2.toByteArray(), bzip2.toByteArray()));
    ByteArrayOutputStream xz = new ByteArrayOutputStream();
    try (XZOutputStream out = new XZOutputStream(xz, new LZMA2Options())) {
      out.write(warc);
    }
    write("xz", xz.toByteArray());
    for (String file :
        List.of("plain", "members", "one-member", "zstd", "two-frames", "bzip2", "xz")) {
      SourceReading read = SourceReading.of(root.resolve(file));
      assertThat(read.ids()).as(file).isEqualTo(expected);
      assertThat(read.skips.all()).as(file).isEmpty();
    }
    assertThat(SourceReading.of(root.resolve("two-streams")).ids()).hasSize(60);
  }

  @Test
  @Timeout(300)
  void aGzipFileClippedAnywhereGivesAllRecordsBeforeAndSaysWhere() throws Exception {
    byte[][] members = new byte[4][];
    for (int i = 0; i < members.length; i++) {
      members[i] = Warcs.write(WarcCompression.GZIP, page(i));
    }
    byte[] whole = Warcs.concat(members);
    for (int length = 10; length < whole.length; length++) {
      int before = 0;
      int border = 0;
      while (before < members.length && border + members[before].length <= length) {
        border += members[before++].length;
      }
      write("a.warc.gz", Arrays.copyOf(whole, length));
      SourceReading read = SourceReading.of(root);
      assertThat(read.ids()).as("clipped to %d", length).hasSize(before);
      if (border == length) {
        assertThat(read.skips.all()).isEmpty();
      } else {
        assertThat(read.skips.only().reason()).isEqualTo(SkipReason.DAMAGED);
        assertThat(read.skips.only().place())
            .as("clipped to %d", length)
            .matches(".*a\\.warc\\.gz" + (border == 0 ? "( at byte 0)?" : " at byte " + border));
      }
    }
  }

  @Test
  @Timeout(300)
  void anUncompressedFileClippedAnywhereGivesAllRecordsBefore() throws Exception {
    byte[] one = Warcs.write(WarcCompression.NONE, page(0));
    byte[] whole = Warcs.concat(one, Warcs.write(WarcCompression.NONE, page(1)));
    int trailer = 4;
    for (int length = 10; length <= whole.length; length++) {
      write("a.warc", Arrays.copyOf(whole, length));
      SourceReading read = SourceReading.of(root);
      int expected = length >= whole.length - trailer ? 2 : length >= one.length - trailer ? 1 : 0;
      assertThat(read.ids()).as("clipped to %d", length).hasSize(expected);
      boolean atBorder = length >= whole.length - trailer || length == one.length;
      boolean inTrailer = length >= one.length - trailer && length < one.length;
      assertThat(read.skips.all()).hasSize(atBorder || inTrailer ? 0 : 1);
    }
  }

  @Test
  @Timeout(300)
  void anyDamagedByteLosesOneRecordAndTheOthersAreRead() throws Exception {
    byte[][] members = new byte[4][];
    for (int i = 0; i < members.length; i++) {
      members[i] = Warcs.write(WarcCompression.GZIP, page(i));
    }
    byte[] whole = Warcs.concat(members);
    int from = members[0].length;
    for (int i = from; i < from + members[1].length; i++) {
      byte[] damaged = whole.clone();
      damaged[i] ^= 0x55;
      write("a.warc.gz", damaged);
      SourceReading read = SourceReading.of(root);
      assertThat(read.ids())
          .as("byte %d", i)
          .contains("http://a.org/0", "http://a.org/2", "http://a.org/3");
      if (read.ids().size() < 4) {
        assertThat(read.skips.only().reason())
            .as("byte %d", i)
            .isIn(SkipReason.DAMAGED, SkipReason.DAMAGED_RECORD);
        assertThat(read.skips.only().place()).endsWith("a.warc.gz at byte " + from);
      }
    }
  }

  @Test
  @Timeout(60)
  void recordsThatMakeNoSenseArePassedOverToTheNextLineThatStartsOne() throws Exception {
    byte[] one = Warcs.write(WarcCompression.NONE, page(1));
    byte[] two = Warcs.write(WarcCompression.NONE, page(2));
    String text = new String(one, ISO_8859_1);
    for (String bad :
        List.of(
            "no record at all\n",
            text.replaceFirst("Content-Length: \\d+", "Content-Length: -5"),
            text.replaceFirst("Content-Length: \\d+", "Content-Length: 9999999999999999999"),
            text.replaceFirst("Content-Length: \\d+", "Content-Length: 99999999999"),
            text.replaceFirst("Content-Length: \\d+\r\n", ""),
            text.replaceFirst("WARC/1.0", "WARC/x"),
            "WARC/1.0\r\nX: " + "y".repeat(2_000_000) + "\r\n")) {
      for (boolean packed : new boolean[] {false, true}) {
        byte[] file = Warcs.concat(one, bad.getBytes(ISO_8859_1), two);
        write("a.warc", packed ? Warcs.gzip(file) : file);
        SourceReading read = SourceReading.of(root);
        assertThat(read.ids().get(0)).isEqualTo("http://a.org/1");
        assertThat(read.reasons()).containsOnly(SkipReason.DAMAGED_RECORD);
        assertThat(read.skips.all().get(0).place()).endsWith("a.warc at byte " + one.length);
        boolean lengthLies = bad.contains("Content-Length: 99999999999\r");
        if (!packed || !lengthLies) {
          assertThat(read.ids()).last().isEqualTo("http://a.org/2");
        }
      }
    }
  }

  @Test
  void aFirstRecordThatMakesNoSenseCostsNoOther() throws Exception {
    byte[] bad = Warcs.write(WarcCompression.NONE, page(0));
    bad[9] ^= 0x20;
    byte[] lies =
        new String(Warcs.write(WarcCompression.NONE, page(0)), ISO_8859_1)
            .replaceFirst("Content-Length: ", "Content-Length: 77777")
            .getBytes(ISO_8859_1);
    byte[] others = Warcs.write(WarcCompression.NONE, page(1), page(2));
    byte[] packed = Warcs.write(WarcCompression.GZIP, page(1), page(2));
    for (byte[] file :
        List.of(
            Warcs.concat(bad, others),
            Warcs.gzip(Warcs.concat(bad, others)),
            Warcs.concat(Warcs.gzip(bad), packed),
            Warcs.concat(lies, others),
            Warcs.concat(Warcs.gzip(lies), packed))) {
      write("a.warc", file);
      SourceReading read = SourceReading.of(root, SourceReading.format(Format.WARC));
      assertThat(read.ids()).containsExactly("http://a.org/1", "http://a.org/2");
      assertThat(read.skips.only().place()).endsWith("a.warc at byte 0");
    }
  }

  /** As in ClueWeb09: version 0.18, LF alone, dates that no calendar has, a blank line too many. */
  @Test
  void clueWeb09IsRead() throws Exception {
    StringBuilder file = new StringBuilder();
    file.append("WARC/0.18\nWARC-Type: warcinfo\nWARC-Date: 2009-03-65T08:43:19-0800\n");
    file.append("WARC-Record-ID: <urn:uuid:993d3969-9643-4934-b1c6-68d4dbe55b83>\n");
    file.append("Content-Type: application/warc-fields\nContent-Length: 5\n\nsoft\n\n\n");
    for (int i = 0; i < 3; i++) {
      String http = "HTTP/1.1 200 OK\nContent-Type: text/html; charset=ISO-8859-1\n\n";
      String block = http + "<title>T" + i + "</title>Caf\u00E9\n";
      file.append("WARC/0.18\nWARC-Type: response\n");
      file.append("WARC-Target-URI: http://a.org/caf\u00E9 with spaces?q=|").append(i).append('\n');
      file.append("WARC-Warcinfo-ID: 993d3969-9643-4934-b1c6-68d4dbe55b83\n");
      file.append("WARC-Date: 2009-03-65T08:43:20-0800\n");
      file.append("WARC-Record-ID: <urn:uuid:67f7cabd-146c-41cf-bd01-04f5fa7d527").append(i);
      file.append(">\nWARC-TREC-ID: clueweb09-en0000-00-0000").append(i).append('\n');
      file.append(
          "Content-Type: application/http;msgtype=response\nWARC-Identified-Payload-Type: \n");
      file.append("Content-Length: ").append(block.length()).append("\n\n");
      file.append(block).append("\n\n");
    }
    byte[] bytes = file.toString().getBytes(ISO_8859_1);
    for (byte[] form : List.of(bytes, Warcs.gzip(bytes))) {
      write("00.warc", form);
      SourceReading read = SourceReading.of(root);
      assertThat(read.ids())
          .containsExactly(
              "clueweb09-en0000-00-00000",
              "clueweb09-en0000-00-00001",
              "clueweb09-en0000-00-00002");
      assertThat(read.docs.get(1).text()).startsWith("<title>T1</title>Caf");
      assertThat(read.docs.get(1).charset()).isEqualTo("ISO-8859-1");
      assertThat(read.reasons()).containsExactly(SkipReason.METADATA);
    }
  }

  @Test
  void arcFilesAreRead() throws Exception {
    String version =
        "1 1 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n\n";
    String page = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>An old page</p>";
    String file =
        arc("filedesc://IA-001102.arc 0.0.0.0 19960923142103 text/plain", version)
            + arc("dns:a.org 127.0.0.1 19961104142103 text/dns", "20000101\na.org. 3600 IN A")
            + arc("http://a.org:80/index.html 127.10.100.2 19961104142103 text/html", page)
            + arc("http://a.org:80/two 127.10.100.2 19961104142103 text/html", page + "!");
    byte[] bytes = file.getBytes(ISO_8859_1);
    for (byte[] form : List.of(bytes, Warcs.gzip(bytes))) {
      write("a.arc", form);
      SourceReading read = SourceReading.of(root);
      assertThat(read.ids()).containsExactly("http://a.org:80/index.html", "http://a.org:80/two");
      assertThat(read.texts()).containsExactly("<p>An old page</p>", "<p>An old page</p>!");
      assertThat(read.reasons()).containsExactly(SkipReason.METADATA, SkipReason.NOT_TEXT);
    }
  }

  private static String arc(String header, String body) {
    return "%s %d\n%s\n".formatted(header, body.length(), body);
  }

  @Test
  void aPageWithoutAnHttpHeaderIsWhatItsBytesSay() throws Exception {
    String body = "<html><body>version 0.9 of HTTP had no header</body></html>";
    String record =
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: <http://a.org/>\r\n"
            + "Content-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
                .formatted(body.length(), body);
    write("a.warc", record.getBytes(US_ASCII));
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
      String response = "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n<p>heron</p>".formatted(type);
      archive.append(
          "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\n"
              + "Content-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
                  .formatted(response.length(), response));
    }
    write("a.warc", archive.toString().getBytes(US_ASCII));
    SourceReading read = SourceReading.of(root);
    assertThat(read.docs.size() + read.skips.all().size()).isEqualTo(4);
    assertThat(read.texts()).isNotEmpty().containsOnly("<p>heron</p>");
  }

  @Test
  void aResponseWhoseHeaderHasNoEndHoldsNoText() throws Exception {
    String record =
        """
        WARC/1.1\r
        WARC-Type: response\r
        WARC-Target-URI: http://a.org/\r
        Content-Type: application/http\r
        Content-Length: %d\r
        \r
        %s\r
        \r
        """;
    String small = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    String large = "HTTP/1.1 200 OK\r\nX: " + "y".repeat(100_000) + "\r\n\r\ntext";
    write(
        "a.warc",
        (record.formatted(small.length(), small) + record.formatted(large.length(), large))
            .getBytes(US_ASCII));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).isEmpty();
    assertThat(read.skips.all())
        .extracting(RecordedSkips.Skip::detail)
        .containsExactly("an HTTP header without an end", "an HTTP header without an end");
  }

  @Test
  @Timeout(60)
  void aRecordOfManyGigabytesIsPassedOverWithoutBeingHeld() throws Exception {
    long length = 200L << 30;
    String header =
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.org/huge\r\n"
            + "Content-Type: text/plain\r\nContent-Length: %d\r\n\r\n".formatted(length);
    Path file = root.resolve("a.warc");
    byte[] next = Warcs.write(WarcCompression.NONE, page(7));
    try (var channel =
        Files.newByteChannel(
            file,
            java.nio.file.StandardOpenOption.CREATE_NEW,
            java.nio.file.StandardOpenOption.SPARSE,
            java.nio.file.StandardOpenOption.WRITE)) {
      channel.write(java.nio.ByteBuffer.wrap(header.getBytes(US_ASCII)));
      channel.position(header.length() + length);
      channel.write(java.nio.ByteBuffer.wrap("\r\n\r\n".getBytes(US_ASCII)));
      channel.write(java.nio.ByteBuffer.wrap(next));
    }
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("http://a.org/7");
    assertThat(read.skips.only().reason()).isEqualTo(SkipReason.TOO_LARGE);
    assertThat(read.skips.only().detail()).isEqualTo("%d bytes, the limit is 67108864", length);
  }

  private static WarcRecord[] pages(int count) throws IOException {
    WarcRecord[] pages = new WarcRecord[count];
    for (int i = 0; i < count; i++) {
      pages[i] = page(i);
    }
    return pages;
  }

  private static WarcRecord page(int number) throws IOException {
    return Warcs.html("http://a.org/" + number, "<p>page number %d</p>".formatted(number));
  }

  private static WarcRecord encoded(String uri, byte[] body, String... headers) throws IOException {
    return Warcs.response(uri, "text/html", body, headers);
  }

  private static byte[] chunks(byte[] body) {
    int half = body.length / 2;
    return Warcs.concat(
        "%x\r\n".formatted(half).getBytes(US_ASCII),
        Arrays.copyOf(body, half),
        "\r\n%X\r\n".formatted(body.length - half).getBytes(US_ASCII),
        Arrays.copyOfRange(body, half, body.length),
        "\r\n0\r\n\r\n".getBytes(UTF_8));
  }

  private static byte[] deflate(byte[] body, boolean raw) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, raw);
    try (DeflaterOutputStream deflated = new DeflaterOutputStream(out, deflater)) {
      deflated.write(body);
    } finally {
      deflater.end();
    }
    return out.toByteArray();
  }

  private void write(String name, byte[] bytes) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }
}
