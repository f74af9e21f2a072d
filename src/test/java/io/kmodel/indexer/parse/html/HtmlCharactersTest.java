package io.kmodel.indexer.parse.html;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.parse.MalformedDocumentException;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.field.FieldText;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jsoup.nodes.Document.OutputSettings;
import org.jsoup.nodes.Entities;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The characters of pages, whatever the markup: charsets, references, white space and NUL. */
class HtmlCharactersTest {
  private final BothReaders both = new BothReaders();

  @ParameterizedTest
  @CsvSource({
    "UTF-8", "windows-1252", "windows-1251", "ISO-8859-1", "ISO-8859-15", "KOI8-R", "Shift_JIS",
    "EUC-JP", "GB18030", "Big5", "UTF-16", "ISO-2022-JP", "x-unknown", "windows-1255"
  })
  void thePageIsReadInTheCharsetThatItDeclares(String name)
      throws MalformedDocumentException, InterruptedException {
    String page =
        "<meta charset=" + name + "><title>Größe \u2013 размер 大</title><p>Größe\u00A0размер — 大きさ";
    for (String encoding : List.of("UTF-8", "windows-1252", "Shift_JIS", "GB18030", "UTF-16")) {
      both.assertSame(page.getBytes(Charset.forName(encoding)));
    }
    if (Charset.isSupported(name)) {
      both.assertSame(page.getBytes(Charset.forName(name)));
    }
  }

  @Test
  void aByteOrderMarkIsNoText() throws MalformedDocumentException, InterruptedException {
    both.assertSame("\uFEFF<title>x</title>\uFEFFy");
    both.assertSame("\uFEFF<p>é</p>".getBytes(StandardCharsets.UTF_16LE));
    both.assertSame("\uFEFF<p>é</p>".getBytes(StandardCharsets.UTF_16BE));
    assertThat(both.fast.counts().unsure()).isEmpty();
  }

  @Test
  void everyNamedReferenceIsWhatJsoupTakesItFor()
      throws MalformedDocumentException, InterruptedException {
    StringBuilder page = new StringBuilder();
    for (int codePoint = 1; codePoint < 0x1F000; codePoint++) {
      String name = name(codePoint);
      if (!name.isEmpty()) {
        page.append('&').append(name).append("; &").append(name).append("x &").append(name);
        page.append(" &").append(name).append("1; ");
      }
    }
    assertThat(page.length()).isGreaterThan(20_000);
    both.assertSame(page.toString());
    assertThat(both.fast.counts().unsure()).isEmpty();
  }

  @Test
  void everyNumericReferenceIsWhatJsoupTakesItFor()
      throws MalformedDocumentException, InterruptedException {
    StringBuilder page = new StringBuilder();
    for (int number = 0; number < 0x300; number++) {
      page.append("a&#").append(number).append(";b&#x").append(Integer.toHexString(number));
      page.append(";c&#").append(number).append(" ");
    }
    page.append("&#x10FFFF;&#x110000;&#xFFFFFFFFF;&#4294967329;&#x1F600;&#xFFFE;&#x;&#;&#x");
    both.assertSame(page.toString());
    assertThat(both.fast.counts().unsure()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s", "<title>%s</title>", "<svg><![CDATA[%s]]></svg>", "<plaintext>%s"})
  void wordsAndSpacesAreTheSameWhereverTheyStand(String around)
      throws MalformedDocumentException, InterruptedException {
    String[] ends = {"", "<b>", "&amp;", "\t", "\u0001", "\u00A0", "é", " é", "\u00AD", "\n "};
    for (String end : ends) {
      for (int offset = 0; offset < 17; offset++) {
        String lead = "abcdefghijklmnopqr".substring(0, offset);
        for (String spaces : new String[] {" ", "  ", " x ", " x  y ", "  x y z"}) {
          both.assertSame(around.formatted(lead + spaces + end));
          both.assertSame(around.formatted(lead + spaces + end + "word and words"));
        }
      }
    }
    assertThat(both.fast.counts().fast()).isPositive();
  }

  @Test
  void aNulInTextGoesToJsoup() throws MalformedDocumentException, InterruptedException {
    both.assertSame("a\0b<svg>c\0d</svg>");
    assertThat(both.fast.counts().unsure()).containsOnlyKeys(HtmlUnsure.NUL);
  }

  @Test
  void aNulInTheNameOfATagGoesToJsoup() throws MalformedDocumentException, InterruptedException {
    for (String page :
        new String[] {
          "a<p\0>b</p\0>c and what follows it",
          "a<p\0 id=1>b</p and what follows it",
          "a<b>c</b\0>d and what follows it",
          "a<\0p>b</\0p>c and what follows it"
        }) {
      long before = both.fast.counts().jsoup();
      both.assertSame(page);
      assertThat(both.fast.counts().jsoup()).as(page).isEqualTo(before + 1);
    }
    assertThat(both.fast.counts().unsure()).containsKey(HtmlUnsure.TAG_NAME);
  }

  @Test
  void theTextIsGivenInUtf8() throws MalformedDocumentException, InterruptedException {
    ParsedDocument parsed =
        both.fast.parse(
            BothReaders.document("<title> Größe </title><p>大 &hearts;".getBytes(UTF_8)));
    assertThat(text(parsed.text("title"))).isEqualTo("Größe");
    assertThat(text(parsed.text("contents"))).isEqualTo("大 ♥");
    assertThat(both.fast.counts().fast()).isOne();
  }

  private static String text(FieldText text) {
    return new String(text.bytes(), text.offset(), text.length(), UTF_8);
  }

  /** A name that jsoup writes for a character; empty if it writes the character. */
  private static String name(int codePoint) {
    if (codePoint >= 0xD800 && codePoint < 0xE000) {
      return "";
    }
    OutputSettings settings =
        new OutputSettings()
            .escapeMode(Entities.EscapeMode.extended)
            .charset(StandardCharsets.US_ASCII);
    String escaped = Entities.escape(Character.toString(codePoint), settings);
    boolean named = escaped.startsWith("&") && !escaped.startsWith("&#");
    return named ? escaped.substring(1, escaped.length() - 1) : "";
  }
}
