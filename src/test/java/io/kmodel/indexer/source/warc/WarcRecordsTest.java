package io.kmodel.indexer.source.warc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.Members;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.record.RecordedSkips;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.netpreserve.jwarc.WarcCompression;
import org.netpreserve.jwarc.WarcRecord;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** The records of archives, however they are packed, clipped and damaged. */
class WarcRecordsTest {
  /** Of how many lengths or bytes one is tried. */
  private static final int STRIDE = Tier.pick(5, 1);

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
    assertThat(read.skips.all().get(4).detail()).isEqualTo("starts with the PNG signature");
  }

  /** They were documents: the text of a page once more, and the log of a crawl. */
  @Test
  void whatACrawlerWritesAboutItsPagesIsPassedOver() throws Exception {
    write(
        "a.warc",
        Warcs.write(
            WarcCompression.NONE,
            Warcs.resource("urn:text:https://a.org/", "text/plain", "a text of browsertrix"),
            Warcs.resource("urn:pageinfo:https://a.org/", "text/plain", "{}"),
            Warcs.resource(
                "metadata://gnu.org/software/wget/warc/wget.log", "text/plain", "a log of wget"),
            Warcs.resource("urn:isbn:3", "text/plain", "a book")));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("urn:isbn:3");
    assertThat(read.reasons())
        .containsExactly(SkipReason.METADATA, SkipReason.METADATA, SkipReason.METADATA);
  }

  /** Half a letter of UTF-16 is a NUL, and pages have one here and there. */
  @Test
  void whatIsDeclaredToBeTextMayHoldNuls() throws Exception {
    String page = "<title>Heron</title>The heron waits.";
    write(
        "a.warc",
        Warcs.write(
            WarcCompression.NONE,
            Warcs.response(
                "http://a.org/1", "text/html; charset=utf-16le", page.getBytes(UTF_16LE)),
            Warcs.response(
                "http://a.org/2", "text/html; charset=UTF-16BE", page.getBytes(UTF_16BE)),
            Warcs.response(
                "http://a.org/3", "text/plain;charset=utf-16", "wide".getBytes(UTF_16LE)),
            Warcs.response("http://a.org/4", "text/html", (page + "\0 more").getBytes(US_ASCII)),
            Warcs.conversion("http://a.org/5", "as Common\0 Crawl extracts it"),
            Warcs.response("http://a.org/6", "text/html", "\0\1\2\3 and text".getBytes(US_ASCII)),
            Warcs.response(
                "http://a.org/8", "text/html; charset=utf-32le", "a\0\0\0".getBytes(US_ASCII)),
            Warcs.response("http://a.org/7", "unknown", "a\0 of many words".getBytes(US_ASCII))));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids())
        .containsExactly(
            "http://a.org/1",
            "http://a.org/2",
            "http://a.org/3",
            "http://a.org/4",
            "http://a.org/5");
    assertThat(read.docs)
        .extracting(SourceReading.Doc::type)
        .containsExactly(
            ContentType.HTML,
            ContentType.HTML,
            ContentType.PLAIN_TEXT,
            ContentType.HTML,
            ContentType.PLAIN_TEXT);
    assertThat(read.docs)
        .extracting(SourceReading.Doc::charset)
        .startsWith("utf-16le", "UTF-16BE", "utf-16");
    assertThat(read.skips.all())
        .extracting(RecordedSkips.Skip::detail)
        .containsExactly(
            "4 control characters in the first 13 bytes",
            "3 control characters in the first 4 bytes",
            "NUL at byte 1");
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
    byte[] skippable = {0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4};
    write("pzstd", Warcs.concat(skippable, Zstd.compress(warc), skippable));
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
        List.of("plain", "members", "one-member", "zstd", "pzstd", "two-frames", "bzip2", "xz")) {
      SourceReading read = SourceReading.of(root.resolve(file));
      assertThat(read.ids()).as(file).isEqualTo(expected);
      assertThat(read.skips.all()).as(file).isEmpty();
    }
    assertThat(SourceReading.of(root.resolve("two-streams")).ids()).hasSize(60);
  }

  @ParameterizedTest
  @EnumSource(Members.class)
  @Timeout(300)
  void aPackedFileClippedAnywhereGivesAllRecordsBeforeAndSaysWhere(Members packing)
      throws Exception {
    byte[][] members = packed(packing, 4);
    byte[] whole = packing.file(members);
    int first = packing.first();
    for (int length = first + 10; length < whole.length; length += STRIDE) {
      int before = 0;
      int border = first;
      while (before < members.length && border + members[before].length <= length) {
        border += members[before++].length;
      }
      write("a.warc.packed", Arrays.copyOf(whole, length));
      SourceReading read = SourceReading.of(root);
      assertThat(read.ids()).as("clipped to %d", length).hasSize(before);
      if (border == length) {
        assertThat(read.skips.all()).isEmpty();
      } else {
        assertThat(read.skips.only().reason()).isEqualTo(SkipReason.DAMAGED);
        assertThat(read.skips.only().place())
            .as("clipped to %d", length)
            .matches(
                ".*a\\.warc\\.packed" + (border == first ? "( at byte 0)?" : " at byte " + border));
      }
    }
  }

  @Test
  @Timeout(300)
  void anUncompressedFileClippedAnywhereGivesAllRecordsBefore() throws Exception {
    byte[] one = Warcs.write(WarcCompression.NONE, page(0));
    byte[] whole = Warcs.concat(one, Warcs.write(WarcCompression.NONE, page(1)));
    int trailer = 4;
    for (int length = 10; length <= whole.length; length += STRIDE) {
      write("a.warc", Arrays.copyOf(whole, length));
      SourceReading read = SourceReading.of(root);
      int expected = length >= whole.length - trailer ? 2 : length >= one.length - trailer ? 1 : 0;
      assertThat(read.ids()).as("clipped to %d", length).hasSize(expected);
      boolean atBorder = length >= whole.length - trailer || length == one.length;
      boolean inTrailer = length >= one.length - trailer && length < one.length;
      assertThat(read.skips.all()).hasSize(atBorder || inTrailer ? 0 : 1);
    }
  }

  @ParameterizedTest
  @EnumSource(Members.class)
  @Timeout(300)
  void anyDamagedByteLosesOneRecordAndTheOthersAreRead(Members packing) throws Exception {
    byte[][] members = packed(packing, 4);
    byte[] whole = packing.file(members);
    int from = packing.first() + members[0].length;
    for (int i = from; i < from + members[1].length; i += STRIDE) {
      byte[] damaged = whole.clone();
      damaged[i] ^= 0x55;
      write("a.warc.packed", damaged);
      SourceReading read = SourceReading.of(root);
      assertThat(read.ids())
          .as("byte %d", i)
          .contains("http://a.org/0", "http://a.org/2", "http://a.org/3");
      if (read.ids().size() < 4) {
        // A changed record may look like several, of which the checksum is the last.
        assertThat(read.reasons())
            .as("byte %d", i)
            .containsAnyOf(SkipReason.DAMAGED, SkipReason.DAMAGED_RECORD, SkipReason.TOO_LARGE);
        assertThat(read.skips.all().get(0).place()).endsWith("a.warc.packed at byte " + from);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Members.class)
  void aRecordWhoseStartIsSplitOverMembersIsFoundAfterDamage(Members packing) throws Exception {
    byte[] record = Warcs.write(WarcCompression.NONE, page(2));
    byte[] damaged = packing.pack(page(1));
    Arrays.fill(damaged, 20, 24, (byte) 0xFF);
    for (int cut = 1; cut < 12; cut++) {
      byte[] start = packing.pack(Arrays.copyOf(record, cut));
      byte[] rest = packing.pack(Arrays.copyOfRange(record, cut, record.length));
      byte[] first = packing.file(packing.pack(page(0)));
      byte[] last = packing.pack(page(3));
      write("a.warc.gz", Warcs.concat(first, damaged, start, rest, last));
      SourceReading read = SourceReading.of(root);
      assertThat(read.ids())
          .as("cut at %d", cut)
          .containsExactly("http://a.org/0", "http://a.org/2", "http://a.org/3");
      assertThat(read.skips.only().place()).endsWith("a.warc.gz at byte " + first.length);
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

  @ParameterizedTest
  @CsvSource({
    "0x10, Content-Length is not a number: 0x10",
    "-5, Content-Length is not a number: -5",
    "' ', record has no Content-Length",
    "very very very very very very very very very lengthy,"
        + " Content-Length is not a number: very very very very very very very very \u2026"
  })
  void aRecordWithoutALengthIsReported(String length, String message) throws Exception {
    String one = new String(Warcs.write(WarcCompression.NONE, page(1)), ISO_8859_1);
    String bad = one.replaceFirst("Content-Length: \\d+", "Content-Length: " + length);
    write("a.warc", bad.getBytes(ISO_8859_1));
    assertThat(SourceReading.of(root).skips.only().detail()).isEqualTo(message);
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

  private static byte[][] packed(Members packing, int count) throws IOException {
    byte[][] members = new byte[count][];
    for (int i = 0; i < count; i++) {
      members[i] = packing.pack(page(i));
    }
    return members;
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

  private void write(String name, byte[] bytes) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }
}
