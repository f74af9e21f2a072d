package io.kmodel.indexer.source.warc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.record.RecordedSkips;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.netpreserve.jwarc.WarcCompression;
import org.netpreserve.jwarc.WarcRecord;

/** Pages as their servers sent them: chunked, encoded, cut, and with headers of any kind. */
class HttpPayloadTest {
  @TempDir Path root;

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
            encoded("zlib", Warcs.deflate(page, false), "Content-Encoding", "deflate"),
            encoded("raw", Warcs.deflate(page, true), "Content-Encoding", "deflate"),
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
            encoded("odd", lzw(), "Content-Encoding", "compress")));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids())
        .containsExactly(
            "chunked", "gzip", "x-gzip", "zlib", "raw", "brotli", "zstd", "two", "both", "decoded");
    assertThat(read.docs)
        .allSatisfy(
            doc ->
                assertThat(doc.text())
                    .isEqualTo(doc.id().equals("brotli") ? "hello" : new String(page, US_ASCII)));
    assertThat(read.skips.only().detail())
        .isEqualTo("content encoding compress: starts with the compress signature");
  }

  /** What "compress" makes of a page, as far as anybody looks. */
  private static byte[] lzw() {
    return new byte[] {0x1F, (byte) 0x9D, (byte) 0x90, '<', (byte) 0xE0, 'b', 'c'};
  }

  /** Servers name charsets, languages and nothing at all there. */
  @Test
  void aPageOfAnUnknownEncodingIsKeptIfItIsTextAsItIs() throws Exception {
    String page = "<p>a page about herons</p>";
    byte[] bytes = page.getBytes(US_ASCII);
    byte[] binary = {'<', 'p', '>', 0, 1, 2};
    write(
        "a.warc",
        Warcs.write(
            WarcCompression.NONE,
            encoded("charset", bytes, "Content-Encoding", "utf-8"),
            encoded("both", Warcs.gzip(bytes), "Content-Encoding", "gzip, UTF-8"),
            encoded("before", Warcs.gzip(bytes), "Content-Encoding", "utf-8, gzip"),
            encoded(
                "chunked", chunks(bytes), "Content-Encoding", "x", "Transfer-Encoding", "chunked"),
            encoded("binary", binary, "Content-Encoding", "utf-8"),
            encoded("decoded", bytes, "Content-Encoding", "compress"),
            encoded("many", bytes, "Content-Encoding", "gzip, br, gzip, br")));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("charset", "both", "before", "chunked", "decoded");
    assertThat(read.texts()).containsOnly(page);
    assertThat(read.reasons()).hasSize(2).containsOnly(SkipReason.DAMAGED);
    assertThat(read.skips.all())
        .extracting(RecordedSkips.Skip::detail)
        .containsExactly("content encoding utf-8: NUL at byte 3", "too many content encodings");
  }

  /** It was no page for sure, and is not counted as one that was lost. */
  @Test
  void nothingOfAnEncodedPageIsDamageOnlyWhereItIsDeclaredToBeAPage() throws Exception {
    byte[] header = Arrays.copyOf(Warcs.gzip("<p>a page</p>".getBytes(US_ASCII)), 10);
    String[] gzip = {"Content-Encoding", "gzip"};
    write(
        "a.warc",
        Warcs.write(
            WarcCompression.NONE,
            Warcs.response("page", "text/html", header, gzip),
            Warcs.response("any", "application/octet-stream", header, gzip)));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).isEmpty();
    assertThat(read.reasons()).containsExactly(SkipReason.DAMAGED, SkipReason.NOT_TEXT);
  }

  /** Crawlers cut pages that are long, or slow. */
  @Test
  void aPageThatItsCrawlerTruncatedIsKeptAndReported() throws Exception {
    byte[] page = "<p>a page about herons</p>".getBytes(US_ASCII);
    byte[] zipped = Warcs.gzip(page);
    String archive =
        new String(
            Warcs.write(
                WarcCompression.NONE,
                encoded("cut", page),
                encoded("both", Arrays.copyOf(zipped, 30), "Content-Encoding", "gzip"),
                Warcs.response("picture", "image/png", page),
                Warcs.conversion("text", "herons")),
            ISO_8859_1);
    String whole =
        new String(Warcs.write(WarcCompression.NONE, encoded("whole", page)), ISO_8859_1);
    String truncated =
        archive.replace("WARC/1.0\r\n", "WARC/1.0\r\nWARC-Truncated: length\r\n") + whole;
    write("a.warc", truncated.getBytes(ISO_8859_1));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("cut", "both", "text", "whole");
    assertThat(read.reasons())
        .containsExactly(
            SkipReason.CUT_SHORT, SkipReason.CUT_SHORT, SkipReason.NOT_TEXT, SkipReason.CUT_SHORT);
    assertThat(read.skips.all().get(0).detail()).isEqualTo("WARC-Truncated: length");
    assertThat(read.skips.all().get(1).detail()).startsWith("gzip: ");
  }

  @Test
  void whatCanBeDecodedOfAPageThatWasCutIsKeptAndReported() throws Exception {
    byte[] page = "<p>chunked and packed and long enough</p>".getBytes(US_ASCII);
    byte[] chunked = chunks(page);
    byte[] deflated = Warcs.deflate(page, true);
    byte[] zipped = Warcs.gzip(page);
    write(
        "a.warc",
        Warcs.write(
            WarcCompression.GZIP,
            encoded("chunked", Arrays.copyOf(chunked, 30), "Transfer-Encoding", "chunked"),
            encoded("zip", Arrays.copyOf(zipped, zipped.length - 9), "Content-Encoding", "gzip"),
            encoded("end", Arrays.copyOf(zipped, zipped.length - 4), "Content-Encoding", "gzip"),
            encoded(
                "flat",
                Arrays.copyOf(deflated, deflated.length - 4),
                "Content-Encoding",
                "deflate"),
            encoded("whole", page)));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).containsExactly("chunked", "zip", "end", "flat", "whole");
    assertThat(read.docs).allSatisfy(doc -> assertThat(doc.text()).startsWith("<p>chunked"));
    assertThat(read.reasons()).hasSize(4).containsOnly(SkipReason.CUT_SHORT);
  }

  @Test
  void aPageThatWasStoredDecodedIsKeptWhateverItsHeaderSays() throws Exception {
    for (String start :
        List.of("<!DOCTYPE html>\n", "\n\n<p>", "plain ", "Hello ", ";", "# ", "{")) {
      byte[] page = (start + "a page about herons, ".repeat(40)).getBytes(US_ASCII);
      for (String encoding : List.of("br", "deflate", "zstd", "gzip", "x-gzip")) {
        write(
            "a.warc",
            Warcs.write(WarcCompression.NONE, encoded("a", page, "Content-Encoding", encoding)));
        SourceReading read = SourceReading.of(root);
        assertThat(read.texts()).as(encoding).containsExactly(new String(page, US_ASCII));
        assertThat(read.skips.all()).as(encoding).isEmpty();
      }
      byte[] once = Warcs.deflate(page, false);
      write(
          "a.warc",
          Warcs.write(
              WarcCompression.NONE, encoded("a", once, "Content-Encoding", "deflate, deflate")));
      SourceReading read = SourceReading.of(root);
      assertThat(read.texts()).containsExactly(new String(page, US_ASCII));
      assertThat(read.skips.all()).isEmpty();
    }
  }

  @Test
  void aPageOfWhichNothingDecodesIsLostAndTheDecoderSaysWhy() throws Exception {
    byte[] page = "<p>a page about herons</p>".repeat(20).getBytes(US_ASCII);
    byte[] zipped = Warcs.gzip(page);
    Arrays.fill(zipped, 10, zipped.length, (byte) 0xFF);
    byte[] frame = Arrays.copyOf(Zstd.compress(page), 12);
    byte[] brotli = {0x0b, 0x02, (byte) 0x80};
    write(
        "a.warc",
        Warcs.write(
            WarcCompression.NONE,
            encoded("gzip", zipped, "Content-Encoding", "gzip"),
            encoded("zstd", frame, "Content-Encoding", "zstd"),
            encoded("br", brotli, "Content-Encoding", "br")));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).isEmpty();
    assertThat(read.reasons()).hasSize(3).containsOnly(SkipReason.DAMAGED);
    assertThat(read.skips.all().get(0).detail())
        .matches("gzip: invalid compressed data .* at byte \\d+ of the page");
    assertThat(read.skips.all())
        .allSatisfy(skip -> assertThat(skip.detail()).doesNotContain("null"));
  }

  @Test
  void chunksMayHaveExtensionsSpacesAndLinesThatEndInLf() throws Exception {
    byte[] page = "<p>a page about herons</p>".repeat(20).getBytes(US_ASCII);
    String chunked = new String(chunks(page), US_ASCII);
    for (String form :
        List.of(
            chunked.replaceAll("([0-9a-fA-F]+)\r\n", "$1; a=b\r\n"),
            chunked.replaceAll("([0-9a-fA-F]+)\r\n", "$1 ;a=\"b c\"\r\n"),
            chunked.replaceAll("([0-9a-fA-F]+)\r\n", "$1   \r\n"),
            chunked.replace("\r\n", "\n"),
            chunked.replaceAll("([0-9a-fA-F]+)\r\n", " 00000000000000$1\r\n"),
            chunked.replace("0\r\n\r\n", "0\r\nX: y\r\n\r\n"))) {
      write(
          "a.warc",
          Warcs.write(
              WarcCompression.NONE,
              encoded("a", form.getBytes(US_ASCII), "Transfer-Encoding", "chunked")));
      SourceReading read = SourceReading.of(root);
      assertThat(read.texts()).containsExactly(new String(page, US_ASCII));
      assertThat(read.skips.all()).isEmpty();
    }
  }

  @Test
  void chunksThatMakeNoSenseAreKeptAsFarAsTheyDo() throws Exception {
    String good = "5\r\nheron\r\n";
    for (String end : List.of("", "7\r\n waits", "no size\r\n", "ffffffffffffffffff\r\nx")) {
      write(
          "a.warc",
          Warcs.write(
              WarcCompression.NONE,
              encoded("a", (good + end).getBytes(US_ASCII), "Transfer-Encoding", "chunked")));
      SourceReading read = SourceReading.of(root);
      assertThat(read.texts().get(0)).startsWith("heron").doesNotContain("5", "size", "f");
      assertThat(read.skips.only().reason()).isEqualTo(SkipReason.CUT_SHORT);
      assertThat(read.skips.only().detail()).startsWith("chunked transfer: ");
    }
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

  /** A line of hexadecimal digits may be text. */
  @Test
  void aPageThatWasStoredJoinedMayStartWithANumber() throws Exception {
    for (String page :
        List.of("0\nherons", "5\napples\nbanana", "0\r\n\r\nHerons wait.", "A\nheron waits")) {
      write(
          "a.warc",
          Warcs.write(
              WarcCompression.NONE,
              encoded("a", page.getBytes(US_ASCII), "Transfer-Encoding", "chunked")));
      SourceReading read = SourceReading.of(root);
      assertThat(read.texts()).containsExactly(page);
      assertThat(read.skips.all()).isEmpty();
    }
  }

  @Test
  void encodingsMayHaveQuotesAndParametersAndBeOfTheTransferAlone() throws Exception {
    byte[] page = "<p>a page about herons</p>".getBytes(US_ASCII);
    byte[] zipped = Warcs.gzip(page);
    write(
        "a.warc",
        Warcs.write(
            WarcCompression.NONE,
            encoded("quoted", zipped, "Content-Encoding", "\"gzip\""),
            encoded("weighed", zipped, "Content-Encoding", "gzip; q=1"),
            encoded("transfer", chunks(zipped), "Transfer-Encoding", "gzip, chunked"),
            encoded(
                "both",
                chunks(Warcs.gzip(Zstd.compress(page))),
                "Transfer-Encoding",
                "gzip, chunked",
                "Content-Encoding",
                "zstd"),
            encoded("untold", zipped),
            encoded("once", Warcs.gzip(zipped), "Content-Encoding", "gzip")));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids())
        .containsExactly("quoted", "weighed", "transfer", "both", "untold", "once");
    assertThat(read.texts()).containsOnly(new String(page, US_ASCII));
    assertThat(read.skips.all()).isEmpty();
  }

  /** Servers say that of whatever they do not know. */
  @Test
  void gzipThatIsServedAsPlainTextIsNoPage() throws Exception {
    byte[] zipped = Warcs.gzip("what somebody packed".getBytes(US_ASCII));
    write("a.warc", Warcs.write(WarcCompression.NONE, Warcs.response("a", "text/plain", zipped)));
    SourceReading read = SourceReading.of(root);
    assertThat(read.ids()).isEmpty();
    assertThat(read.skips.only().reason()).isEqualTo(SkipReason.NOT_TEXT);
  }

  /** Which bytes of text inflate was found by trying: these do, to other bytes or to few. */
  @Test
  void textThatHappensToInflateIsKept() throws Exception {
    Random random = new Random(1);
    int inflated = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] page = text(random);
      byte[] without = inflated(page);
      if (without.length == 0) {
        continue;
      }
      inflated++;
      write(
          "a.warc",
          Warcs.write(
              WarcCompression.NONE,
              Warcs.response("a", "text/plain", page, "Content-Encoding", "deflate")));
      SourceReading read = SourceReading.of(root);
      assertThat(read.texts()).containsExactly(new String(page, US_ASCII));
    }
    assertThat(inflated).isPositive();
  }

  private static byte[] text(Random random) {
    byte[] text = new byte[40 + random.nextInt(100)];
    for (int i = 0; i < text.length; i++) {
      text[i] = (byte) (' ' + random.nextInt(95));
    }
    return text;
  }

  /** What bytes inflate to without an error; nothing where there is one. */
  private static byte[] inflated(byte[] bytes) {
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(bytes);
      byte[] out = new byte[100_000];
      int length = inflater.inflate(out);
      return inflater.finished() ? Arrays.copyOf(out, length) : new byte[0];
    } catch (DataFormatException e) {
      return new byte[0];
    } finally {
      inflater.end();
    }
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

  private void write(String name, byte[] bytes) throws IOException {
    Files.write(root.resolve(name), bytes);
  }
}
