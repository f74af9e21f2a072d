package io.kmodel.indexer.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.record.ContentSniffer;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which texts are HTML. */
class ContentTypeTest {
  private static final List<String> ENCODINGS =
      List.of("UTF-8", "UTF-16BE", "UTF-16LE", "UTF-32BE", "UTF-32LE");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!doctype html>",
        "<!doctype html",
        "<!doctypehtml>",
        "<!doctype\t\r\n\f html public 'x'>",
        "\f\r\n\t <!doctype html>",
        "<!-- a comment --><!doctype html>",
        "<!--><!--->\n<!-- - -- > --><!doctype html>",
        "<?xml version='1.0'?>\n<!-- <svg> --><!doctype html>",
        "<?xml?><html>",
        "<html lang=en>",
        "<h6\tid=a>",
        "<br/>",
        "<frameset\f>",
        "<a href='x'>"
      })
  void pagesAreHtmlInAnyCaseAndAnyUnicode(String page) {
    checkInAnyCaseAndAnyUnicode(page, ContentType.HTML);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!doctype",
        "<!doctype ",
        "<!doctype htm",
        "<!doctype svg>",
        "<!-doctype html>",
        "<!-- never closed <html>",
        "<!-- - > -- ><html>",
        "<!--",
        "<!-- closed -->",
        "<!-- closed --> words <html>",
        "<?php ?><html>",
        "</html>",
        "< html>",
        "<html",
        "<htmls>",
        "<h7>",
        "<p1>",
        "<a-b>",
        "<>",
        "p>",
        "\u000B<html>",
        "\u00A0<html>",
        "\u0120<html>"
      })
  void whatOnlyLooksLikeAPageIsPlainInAnyCaseAndAnyUnicode(String text) {
    checkInAnyCaseAndAnyUnicode(text, ContentType.PLAIN_TEXT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<?xml version='1.0' <html>",
        "<?xml version='1.0'?>",
        "<?xml version='1.0'?><rss>"
      })
  void whatStartsWithAnXmlDeclarationAndIsNoPageIsXml(String text) {
    assertThat(type(text, "README")).isEqualTo(ContentType.XML);
    for (String encoding : ENCODINGS) {
      assertThat(marked(text, encoding)).as(encoding).isEqualTo(ContentType.XML);
    }
  }

  private static void checkInAnyCaseAndAnyUnicode(String text, ContentType expected) {
    for (String cased : inAnyCase(text)) {
      assertThat(type(cased, "README")).as(cased).isEqualTo(expected);
      for (String encoding : ENCODINGS) {
        assertThat(marked(cased, encoding)).as(encoding + cased).isEqualTo(expected);
      }
    }
  }

  @Test
  void charactersWhoseLowBytesSpellATagAreNone() {
    assertThat(marked("\u013C\u0170\u013E", "UTF-16BE")).isEqualTo(ContentType.PLAIN_TEXT);
    assertThat(marked("\u3C00\u7000\u3E00", "UTF-16LE")).isEqualTo(ContentType.PLAIN_TEXT);
    byte[] negative = "\uFEFF<p>".getBytes(Charset.forName("UTF-32BE"));
    negative[4] = (byte) 0x80;
    assertThat(ContentSniffer.type(negative, negative.length, "x"))
        .isEqualTo(ContentType.PLAIN_TEXT);
  }

  @Test
  void wideCharactersThatAreCutInTheMiddleEndTheText() {
    for (String encoding : ENCODINGS) {
      byte[] page = "\uFEFF<p>".getBytes(Charset.forName(encoding));
      for (int length = 0; length < page.length; length++) {
        assertThat(ContentSniffer.type(page, length, "x"))
            .as("%d bytes of %s", length, encoding)
            .isEqualTo(ContentType.PLAIN_TEXT);
      }
      assertThat(ContentSniffer.type(page, page.length, "x")).isEqualTo(ContentType.HTML);
    }
  }

  @Test
  void whatIsBeforeAPageMayReachBeyondTheWindow() {
    int window = ContentSniffer.WINDOW_BYTES;
    for (String start : List.of("", "<!--", "<?xml ")) {
      String close = start.isEmpty() ? "" : start.equals("<!--") ? "-->" : "?>";
      String page = start + " ".repeat(window - start.length() - close.length() - 3) + close;
      assertThat(type(page + "<p>", "x")).as(start).isEqualTo(ContentType.HTML);
      for (int more : new int[] {1, 3, window}) {
        String longer = page.substring(0, window - 8) + " ".repeat(more) + close + "<p>";
        assertThat(type(longer, "x")).as(start).isEqualTo(ContentType.HTML);
        assertThat(type(longer.replace("<p>", "p"), "x"))
            .as(start)
            .isEqualTo(start.equals("<?xml ") ? ContentType.XML : ContentType.PLAIN_TEXT);
      }
    }
  }

  @Test
  void namesEndAsPagesDoInAnyCaseAndUnderAnyCompression() {
    for (String suffix : List.of(".html", ".htm", ".shtml", ".xhtml", ".xht")) {
      ContentType expected = suffix.startsWith(".x") ? ContentType.XML : ContentType.HTML;
      for (String packed : List.of("", ".gz", ".zst", ".zstd", ".bz2", ".xz")) {
        String name = "a/b" + suffix + packed;
        for (String cased : inAnyCase(name)) {
          assertThat(type("words", cased)).as(cased).isEqualTo(expected);
        }
      }
    }
    for (String name : List.of("html", "a.html/b", "a.html.txt", "a.htmlx", "a.gz.html.old", "")) {
      assertThat(type("words", name)).as(name).isEqualTo(ContentType.PLAIN_TEXT);
    }
  }

  private static List<String> inAnyCase(String text) {
    return List.of(text, text.toUpperCase(Locale.ROOT), alternating(text));
  }

  private static String alternating(String text) {
    StringBuilder result = new StringBuilder(text);
    for (int i = 0; i < text.length(); i += 2) {
      result.setCharAt(i, Character.toUpperCase(text.charAt(i)));
    }
    return result.toString();
  }

  private static ContentType marked(String text, String encoding) {
    byte[] bytes = ("\uFEFF" + text).getBytes(Charset.forName(encoding));
    return ContentSniffer.type(bytes, bytes.length, "README");
  }

  private static ContentType type(String text, String name) {
    byte[] bytes = text.getBytes(UTF_8);
    return ContentSniffer.type(bytes, bytes.length, name);
  }
}
