package io.kmodel.indexer.source.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.ContentType;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentSnifferTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE html><title>x</title>",
        "<!doctype\n HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">",
        " \r\n\t<HTML lang=de>",
        "<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"x\">",
        "<?xml version='1.0'?><!-- <note> --> <html xmlns='http://www.w3.org/1999/xhtml'>",
        "<!-- saved from a page --><!-- twice --><head>",
        "<p>One paragraph",
        "<h1/>",
        "\uFEFF<body>"
      })
  void whatStartsAsHtmlIsHtmlWhateverItsName(String text) {
    assertThat(type(bytes(text), "page.txt")).isEqualTo(ContentType.HTML);
    assertThat(type(bytes(text), "page")).isEqualTo(ContentType.HTML);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Plain words, and <b>a tag</b> later on.",
        "<not-html>",
        "<preface>",
        "<",
        "<p",
        "<!-- a comment that never ends",
        "<!doctype svg>",
        "<?xmlx?><feed>",
        "a < b"
      })
  void whatDoesNotIsWhatItsNameSays(String text) {
    assertThat(type(bytes(text), "a/page.txt")).isEqualTo(ContentType.PLAIN_TEXT);
    assertThat(type(bytes(text), "README")).isEqualTo(ContentType.PLAIN_TEXT);
    assertThat(type(bytes(text), "a/page.html")).isEqualTo(ContentType.HTML);
    assertThat(type(bytes(text), "PAGE.HTM")).isEqualTo(ContentType.HTML);
    assertThat(type(bytes(text), "a/page.xhtml.gz")).isEqualTo(ContentType.XML);
    assertThat(type(bytes(text), "a/page.txt.gz")).isEqualTo(ContentType.PLAIN_TEXT);
  }

  @Test
  void whatIsDeclaredAsXmlIsXmlUnlessItIsHtmlOrNamedSo() {
    String feed = "\uFEFF <?xml version='1.0'?><feed>";
    assertThat(type(bytes(feed), "feed")).isEqualTo(ContentType.XML);
    assertThat(type(bytes(feed), "feed.rss.gz")).isEqualTo(ContentType.XML);
    assertThat(type(bytes(feed), "feed.html")).isEqualTo(ContentType.HTML);
    assertThat(type(feed.getBytes(StandardCharsets.UTF_16LE), "feed")).isEqualTo(ContentType.XML);
    String page = "<?xml version='1.0'?><html>";
    assertThat(type(bytes(page), "page")).isEqualTo(ContentType.HTML);
    assertThat(type(bytes(page), "page.xhtml")).isEqualTo(ContentType.XML);
  }

  @Test
  void aCommentBeforeAPageMayBeLong() {
    String comment = "<!-- %s -->".formatted("licence ".repeat(ContentSniffer.WINDOW_BYTES));
    assertThat(type(bytes(comment + "\n<html>"), "page")).isEqualTo(ContentType.HTML);
    assertThat(type(bytes(comment + "\nwords"), "page")).isEqualTo(ContentType.PLAIN_TEXT);
    byte[] wide = ("\uFEFF" + comment + "<html>").getBytes(StandardCharsets.UTF_16LE);
    assertThat(type(wide, "page")).isEqualTo(ContentType.PLAIN_TEXT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"})
  void wideCharactersAfterAByteOrderMarkAreText(String name) {
    Charset charset = Charset.forName(name);
    byte[] html = "\uFEFF\n<!DOCTYPE html><title>é</title>".getBytes(charset);
    assertThat(ContentSniffer.binary(html, html.length)).isNull();
    assertThat(type(html, "page")).isEqualTo(ContentType.HTML);
    byte[] text = "\uFEFF\u3C00\u0120<p> is no tag".getBytes(charset);
    assertThat(ContentSniffer.binary(text, text.length)).isNull();
    assertThat(type(text, "page")).isEqualTo(ContentType.PLAIN_TEXT);
  }

  @Test
  void knownFormatsAreBinary() {
    assertThat(latin1("%PDF-1.7 only letters follow")).isEqualTo("starts with the PDF signature");
    assertThat(latin1("\u0089PNG\r\n\u001A\n")).isEqualTo("starts with the PNG signature");
    assertThat(latin1("\u00FF\u00D8\u00FF\u00E0")).isEqualTo("starts with the JPEG signature");
    assertThat(latin1("\u00FF\u00D8")).isNull();
    assertThat(latin1("PK\u0003\u0004")).isEqualTo("starts with the ZIP signature");
    assertThat(latin1("\u001F\u008B\u0008")).isEqualTo("starts with the nested gzip signature");
  }

  @Test
  void aNulInTheWindowIsBinaryAndOneAfterItIsNot() {
    assertThat(latin1("ab\0c")).isEqualTo("NUL at byte 2");
    String window = "x".repeat(ContentSniffer.WINDOW_BYTES);
    assertThat(latin1(window.substring(1) + "\0"))
        .isEqualTo("NUL at byte " + (ContentSniffer.WINDOW_BYTES - 1));
    assertThat(latin1(window + "\0")).isNull();
  }

  @Test
  void eachControlCharacterIsSeenWhereverItIsAmongEightBytes() {
    String ofTexts = "\b\t\n\u000B\f\r\u001B";
    for (int value = 0; value < 256; value++) {
      boolean isOdd = (value < ' ' || value == 0x7F) && ofTexts.indexOf(value) < 0;
      for (int at = 0; at < 15; at++) {
        byte[] bytes = "abcdefghabcdefg".getBytes(StandardCharsets.ISO_8859_1);
        bytes[at] = (byte) value;
        boolean isBinary = ContentSniffer.binary(bytes, 0, bytes.length) != null;
        assertThat(isBinary).as("%#x at %d", value, at).isEqualTo(isOdd);
      }
    }
  }

  @Test
  void aLargeShareOfControlCharactersIsBinaryButNotThoseOfTexts() {
    assertThat(latin1("x".repeat(15) + "\u0001")).isNull();
    assertThat(latin1("x".repeat(14) + "\u0001"))
        .isEqualTo("1 control characters in the first 15 bytes");
    assertThat(latin1("\t\r\n\f\u000B\b\u001B")).isNull();
    byte[] noise = new byte[5000];
    new Random(3).nextBytes(noise);
    assertThat(ContentSniffer.binary(noise, noise.length)).isNotNull();
  }

  @Test
  void textInAnyCharsetIsText() {
    String text = "Зимородок, カワセミ, 翠鸟";
    for (String charset : new String[] {"UTF-8", "Shift_JIS", "GB18030", "ISO-2022-JP"}) {
      byte[] bytes = text.getBytes(Charset.forName(charset));
      assertThat(ContentSniffer.binary(bytes, bytes.length)).as(charset).isNull();
    }
  }

  @Test
  void nothingIsText() {
    assertThat(ContentSniffer.binary(new byte[0], 0)).isNull();
    assertThat(type(new byte[0], "x.html")).isEqualTo(ContentType.HTML);
  }

  @Test
  void bytesBehindTheLengthDoNotCount() {
    byte[] bytes = bytes("<p>\0");
    assertThat(ContentSniffer.binary(bytes, 3)).isNull();
    assertThat(ContentSniffer.type(bytes, 2, "x")).isEqualTo(ContentType.PLAIN_TEXT);
  }

  private static ContentType type(byte[] bytes, String name) {
    return ContentSniffer.type(bytes, bytes.length, name);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static @Nullable String latin1(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    return ContentSniffer.binary(bytes, bytes.length);
  }
}
