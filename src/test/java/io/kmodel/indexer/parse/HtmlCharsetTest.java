package io.kmodel.indexer.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HtmlCharsetTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "<meta charset=koi8-r>|KOI8-R",
        "<META CharSet = 'KOI8-R' >|KOI8-R",
        "<meta/charset=\"koi8-r\"/>|KOI8-R",
        "<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>|windows-1251",
        "<meta content=\"text/html;charset = 'EUC-JP'\" http-equiv=\"content-type\">|EUC-JP",
        "<meta content='text/html; charset=koi8-r'>|UTF-8",
        "<meta http-equiv=refresh content='charset=koi8-r'>|UTF-8",
        "<meta charset=koi8-r charset=windows-1251>|KOI8-R",
        "<meta charset=klingon><meta charset=koi8-r>|KOI8-R",
        "<meta charset=klingon>|UTF-8",
        "<meta charset='no such/name'>|UTF-8",
        "<meta charset=''>|UTF-8",
        "<!-- <meta charset=koi8-r> --><meta charset=windows-1251>|windows-1251",
        "<!--><meta charset=koi8-r>|KOI8-R",
        "<!-- never closed <meta charset=koi8-r>|UTF-8",
        "<p title='<meta charset=koi8-r>'>|UTF-8",
        "<metadata charset=koi8-r>|UTF-8",
        "< meta charset=koi8-r>|UTF-8",
        "</p title='>' ><meta charset=koi8-r>|KOI8-R",
        "<!DOCTYPE html><meta charset=koi8-r>|KOI8-R",
        "<?xml version='1.0' encoding='koi8-r'?><html>|KOI8-R",
        "<?xml encoding='koi8-r'?><meta charset=windows-1251>|windows-1251",
        "<?xml version='1.0'?>|UTF-8",
        "<?xml encoding|UTF-8",
        "<?xml encoding>|UTF-8",
        "<?xml encoding =>|UTF-8",
        "<meta|UTF-8",
        "<meta |UTF-8",
        "<meta charset|UTF-8",
        "<meta charset=|UTF-8",
        "<meta charset='koi8-r|UTF-8",
        "<meta http-equiv=content-type content='charset'>|UTF-8",
        "<meta http-equiv=content-type content='charset='>|UTF-8",
        "<meta http-equiv=content-type content='charsets; charset=koi8-r'>|KOI8-R",
        "plain|UTF-8",
      })
  void theDeclarationThatCountsIsFound(String page, String expected) {
    byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
    assertThat(HtmlCharset.of(bytes, bytes.length)).isEqualTo(Charset.forName(expected));
  }

  @ParameterizedTest
  @CsvSource({
    "iso-8859-1,windows-1252",
    "latin1,windows-1252",
    "US-ASCII,windows-1252",
    "iso-8859-9,windows-1254",
    "shift_jis,windows-31j",
    "sjis,windows-31j",
    "euc-kr,x-windows-949",
    "gb2312,GB18030",
    "gbk,GB18030",
    "big5,Big5-HKSCS",
    "tis-620,x-windows-874",
    "x-user-defined,windows-1252",
    "utf8,UTF-8",
    "utf-16,UTF-8",
    "utf-16le,UTF-8",
    "utf-32be,UTF-8",
    "ibm037,UTF-8",
    " Windows-1251 ,windows-1251",
    "iso-2022-jp,ISO-2022-JP"
  })
  void namesMeanWhatTheyMeanToBrowsers(String label, String expected) {
    assertThat(HtmlCharset.named(label)).isEqualTo(Charset.forName(expected));
  }

  @Test
  void theWindowHasAnEnd() {
    String meta = "<meta charset=koi8-r>";
    String before = " ".repeat(HtmlCharset.WINDOW_BYTES - meta.length());
    byte[] inside = (before + meta).getBytes(StandardCharsets.UTF_8);
    assertThat(HtmlCharset.of(inside, inside.length).name()).isEqualTo("KOI8-R");
    byte[] outside = (before + " " + meta).getBytes(StandardCharsets.UTF_8);
    assertThat(HtmlCharset.of(outside, outside.length)).isEqualTo(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<meta charset=koi8-r>",
        "<meta charset=iso-8859-15>",
        "<!-- <meta charset=utf-8> --><meta charset='koi8-r'>",
        "<a b='<meta charset=utf-8>'></a><meta content='x;charset=koi8-r' http-equiv=content-type>"
      })
  void aDeclarationIsFoundWhereverItStands(String declaration) {
    for (int before = 900; before < 1100; before++) {
      byte[] page =
          (" ".repeat(before) + declaration + " ".repeat(200)).getBytes(StandardCharsets.UTF_8);
      String expected = declaration.contains("15") ? "ISO-8859-15" : "KOI8-R";
      assertThat(HtmlCharset.of(page, page.length).name()).isEqualTo(expected);
    }
  }

  @Test
  void everyPrefixOfAPageCanBeScanned() {
    String page =
        "<?xml encoding='x'?><!-- - --><a b='c' d=e f></a><meta http-equiv=content-type content="
            + "'charset = \"koi8-r'><meta charset = \"windows-1251\" x>";
    byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
    for (int length = 0; length < bytes.length; length++) {
      assertThat(HtmlCharset.of(bytes, length)).isEqualTo(StandardCharsets.UTF_8);
    }
    assertThat(HtmlCharset.of(bytes, bytes.length).name()).isEqualTo("windows-1251");
  }
}
