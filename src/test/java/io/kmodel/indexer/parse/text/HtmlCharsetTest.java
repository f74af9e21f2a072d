package io.kmodel.indexer.parse.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.Bytes;
import io.kmodel.indexer.parse.DocumentParser;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.RawDocument;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
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
        "<meta content=\"text/html;charset = 'EUC-JP'\" http-equiv=\"content-type\">|x-eucJP-Open",
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
    "unicode11utf8,UTF-8",
    "logical,ISO-8859-8",
    "visual,ISO-8859-8",
    "iso-8859-8-i,ISO-8859-8",
    "iso-8859-6-e,ISO-8859-6",
    "iso88591,windows-1252",
    "iso88592,ISO-8859-2",
    "x-cp1250,windows-1250",
    "x-cp1258,windows-1258",
    "x-gbk,GB18030",
    "chinese,GB18030",
    "gb_2312-80,GB18030",
    "cn-big5,Big5-HKSCS",
    "x-x-big5,Big5-HKSCS",
    "korean,x-windows-949",
    "ks_c_5601-1989,x-windows-949",
    "macintosh,x-MacRoman",
    "x-mac-roman,x-MacRoman",
    "x-mac-cyrillic,x-MacUkraine",
    "koi,KOI8-R",
    "koi8-ru,KOI8-U",
    "dos-874,x-windows-874",
    "x-iso-8859-11,x-windows-874",
    "cp1047,UTF-8",
    "x-iscii91,x-ISCII91",
    "utf-16,UTF-8",
    "utf-16le,UTF-8",
    "utf-32be,UTF-8",
    "ibm037,UTF-8",
    " Windows-1251 ,windows-1251",
    "iso-2022-jp,x-windows-iso2022jp",
    "eucjp,x-eucJP-Open"
  })
  void namesMeanWhatTheyMeanToBrowsers(String label, String expected) {
    assertThat(HtmlCharset.named(label)).isEqualTo(Charset.forName(expected));
  }

  @ParameterizedTest
  @CsvSource({
    "iso-8859-10,ĄąŊŋĸ čÆ,A1 B1 AF BF FF 20 E8 C6",
    "latin6,ÐðŪ―,D0 F0 AE BD",
    "l6,Ũũ,D7 F7",
    "iso-8859-14,ḂŵŷŶṫẅ£,A1 F0 FE DE F7 BE A3",
    "iso8859-14,§x,A7 78"
  })
  void charsetsThatJavaLacksAreRead(String label, String text, String hex) throws Exception {
    byte[] word = HexFormat.ofDelimiter(" ").parseHex(hex);
    byte[] head = ("<meta charset=" + label + ">").getBytes(StandardCharsets.US_ASCII);
    byte[] page = Bytes.concat(head, word);
    for (HtmlMode mode : HtmlMode.values()) {
      DocumentParser parser = new DocumentParser(mode);
      assertThat(
              parser
                  .parse(new RawDocument("i", "/i", ContentType.HTML, page, page.length, 0))
                  .contents())
          .isEqualTo(text);
    }
    byte[] all = new byte[0x100];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    Charset charset = Objects.requireNonNull(HtmlCharset.named(label));
    String decoded = new String(all, charset);
    assertThat(decoded)
        .hasSize(0x100)
        .startsWith(new String(all, 0, 0xA0, StandardCharsets.ISO_8859_1));
    assertThat(decoded.chars().distinct()).hasSize(0x100);
    assertThat(charset.canEncode()).isFalse();
  }

  /** Rows 13 and 115 to 124 of the plane, which JIS leaves free and browsers read. */
  @ParameterizedTest
  @CsvSource({
    "euc-jp,\u9AD9\u2460\u3231\u301C\u2212,FC E2 AD A1 AD EA A1 C1 A1 DD",
    "euc-jp,\uFF71\u4E02,8E B1 8F B0 A1",
    "iso-2022-jp,\u9AD9\u2460\u3231\uFF5E\uFF0D,1B 24 42 7C 62 2D 21 2D 6A 21 41 21 5D 1B 28 42",
    "iso-2022-jp,a\uFF71,1B 28 4A 61 1B 28 49 31 1B 28 42"
  })
  void japaneseIsReadWithTheRowsThatJisLeavesFree(String label, String text, String hex) {
    Charset charset = Objects.requireNonNull(HtmlCharset.named(label));
    assertThat(new String(HexFormat.ofDelimiter(" ").parseHex(hex), charset)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"euc-jp,EUC-JP", "iso-2022-jp,ISO-2022-JP"})
  void whatJavasJapaneseReadsIsReadTheSameWay(String label, String java) {
    Charset charset = Objects.requireNonNull(HtmlCharset.named(label));
    Charset known = Charset.forName(java);
    // Seven signs of JIS are those of Windows, as in Shift_JIS and to browsers.
    String signs = java.startsWith("ISO") ? "\u2014\u301C\u2016\u2212\u00A2\u00A3\u00AC" : "";
    for (int c = 0x80; c < 0x10000; c++) {
      String text = String.valueOf((char) c);
      if (known.newEncoder().canEncode((char) c) && signs.indexOf(c) < 0) {
        byte[] bytes = text.getBytes(known);
        assertThat(new String(bytes, charset)).isEqualTo(new String(bytes, known));
      }
    }
  }

  @Test
  void aServersCharsetMayBeUtf16() {
    for (String label :
        new String[] {
          "ucs-2", "ISO-10646-UCS-2", "unicode", "csunicode", "UnicodeFEFF", "utf-16"
        }) {
      assertThat(HtmlCharset.declared(label)).isEqualTo(StandardCharsets.UTF_16LE);
    }
    assertThat(HtmlCharset.declared("unicodefffe")).isEqualTo(StandardCharsets.UTF_16BE);
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
